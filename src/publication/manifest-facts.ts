/** Facts about manifests. They stand apart from the schema, because threads and commands need no schemas. */
import type { Manifest } from './manifest.ts';

/**
 * The version of a publication. Those of a newer format are refused; loads read those of earlier ones: format 1, whose times
 * have no days as written, formats 1 and 2, which have companies in tables of the environment, and format 3, whose times are
 * texts.
 */
export const formatVersion = 4;

/** Whether a publication has its companies only in the company file. */
export function isOfOneCopy({ formatVersion }: Pick<Manifest, 'formatVersion'>): boolean {
  return formatVersion >= 3;
}

/** Size of a publication on disk. */
export function bytesOf({ environment, companies }: Manifest): number {
  return environment.bytes + (companies?.bytes ?? 0);
}
