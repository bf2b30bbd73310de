/** The threads that match rows, one for each core; each batch goes to the thread with the fewest of them. */
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
  readonly waiting: Waiting[];
  post(task: MatchTask): void;
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
        free?.waiting.push({ resolve, reject });
        free?.post({ task: 'match', questions });
      }),
    async close() {
      for (const thread of all) thread.post({ task: 'end' });
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}

function startThread(folder: string, id: string): Thread {
  // `argv` is Bun's own option, which the DOM type of a worker lacks.
  const options: WorkerOptions & { argv: string[] } = { argv: [folder, id] };
  const worker = new Worker(workerUrl, options);
  const waiting: Waiting[] = [];
  const fail = (message: string) => {
    for (const { reject } of waiting.splice(0)) reject(new Error(message));
  };
  worker.onmessage = ({ data }: MessageEvent<MatchNews>) => {
    if (data.news === 'matched') waiting.shift()?.resolve(data.rows);
    else fail(data.message);
  };
  worker.onerror = ({ message }) => fail(message);
  const ended = new Promise<void>((resolve) => {
    worker.addEventListener('close', () => {
      fail('A thread that matches rows has ended.');
      resolve();
    });
  });
  return { waiting, ended, post: (task) => worker.postMessage(task) };
}
