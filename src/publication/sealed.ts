/** Lists the sealed publications of a data folder, and checks a manifest. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { clauseOf, isMissing } from '../errors.ts';
import { removeEntry } from './entries.ts';
import { fileInTheWay } from './files.ts';
import { damageFile, isPublicationId, type Layout, manifestFile } from './layout.ts';
import { isManifest } from './manifest.check.js';
import type { Manifest } from './manifest.ts';
import { filesIn, formatVersion, loadedFilesIn } from './manifest-facts.ts';
import { parsedOrNull } from './parsed-or-null.ts';

/** A sealed publication's manifest, or why it can't be served. */
export type ManifestReading =
  | { readonly outcome: 'sound'; readonly manifest: Manifest }
  | { readonly outcome: 'missing' | 'damaged' | 'newer-format'; readonly message: string };

/** Ids of the sealed publications, newest source time first; of the same source time, the one sealed last first. */
export function sealedIds(layout: Layout): readonly string[] {
  let ids: string[];
  try {
    ids = readdirSync(layout.publications).filter(isPublicationId);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
  const age = ids.map((id) => ({
    id,
    sourceTime: id.slice(0, id.indexOf('-')),
    sealed: sealedAt(layout, id),
  }));
  age.sort((a, b) => b.sourceTime.localeCompare(a.sourceTime) || b.sealed - a.sealed);
  return age.map(({ id }) => id);
}

/**
 * Time at which the manifest, the last file of a publication, was written. 0 if there is none or it can't be read: a
 * folder of another user must not hide the other publications. {@link readManifest} returns the reason.
 */
function sealedAt(layout: Layout, id: string): number {
  try {
    return statSync(layout.manifest(id)).mtimeMs;
  } catch {
    return 0;
  }
}

/** The files that a check covers: all, or only those that a load reads. */
type CheckedFiles = 'all' | 'loaded';

/** Reads a manifest and checks everything that needs no file to be opened: format, id, sizes, and damage found before. */
export function readManifest(layout: Layout, id: string, covered: CheckedFiles = 'all'): ManifestReading {
  const reading = readUnmarked(layout, id, covered);
  const damage = reading.outcome === 'sound' ? damageNoted(layout, id) : null;
  if (damage === null) return reading;
  return { outcome: 'damaged', message: `${damage} lei verify ${id} checks it again.` };
}

/** The damage that a service has noted, as sentences; null for none. */
function damageNoted(layout: Layout, id: string): string | null {
  try {
    return readFileSync(layout.damage(id), 'utf8').trim();
  } catch (error) {
    if (isMissing(error)) return null;
    return `${layout.damage(id)} can't be read: ${clauseOf(error)}.`;
  }
}

/**
 * Notes on the disk that a publication is damaged: nothing serves it or builds on it until {@link forgetDamage}.
 * @param damage sentences @throws if it can't be written
 */
export function noteDamage(layout: Layout, id: string, damage: string): void {
  // Never through a link to another place.
  writeFileSync(layout.damage(id), `${damage}\n`, { flag: 'wx' });
}

/** Call it for a publication whose every byte was found right. */
export async function forgetDamage(layout: Layout, id: string): Promise<void> {
  // Without a note there is nothing to write, so a read-only disk is no fault.
  if (damageNoted(layout, id) !== null) await removeEntry(layout.publication(id), damageFile);
}

/** As {@link readManifest}, for a check that finds out whether damage found before is still there. */
export function readUnmarked(layout: Layout, id: string, covered: CheckedFiles = 'all'): ManifestReading {
  if (!isPublicationId(id)) {
    const right = 'the id of a publication looks like 20261004T160000Z-3f9a1c2b';
    return { outcome: 'missing', message: `There is no sealed publication ${id}: ${right}.` };
  }
  let text: string;
  try {
    text = readFileSync(layout.manifest(id), 'utf8');
  } catch (error) {
    if (!isMissing(error)) return unreadable(layout.manifest(id), error);
    return {
      outcome: 'missing',
      message: `There is no sealed publication ${id}: ${layout.manifest(id)} is missing.`,
    };
  }
  const value = parsedOrNull(text);
  const newer = newerFormat(id, value);
  if (newer !== null) return { outcome: 'newer-format', message: newer };
  if (!isManifest(value) || value.id !== id) {
    return {
      outcome: 'damaged',
      message: `${layout.manifest(id)} is damaged: it is not the manifest of ${id}.`,
    };
  }
  return checkSizes(layout, value, covered);
}

/**
 * Checked first: a newer format may have a manifest of another shape.
 * @param value a parsed manifest
 * @returns a sentence; null if this version reads the format
 */
export function newerFormat(id: string, value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('formatVersion' in value)) return null;
  const version = value.formatVersion;
  if (typeof version !== 'number' || version <= formatVersion) return null;
  return `Publication ${id} has format ${version}, made by a newer version; this version reads up to ${formatVersion}. Update this program to use it.`;
}

function checkSizes(layout: Layout, manifest: Manifest, covered: CheckedFiles): ManifestReading {
  const { id } = manifest;
  const files = covered === 'all' ? filesIn(manifest) : loadedFilesIn(manifest);
  for (const { name, sealed } of files) {
    const unfit = unfitFile(id, layout.fileOf(id, name), sealed.bytes);
    if (unfit !== null) return unfit;
  }
  return { outcome: 'sound', manifest };
}

/** Why a sealed file is unusable; null if it has the size that it was sealed with. */
function unfitFile(id: string, path: string, bytes: number): ManifestReading | null {
  let size: number | undefined;
  try {
    size = statSync(path, { throwIfNoEntry: false })?.size;
  } catch (error) {
    return unreadable(path, error);
  }
  if (size === bytes) return null;
  const found = size === undefined ? 'is missing' : `has ${size} bytes, not the ${bytes} it was sealed with`;
  return { outcome: 'damaged', message: `Publication ${id} is damaged: ${path} ${found}.` };
}

/** For the system's errors: no permission, a failing disk, too many open files. */
function unreadable(path: string, error: unknown): ManifestReading {
  const message = fileInTheWay(error) ?? `${path} can't be read: ${clauseOf(error)}.`;
  return { outcome: 'damaged', message };
}

/** Deletes a publication's files, the manifest first: after a crash the rest does not count as sealed. */
export async function deletePublication(layout: Layout, id: string): Promise<void> {
  await removeEntry(layout.publications, id, manifestFile);
}
