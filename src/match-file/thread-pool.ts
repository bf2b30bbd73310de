/** The threads that match rows, one for each core; each batch goes to the thread with the fewest of them. */
import { ExpectedFailure } from '../errors.ts';
import type { KnownOfCompany } from '../protocol/ext-questions.ts';
import type { MatchedRow, MatchNews, MatchTask } from './match-thread.ts';

export interface MatchPool {
  /** The answers in the order of the questions. Rejects where the thread failed. */
  match(questions: readonly KnownOfCompany[]): Promise<readonly MatchedRow[]>;
  /** Ends the threads once they have closed the publication. */
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (rows: readonly MatchedRow[]) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly waiting: readonly Waiting[];
  ask(questions: readonly KnownOfCompany[], waiting: Waiting): void;
  end(): void;
  readonly ended: Promise<void>;
}

const workerUrl = new URL('../../workers/match.ts', import.meta.url).href;

/** @param folder of the publication that the threads open */
export function matchPool(folder: string, id: string, threads: number): MatchPool {
  const all = Array.from({ length: threads }, () => startThread(folder, id));
  return {
    match: (questions) =>
      new Promise((resolve, reject) => {
        const [free] = [...all].sort((a, b) => a.waiting.length - b.waiting.length);
        free?.ask(questions, { resolve, reject });
      }),
    async close() {
      for (const thread of all) thread.end();
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}

function startThread(folder: string, id: string): Thread {
  // `argv` is Bun's own option, which the DOM type of a worker lacks.
  const options: WorkerOptions & { argv: string[] } = { argv: [folder, id] };
  const worker = new Worker(workerUrl, options);
  const waiting: Waiting[] = [];
  let failure: Error | null = null;
  const fail = (error: Error) => {
    failure ??= error;
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  worker.onmessage = ({ data }: MessageEvent<MatchNews>) => {
    if (data.news === 'matched') waiting.shift()?.resolve(data.rows);
    else fail(data.code === null ? new Error(data.message) : new ExpectedFailure(data.code, data.message));
  };
  worker.onerror = ({ message }) => fail(new Error(message));
  const ended = new Promise<void>((resolve) => {
    worker.addEventListener('close', () => {
      fail(new Error('A thread that matches rows has ended.'));
      resolve();
    });
  });
  const post = (task: MatchTask) => worker.postMessage(task);
  return {
    waiting,
    ended,
    ask(questions, asker) {
      if (failure !== null) return asker.reject(failure);
      waiting.push(asker);
      post({ task: 'match', questions });
    },
    end: () => post({ task: 'end' }),
  };
}
