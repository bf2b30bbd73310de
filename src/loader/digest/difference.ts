/** Compares the files of a publication with the digests in its manifest. */
import { existsSync } from 'node:fs';
import { digestFile } from '../../publication/files.ts';
import type { Layout } from '../../publication/layout.ts';
import type { Manifest } from '../../publication/manifest.ts';
import { filesIn, loadedFilesIn, type NamedFile } from '../../publication/manifest-facts.ts';
import { type SegmentDigests, sealedDigest } from '../../publication/segment-digests.ts';
import { digestFiles, fileToDigest } from './digest-files.ts';

/** A sentence if the bytes of a file differ from the sealed ones; null if all are the same. */
export function publicationDifference(layout: Layout, manifest: Manifest): Promise<string | null> {
  return firstDifference(pathsOf(layout, manifest, filesIn(manifest)));
}

/** The same for the files that a load reads. */
export function loadedDifference(layout: Layout, manifest: Manifest): Promise<string | null> {
  return firstDifference(loadedFiles(layout, manifest));
}

/** The files that a load reads. */
export function loadedFiles(layout: Layout, manifest: Manifest): readonly SealedPath[] {
  return pathsOf(layout, manifest, loadedFilesIn(manifest));
}

/** A file of a sealed publication. */
export interface SealedPath extends NamedFile {
  readonly path: string;
}

function pathsOf(layout: Layout, { id }: Manifest, files: readonly NamedFile[]): SealedPath[] {
  return files.map((file) => ({ ...file, path: layout.fileOf(id, file.name) }));
}

async function firstDifference(files: readonly SealedPath[]): Promise<string | null> {
  const missing = files.find(({ path }) => !existsSync(path));
  if (missing !== undefined) return `${missing.path} is missing.`;
  const digested = files.map((file) => (isWhole(file) ? null : fileToDigest(file.path)));
  await digestFiles(digested.filter((file) => file !== null));
  for (const [i, file] of files.entries()) {
    const difference = await differenceOf(file, digested[i]?.digests ?? null);
    if (difference !== null) return difference;
  }
  return null;
}

/** True for a file that an older version sealed: its digest is of the whole file. */
function isWhole({ sealed }: SealedPath): boolean {
  return sealed.segmentBytes === undefined;
}

/**
 * A sentence if a file differs from the sealed one. @param digests of its segments; needed unless its digest is of the
 * whole file
 */
export async function differenceOf(file: SealedPath, digests: SegmentDigests | null): Promise<string | null> {
  const { path, sealed } = file;
  const found = digests === null || isWhole(file) ? await digestFile(path) : sealedDigest(digests);
  return found === sealed.sha256
    ? null
    : `${path} has SHA-256 ${found}, not the ${sealed.sha256} it was sealed with.`;
}
