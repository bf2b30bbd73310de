/** Writes the files of a data set in threads, several at a time: each file in one thread, so its bytes are the same. */
import type { GeneratedFile, GenerateOptions, Progress } from '../write-plan.ts';
import type { WriteNews, WriteTask } from './writing-thread.ts';

const threadUrl = new URL('../../../workers/generate.ts', import.meta.url).href;

/**
 * @param plans number of files
 * @param threads at most
 * @returns the files in the order of the plans
 * @throws the system's error where a file can't be written, after the other threads have ended
 */
export async function writeInThreads(
  plans: number,
  threads: number,
  options: GenerateOptions,
  progress: Progress,
): Promise<GeneratedFile[]> {
  const workers = Array.from({ length: Math.min(threads, plans) }, () => new Worker(threadUrl));
  const files: GeneratedFile[] = [];
  let next = 0;
  const writeSome = async (worker: Worker) => {
    while (next < plans) {
      const plan = next++;
      files[plan] = await write(worker, { options, plan }, progress);
    }
  };
  try {
    await Promise.all(workers.map(writeSome));
    return files;
  } finally {
    for (const worker of workers) worker.terminate();
  }
}

function write(worker: Worker, task: WriteTask, progress: Progress): Promise<GeneratedFile> {
  const { promise, resolve, reject } = Promise.withResolvers<GeneratedFile>();
  worker.onmessage = ({ data: news }: MessageEvent<WriteNews>) => {
    if (news.news === 'progress') progress(news.file, news.rows);
    else if (news.news === 'written') resolve(news.file);
    else reject(Object.assign(new Error(news.message), { code: news.code }));
  };
  worker.onerror = ({ message }) => reject(new Error(`A writing thread ended: ${message}`));
  worker.postMessage(task);
  return promise;
}
