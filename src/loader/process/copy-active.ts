/**
 * Copies the active publication for a load that changes it, and checks it while copying: no page of the copy is read
 * before all its bytes are known to be the sealed ones.
 */
import { closeSync, constants, copyFileSync, fsync, mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '../../errors.ts';
import type { Layout } from '../../publication/layout.ts';
import type { Manifest } from '../../publication/manifest.ts';
import type { SegmentDigests } from '../../publication/segment-digests.ts';
import { differenceOf, loadedFiles, type SealedPath } from '../digest/difference.ts';
import { digestFiles, type FileToDigest, fileToDigest } from '../digest/digest-files.ts';

export interface ActiveCopy {
  readonly folder: string;
  /**
   * Of the files that were copied, by their names: a publication of an earlier version has the companies and the rows of its
   * search index in tables.
   */
  readonly digests: ReadonlyMap<string, SegmentDigests>;
  /**
   * Settles once the disk has all bytes of a large copy, which are flushed during the rest of the load; rejects if that
   * fails.
   */
  readonly written: Promise<unknown>;
}

/** No publication has this id. */
const nameOfCopy = 'copy';

/** @returns the copy, or a sentence that says what is damaged */
export async function copyActive(layout: Layout, manifest: Manifest): Promise<ActiveCopy | string> {
  const folder = layout.staged(nameOfCopy);
  mkdirSync(folder, { recursive: true });
  const copies = loadedFiles(layout, manifest).map((file) => ({
    file,
    copy: copyOf(file, join(folder, file.name)),
  }));
  await digestFiles(copies.map(({ copy }) => copy));
  for (const { file, copy } of copies) {
    const damage = await differenceOf(file, copy.digests);
    if (damage !== null) return damage;
  }
  const written = Promise.all(copies.map(({ file }) => flushed(join(folder, file.name))));
  // Reported when the load awaits it; if the load fails before that, it has another reason.
  written.catch(() => undefined);
  const digests = new Map(copies.map(({ file, copy }) => [file.name, copy.digests]));
  return { folder, digests, written };
}

const flush = promisify(fsync);

/**
 * A smaller file is flushed when the publication is sealed: each flush also waits for what others write to the disk.
 */
const flushedEarlyBytesMin = 64 * 2 ** 20;

/** Opens the file before it returns: the load renames the copy's folder meanwhile. */
async function flushed(path: string): Promise<void> {
  if (statSync(path).size < flushedEarlyBytesMin) return;
  const file = openSync(path, 'r+');
  await flush(file).finally(() => closeSync(file));
}

/** A reflink takes no space and no time. Without one the file is copied while it is read for its digest. */
function copyOf({ path }: SealedPath, to: string): FileToDigest {
  try {
    copyFileSync(path, to, constants.COPYFILE_FICLONE_FORCE);
    return fileToDigest(to);
  } catch (error) {
    if (!withoutReflinks.has(errorCode(error))) throw error;
    return fileToDigest(path, { copyTo: to });
  }
}

/** The errors of systems without reflinks, or without them between these two paths. */
const withoutReflinks = new Set(['ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EINVAL', 'ENOTTY']);
