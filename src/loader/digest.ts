/** Digests of files, by which a publication's environment is known to be as it was sealed. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Layout } from '../publication/layout.ts';
import type { Manifest } from '../publication/manifest.ts';

/** SHA-256 of a file of any size, in hexadecimal. */
export async function digestFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk);
  return hash.digest('hex');
}

/** Says where the bytes of a publication's environment are not those it was sealed with; null where they are. */
export async function digestDifference(
  layout: Layout,
  { id, environment }: Manifest,
): Promise<string | null> {
  const path = layout.environment(id);
  const found = await digestFile(path);
  if (found === environment.sha256) return null;
  return `${path} has SHA-256 ${found}, not the ${environment.sha256} it was sealed with.`;
}
