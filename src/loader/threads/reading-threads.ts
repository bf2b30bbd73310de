/** Manages the threads in which a load parses its files; both ends of them. A thread opens no file and no environment. */
import { type CallHandlers, ResultWithMemory } from '../../threads/calls.ts';
import { idlest, TaskThread } from '../../threads/tasks.ts';
import { loaderLimits } from '../limits.ts';
import { FileRefusal, type PieceStart } from '../parse/file-reader.ts';
import { readPieces } from '../parse/recognise.ts';
import { RecordReport } from '../parse/record/report.ts';
import { createPieceSink, memoryOf, type ParsedPiece } from './parsed-piece.ts';

/** The tasks of a reading thread. */
export interface ReadingTasks {
  /** Pieces from here on are of a file that begins so. */
  begin(start: PieceStart): void;
  parse(piece: Uint8Array<ArrayBuffer>): PieceAnswer;
}

/** A returned piece and its content. */
export interface PieceAnswer {
  readonly piece: Uint8Array<ArrayBuffer>;
  /**
   * Null if the loader's own thread must parse it: it does not end with a record, or the file must be refused because
   * of it.
   */
  readonly parsed: ParsedPiece | null;
}

const threadUrl = new URL('../../../workers/parse.ts', import.meta.url).href;

export type ReadingThreads = ReturnType<typeof startReadingThreads>;

/** Threads that start with the first file that is large enough for them. @param count at least 1 */
export function startReadingThreads(count: number) {
  let threads: readonly ReturnType<typeof startThread>[] | null = null;
  const started = () => {
    threads ??= Array.from({ length: count }, startThread);
    return threads;
  };
  return {
    /** The most pieces that may be parsed at once. */
    piecesMax: count * loaderLimits.piecesPerThread,
    /** The most bytes of a piece. */
    pieceBytes: loaderLimits.pieceBytes,
    /** The following pieces are from a file that begins so. */
    begin(start: PieceStart): void {
      for (const thread of started()) thread.tell('begin', [start]);
    },
    /** Sends a piece to be parsed; it belongs to the threads until it comes back. */
    parse: (piece: Uint8Array<ArrayBuffer>) => idlest(started()).do('parse', [piece], [piece.buffer]),
    /** Terminates the threads. */
    end(): void {
      for (const thread of threads ?? []) thread.terminate();
    },
  };
}

function startThread() {
  return new TaskThread<ReadingTasks>(new Worker(threadUrl), 'A reading thread', {});
}

/** Runs in the thread. */
export function readingTasks(): CallHandlers<ReadingTasks> {
  let parse: ((piece: Uint8Array) => ParsedPiece | null) | null = null;
  return {
    begin(start) {
      parse = pieceParser(start);
    },
    parse(piece) {
      if (parse === null) throw new Error('A piece came before the beginning of its file.');
      const parsed = parse(piece);
      return new ResultWithMemory({ piece, parsed }, [
        piece.buffer,
        ...(parsed === null ? [] : memoryOf(parsed)),
      ]);
    },
  };
}

/** The loader's own thread parses again what must be refused: it knows the place in the file. */
function pieceParser(start: PieceStart): (piece: Uint8Array) => ParsedPiece | null {
  const sink = createPieceSink();
  const read = readPieces(start, new RecordReport(sink, start.format === 'csv' ? 'line' : 'record'));
  return (piece) => {
    let places: number | null = null;
    try {
      places = read(piece);
    } catch (error) {
      if (!(error instanceof FileRefusal)) throw error;
    }
    const parsed = sink.taken(places ?? 0);
    return places === null ? null : parsed;
  };
}
