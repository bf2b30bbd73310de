/**
 * Writes the files of a data set in threads. All of them make the text of a large file in parts, and the calling thread
 * compresses the parts in order, so that the bytes are the same with any number of threads. One thread writes a small
 * file.
 */
import {
  type AnsweringThread,
  answeringThread,
  answersInOrder,
  idlest,
} from '../../threads/answering-thread.ts';
import type { Plan } from '../plans.ts';
import {
  type Chunk,
  type GeneratedFile,
  type GenerateOptions,
  type Progress,
  writePlan,
} from '../write-plan.ts';
import type { RowsWritten, WriteTask, Written } from './writing-thread.ts';

const threadUrl = new URL('../../../workers/generate.ts', import.meta.url).href;

/**
 * @param count of threads
 * @returns the files in the order of the plans
 * @throws the system's error if a file can't be written, after all other files have ended
 */
export async function writeInThreads(
  plans: readonly Plan[],
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
      ? writtenBy(threads, { options, plan: place, part: null })
      : writePlan(plan, partsFrom(threads, plan, { options, plan: place }), options, progress),
  );
  try {
    return await Promise.all(files);
  } finally {
    end();
    // A file that is still being written would reappear after its folder is removed.
    await Promise.allSettled(files);
  }
}

type Writer = AnsweringThread<WriteTask, Written>;

async function writtenBy(threads: readonly Writer[], task: WriteTask): Promise<GeneratedFile> {
  const written = await idlest(threads).ask(task);
  if (written.is !== 'file') throw new Error('A part came where a file is due.');
  return written.file;
}

async function* partsFrom(
  threads: readonly Writer[],
  { parts }: Plan,
  file: Pick<WriteTask, 'options' | 'plan'>,
): AsyncGenerator<Chunk> {
  const tasks = Array.from({ length: parts }, (_, part) => ({ ...file, part }));
  for await (const written of answersInOrder(threads, tasks)) {
    if (written.is !== 'part') throw new Error('A file came where a part is due.');
    yield* written.chunks;
  }
}

function startWriter(progress: Progress): Writer {
  const hear = ({ file, rows }: RowsWritten) => progress(file, rows);
  return answeringThread(new Worker(threadUrl), 'A writing thread', hear);
}
