/** SHA-256 digests of a publication's files, compared with those in its manifest. */
import { digestFile } from '../publication/digest-file.ts';
import type { Layout } from '../publication/layout.ts';
import type { Manifest } from '../publication/manifest.ts';

/** A sentence where the environment's bytes differ from the sealed ones; null where they are the same. */
export function environmentDifference(layout: Layout, { id, environment }: Manifest): Promise<string | null> {
  return digestDifference(layout.environment(id), environment);
}

/** The same for environment and company file. */
export async function publicationDifference(layout: Layout, manifest: Manifest): Promise<string | null> {
  const { id, companies } = manifest;
  const difference = await environmentDifference(layout, manifest);
  if (difference !== null || companies === undefined) return difference;
  return digestDifference(layout.companies(id), companies);
}

async function digestDifference(path: string, { sha256 }: Manifest['environment']): Promise<string | null> {
  const found = await digestFile(path);
  return found === sha256 ? null : `${path} has SHA-256 ${found}, not the ${sha256} it was sealed with.`;
}
