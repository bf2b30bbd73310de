/** Writes the files of a data set in threads, several at a time: each file in one thread, so its bytes are the same. */
import { answeringThread } from '../../answering-thread.ts';
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
  const writers = Array.from({ length: Math.min(threads, plans) }, () => startWriter(progress));
  const files: GeneratedFile[] = [];
  let next = 0;
  const writeSome = async (writer: Writer) => {
    while (next < plans) {
      const plan = next++;
      files[plan] = await writer.ask({ options, plan });
    }
  };
  try {
    await Promise.all(writers.map(writeSome));
    return files;
  } finally {
    for (const writer of writers) writer.terminate();
  }
}

type Writer = ReturnType<typeof startWriter>;

function startWriter(progress: Progress) {
  return answeringThread<WriteTask, WriteNews, GeneratedFile>(
    new Worker(threadUrl),
    'A writing thread',
    (news) => {
      if (news.news === 'written') return { answer: news.file };
      if (news.news === 'failed')
        return { failure: Object.assign(new Error(news.message), { code: news.code }) };
      progress(news.file, news.rows);
      return null;
    },
  );
}
