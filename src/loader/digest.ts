/** SHA-256 digests of a publication's files, compared with those in its manifest. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import type { Layout } from '../publication/layout.ts';
import type { Manifest } from '../publication/manifest.ts';

/** SHA-256 of a file of any size, in hexadecimal. */
export async function digestFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk);
  return hash.digest('hex');
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
  return digestDifference(path, companies);
}

/** The same for environment and company file. */
export async function publicationDifference(layout: Layout, manifest: Manifest): Promise<string | null> {
  const difference = await environmentDifference(layout, manifest);
  if (difference !== null || manifest.companies === undefined) return difference;
  return companiesDifference(layout, manifest);
}

async function digestDifference(path: string, { sha256 }: Manifest['environment']): Promise<string | null> {
  const found = await digestFile(path);
  return found === sha256 ? null : `${path} has SHA-256 ${found}, not the ${sha256} it was sealed with.`;
}
