/** Digests a large file in a thread of its own, beside whatever this thread does. */
import { statSync } from 'node:fs';
import { digestFile } from '../../publication/digest-file.ts';

/** From so many bytes on, a second file is digested in a thread of its own: starting one costs as much as 40 MB. */
const threadBytesMin = 256 * 2 ** 20;

const threadUrl = new URL('../../../workers/digest.ts', import.meta.url).href;

/** SHA-256 in hexadecimal, as {@link digestFile} makes it. */
export function digestBeside(path: string): Promise<string> {
  if (statSync(path).size < threadBytesMin) return digestFile(path);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const worker = new Worker(threadUrl);
  worker.onmessage = ({ data }: MessageEvent<string>) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(`${path} could not be digested: ${message}`));
  worker.postMessage(path);
  return promise.finally(() => worker.terminate());
}
