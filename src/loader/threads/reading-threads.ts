/** Manages the threads in which a load parses its files, as the loader's own thread sees them. */
import { answeringThread, idlest } from '../../answering-thread.ts';
import { loaderLimits } from '../limits.ts';
import type { PieceStart } from '../parse/chunk-reader.ts';
import type { ParseTask, PieceAnswer } from './parse-thread.ts';

export interface ReadingThreads {
  /** The most pieces that may be parsed at once. */
  readonly piecesMax: number;
  /** The most bytes of a piece. */
  readonly pieceBytes: number;
  /** The following pieces are from a file that begins so. */
  begin(start: PieceStart): void;
  /** Sends a piece to be parsed; it belongs to the threads until it comes back. */
  parse(piece: Uint8Array<ArrayBuffer>): Promise<PieceAnswer>;
  /** Terminates the threads. */
  end(): void;
}

const threadUrl = new URL('../../../workers/parse.ts', import.meta.url).href;

/** Threads that start with the first file that is large enough for them. @param count at least 1 */
export function startReadingThreads(count: number): ReadingThreads {
  let threads: readonly ReturnType<typeof startThread>[] | null = null;
  const started = () => {
    threads ??= Array.from({ length: count }, startThread);
    return threads;
  };
  return {
    piecesMax: count * loaderLimits.piecesPerThread,
    pieceBytes: loaderLimits.pieceBytes,
    begin(start) {
      for (const thread of started()) thread.tell({ task: 'begin', start });
    },
    parse: (piece) => idlest(started()).ask({ task: 'parse', piece }, [piece.buffer]),
    end() {
      for (const thread of threads ?? []) thread.terminate();
    },
  };
}

function startThread() {
  return answeringThread<ParseTask, PieceAnswer>(new Worker(threadUrl), 'A reading thread');
}
