/** The threads in which a load parses its files, as the loader's own thread sees them. */
import { loaderLimits } from '../limits.ts';
import type { ParseNews, ParseTask } from './parse-thread.ts';
import type { ParsedPiece } from './parsed-piece.ts';

/** A piece that came back, and what it holds; null where it must be read by the loader's own thread. */
export interface ReadPiece {
  readonly piece: Uint8Array<ArrayBuffer>;
  readonly parsed: ParsedPiece | null;
}

export interface ReadingThreads {
  /** Pieces that may be under way at once. */
  readonly piecesMax: number;
  /** Bytes of a piece, at most. */
  readonly pieceBytes: number;
  /** Pieces from here on are of a file with these columns. */
  begin(header: readonly string[]): void;
  /** Has a piece parsed, which is the threads' until it comes back. */
  parse(piece: Uint8Array<ArrayBuffer>): Promise<ReadPiece>;
  /** Ends the threads at once. */
  end(): void;
}

const threadUrl = new URL('../../../workers/parse.ts', import.meta.url).href;

/** Threads that start with the first file that is large enough for them. @param count at least 1 */
export function startReadingThreads(count: number): ReadingThreads {
  let threads: readonly ReadingThread[] | null = null;
  const started = () => {
    threads ??= Array.from({ length: count }, startThread);
    return threads;
  };
  return {
    piecesMax: count * loaderLimits.piecesPerThread,
    pieceBytes: loaderLimits.pieceBytes,
    begin(header) {
      for (const thread of started()) thread.begin(header);
    },
    parse(piece) {
      const idlest = started().reduce((best, thread) => (thread.waiting < best.waiting ? thread : best));
      return idlest.parse(piece);
    },
    end() {
      for (const thread of threads ?? []) thread.end();
    },
  };
}

type ReadingThread = ReturnType<typeof startThread>;

function startThread() {
  const worker = new Worker(threadUrl);
  const asked: PromiseWithResolvers<ReadPiece>[] = [];
  let failure: Error | null = null;
  const fail = (message: string) => {
    failure = new Error(message);
    for (const { reject } of asked.splice(0)) reject(failure);
  };
  worker.onmessage = ({ data: news }: MessageEvent<ParseNews>) => {
    if (news.news === 'failed') fail(news.message);
    else asked.shift()?.resolve(news);
  };
  worker.onerror = ({ message }) => fail(`A reading thread ended: ${message}`);
  const post = (task: ParseTask, transfer: ArrayBuffer[] = []) => worker.postMessage(task, transfer);
  return {
    get waiting() {
      return asked.length;
    },
    begin: (header: readonly string[]) => post({ task: 'begin', header }),
    parse(piece: Uint8Array<ArrayBuffer>): Promise<ReadPiece> {
      if (failure !== null) return Promise.reject(failure);
      const answer = Promise.withResolvers<ReadPiece>();
      asked.push(answer);
      post({ task: 'parse', piece }, [piece.buffer]);
      return answer.promise;
    },
    end() {
      worker.onmessage = null;
      worker.terminate();
    },
  };
}
