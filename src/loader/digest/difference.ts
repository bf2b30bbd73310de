/** SHA-256 digests of a publication's files, compared with those in its manifest. */
import { existsSync } from 'node:fs';
import { digestFile } from '../../publication/digest-file.ts';
import type { Layout } from '../../publication/layout.ts';
import type { Manifest } from '../../publication/manifest.ts';
import { digestBeside } from './beside.ts';

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
