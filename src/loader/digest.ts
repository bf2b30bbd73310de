/** SHA-256 digests of a publication's files, compared with those in its manifest. */
import { existsSync, statSync } from 'node:fs';
import { digestFile } from '../publication/digest-file.ts';
import type { Layout } from '../publication/layout.ts';
import type { Manifest } from '../publication/manifest.ts';

/** From so many bytes on, a second file is digested in a thread of its own: starting one costs as much as 40 MB. */
const threadBytesMin = 256 * 2 ** 20;

const threadUrl = new URL('../../workers/digest.ts', import.meta.url).href;

/** The same as {@link digestFile}, of a large file in a thread of its own, beside whatever this thread does. */
export function digestBeside(path: string): Promise<string> {
  if (statSync(path).size < threadBytesMin) return digestFile(path);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const worker = new Worker(threadUrl);
  worker.onmessage = ({ data }: MessageEvent<string>) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(`${path} could not be digested: ${message}`));
  worker.postMessage(path);
  return promise.finally(() => worker.terminate());
}

/** A sentence where the environment's bytes differ from the sealed ones; null where they are the same. */
export function environmentDifference(layout: Layout, { id, environment }: Manifest): Promise<string | null> {
  return digestDifference(layout.environment(id), environment);
}

/** The same for the company file; a sentence also where an older version made none. */
export async function companiesDifference(
  layout: Layout,
  { id, companies }: Manifest,
): Promise<string | null> {
  const path = layout.companies(id);
  if (companies === undefined || !existsSync(path)) return `${path} is missing.`;
  return digestDifference(path, companies, digestBeside);
}

/** The same for environment and company file. */
export async function publicationDifference(layout: Layout, manifest: Manifest): Promise<string | null> {
  const [environment, companies] = await Promise.all([
    environmentDifference(layout, manifest),
    manifest.companies === undefined ? null : companiesDifference(layout, manifest),
  ]);
  return environment ?? companies;
}

async function digestDifference(
  path: string,
  { sha256 }: Manifest['environment'],
  digest = digestFile,
): Promise<string | null> {
  const found = await digest(path);
  return found === sha256 ? null : `${path} has SHA-256 ${found}, not the ${sha256} it was sealed with.`;
}
