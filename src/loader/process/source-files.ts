/** Lists the files that rows of a publication come from: those of its base, as far as it keeps them, and its own. */
import type { Manifest, SourceFile, SourceKind } from '../../publication/manifest.ts';
import { deltaKinds } from './delta-window.ts';

/**
 * Files of one kind that a manifest lists. Deltas every eight hours reach it after a month; then the oldest delta is
 * left out, never the full set's file. This keeps the body of the status, which is not counted, small
 * (bodyLimits.weighedBytes).
 */
export const filesOfKindMax = 100;

/**
 * @param copied the publication that this one is a copy of; null for none
 * @param id of this publication
 * @param read the files of this load
 */
export function sourceFiles(
  copied: Pick<Manifest, 'id' | 'files'> | null,
  id: string,
  read: readonly SourceFile[],
): SourceFile[] {
  const own = read.map((file) => ({ ...file, publication: id }));
  if (copied === null) return own;
  const isReplaced = (kind: SourceKind) => !deltaKinds.has(kind) && read.some((file) => file.kind === kind);
  const kept = copied.files.filter(({ kind }) => !isReplaced(kind));
  return withoutOldest([...kept.map((file) => ({ publication: copied.id, ...file })), ...own]);
}

function withoutOldest(files: SourceFile[]): SourceFile[] {
  const byKind = Object.values(Object.groupBy(files, ({ kind }) => kind));
  const surplus = new Set(byKind.flatMap((ofKind) => ofKind.slice(1, 1 - filesOfKindMax)));
  return files.filter((file) => !surplus.has(file));
}
