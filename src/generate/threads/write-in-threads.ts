/**
 * Writes the files of a data set in threads. All of them make the text of a large file in parts, and the calling thread
 * compresses the parts in order, so that the bytes are the same with any number of threads. One thread writes a small
 * file.
 */
import { idlest, resultsInOrder, TaskThread } from '../../threads/tasks.ts';
import type { FilePlan } from '../plans.ts';
import {
  type Chunk,
  type GeneratedFile,
  type GenerateOptions,
  type Progress,
  writePlan,
} from '../write-plan.ts';
import type { WritingNews, WritingTasks } from './writing-thread.ts';

const threadUrl = new URL('../../../workers/generate.ts', import.meta.url).href;

/**
 * @param count of threads
 * @returns the files in the order of the plans
 * @throws the system's error if a file can't be written, after all other files have ended
 */
export async function writeInThreads(
  plans: readonly FilePlan[],
  count: number,
  options: GenerateOptions,
  progress: Progress,
): Promise<GeneratedFile[]> {
  const threads = Array.from({ length: count }, () => startWriter(progress));
  const end = () => {
    for (const thread of threads) thread.terminate();
  };
  const files = plans.map((plan, place) =>
    plan.parts === 1
      ? idlest(threads).do('writeFile', [options, place])
      : writePlan(plan, partsFrom(threads, plan, place, options), options, progress),
  );
  try {
    return await Promise.all(files);
  } finally {
    end();
    // A file that is still being written would reappear after its folder is removed.
    await Promise.allSettled(files);
  }
}

type WriterThread = TaskThread<WritingTasks, WritingNews>;

async function* partsFrom(
  threads: readonly WriterThread[],
  { parts }: FilePlan,
  place: number,
  options: GenerateOptions,
): AsyncGenerator<Chunk> {
  const numbers = Array.from({ length: parts }, (_, part) => part);
  const made = resultsInOrder(threads, numbers, (thread, part) =>
    thread.do('makePart', [options, place, part]),
  );
  for await (const chunks of made) yield* chunks;
}

function startWriter(progress: Progress): WriterThread {
  return new TaskThread(new Worker(threadUrl), 'A writing thread', { rows: progress });
}
