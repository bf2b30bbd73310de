/** Runs the threads that match rows, one for each core; each batch goes to the thread with the fewest batches. */
import { answeringThread, idlest } from '../answering-thread.ts';
import type { KnownOfCompany } from '../protocol/ext-questions.ts';
import type { MatchedRow, MatchTask } from './match-thread.ts';

export interface MatchPool {
  /** The answers in the order of the questions. Rejects if the thread failed. */
  match(questions: readonly KnownOfCompany[]): Promise<readonly MatchedRow[]>;
  /** Ends the threads once they have closed the publication. */
  close(): Promise<void>;
}

const workerUrl = new URL('../../workers/match.ts', import.meta.url).href;

/** @param folder of the publication that the threads open */
export function matchPool(folder: string, id: string, threads: number): MatchPool {
  const all = Array.from({ length: threads }, () => startThread(folder, id));
  return {
    match: (questions) => idlest(all).ask({ task: 'match', questions }),
    async close() {
      for (const thread of all) thread.tell({ task: 'end' });
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}

function startThread(folder: string, id: string) {
  // `argv` is Bun's own option, which the DOM type of a worker lacks.
  const options: WorkerOptions & { argv: string[] } = { argv: [folder, id] };
  const worker = new Worker(workerUrl, options);
  return answeringThread<MatchTask, readonly MatchedRow[]>(worker, 'A thread that matches rows');
}
