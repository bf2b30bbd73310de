/** Finds in the data folder the publication that a command reads, and the build of a load. */

import { stagedNow } from '../loader/staging.ts';
import type { Layout } from '../publication/layout.ts';
import { isLockHeld } from '../publication/lock.ts';
import type { Manifest } from '../publication/manifest.ts';
import { readPointer } from '../publication/pointer.ts';
import { readManifest, readUnmarked, sealedIds } from '../publication/sealed.ts';
import { CommandFailure } from './frame.ts';
import { megabytes } from './result-texts.ts';

/** @returns the manifest of the named publication, or of the active one. @throws CommandFailure if it can't be read */
export function chosenPublication(layout: Layout, given: string | undefined): Manifest {
  return manifestOf(layout, chosenId(layout, given));
}

/** For commands that take no id. @throws CommandFailure if none is active, or its manifest can't be read */
export function activePublication(layout: Layout): Manifest {
  return manifestOf(layout, activeId(layout, 'Load'));
}

/**
 * @returns the given id, or that of the active publication. @throws CommandFailure if none is active, or the data folder
 * has no publication of that id
 */
export function chosenId(layout: Layout, given: string | undefined): string {
  const id = given ?? activeId(layout, 'Give the id of one, or load');
  const reading = readUnmarked(layout, id);
  if (reading.outcome !== 'missing') return id;
  throw new CommandFailure('no-publication', `${reading.message} ${tellSealed(layout)}`);
}

/** The most ids that a message lists. */
const listedMax = 10;

/** A sentence with the publications that an id may name, newest first. */
export function tellSealed(layout: Layout): string {
  const { dataDir } = layout;
  const ids = sealedIds(layout);
  if (ids.length === 0) return `${dataDir} has no publication; lei load or lei update builds one.`;
  const more = ids.length > listedMax ? `, and ${ids.length - listedMax} more (lei publications)` : '';
  return `${dataDir} has ${ids.slice(0, listedMax).join(', ')}${more}.`;
}

function activeId(layout: Layout, advice: string): string {
  const id = readPointer(layout)?.id;
  if (id !== undefined) return id;
  throw new CommandFailure(
    'no-publication',
    `No publication is active. ${advice} data with lei load or lei update.`,
  );
}

function manifestOf(layout: Layout, id: string): Manifest {
  const reading = readManifest(layout, id);
  if (reading.outcome === 'sound') return reading.manifest;
  throw new CommandFailure('no-publication', `Publication ${id} can't be read: ${reading.message}`);
}

/** A killed load leaves its build behind: gigabytes at full size. @returns a sentence; null if there is nothing */
export function tellStaged(layout: Layout): string | null {
  const { names, bytes } = stagedNow(layout);
  if (names.length === 0) return null;
  const what = `${names.join(', ')} (${megabytes(bytes)})`;
  if (isLockHeld(layout.loadLock)) return `A load is building ${what}.`;
  return `Unfinished: ${what}, left by a killed load. lei prune or the next load deletes it.`;
}
