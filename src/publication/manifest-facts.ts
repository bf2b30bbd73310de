/** Facts about manifests. They stand apart from the schema, because threads and commands need no schemas. */
import { companiesFile, environmentFile, type sealedFiles, searchFile } from './layout.ts';
import type { Manifest, SealedFile } from './manifest.ts';

/**
 * The version of a publication. Those of a newer format are refused; loads read those of earlier ones: format 1, whose times
 * have no days as written, formats 1 and 2, which have companies in tables of the environment, format 3, whose times are
 * texts, and formats up to 4, which have the rows of the search index in the environment.
 */
export const formatVersion = 5;

/** Whether a publication has its companies only in the company file. */
function isOfOneCopy({ formatVersion }: Pick<Manifest, 'formatVersion'>): boolean {
  return formatVersion >= 3;
}

/** The files that a load reads: a publication of an earlier version has its companies in the environment too. */
export function loadedFilesIn(manifest: Manifest): readonly NamedFile[] {
  return filesIn(manifest).filter(({ name }) => name !== companiesFile || isOfOneCopy(manifest));
}

/** Size of a publication on disk. */
export function bytesOf(manifest: Manifest): number {
  return filesIn(manifest).reduce((sum, { sealed }) => sum + sealed.bytes, 0);
}

/** A file of a publication, by its name in the folder, as it was sealed. */
export interface NamedFile {
  readonly name: (typeof sealedFiles)[number];
  readonly sealed: SealedFile;
}

/** All files of a publication but the manifest: those of earlier versions have fewer. */
export function filesIn({ environment, companies, search }: Manifest): readonly NamedFile[] {
  return [
    { name: environmentFile, sealed: environment },
    ...(companies === undefined ? [] : [{ name: companiesFile, sealed: companies } as const]),
    ...(search === undefined ? [] : [{ name: searchFile, sealed: search } as const]),
  ];
}
