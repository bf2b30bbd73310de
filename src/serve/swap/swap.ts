/**
 * The hot swap: from one publication to the next, under traffic.
 *
 * | after step                        | threads hold       | pointer   | answers come from | a failure or crash here leaves       |
 * |-----------------------------------|--------------------|-----------|-------------------|--------------------------------------|
 * | (before)                          | active, kept       | active    | active            | everything as it was                 |
 * | 1 found sealed: `prepare`           | active, kept       | active    | active            | everything as it was                 |
 * | 2 read into memory: `prepare`     | active, kept       | active    | active            | everything as it was                 |
 * | 3 samples read: `prepare`         | active, kept       | active    | active            | everything as it was                 |
 * | 4 opened in all threads: `prepare` | active, kept, next | active   | active            | next closed again; a restart serves active |
 * | 5 pointer moved: `swap`           | active, kept, next | next      | active            | a restart serves next: only forward now |
 * | 6 switched: `swap`                | next, active, kept | next      | next; old cursors from where they began | a restart serves next |
 * | 7 closed: `retire`                | next, kept         | next      | next              | a restart holds only what is kept    |
 * | 8 deleted: `retire`               | next, kept         | next      | next              | the next swap deletes what is left   |
 *
 * A thread that ends at any step is replaced by one that opens what the others hold, `next` included, before it is
 * asked. Swaps run one after the other.
 */
import { clauseOf } from '../../errors.ts';
import type { ServedPublications } from '../../front/serving.ts';
import type { Log } from '../../log/log.ts';
import { isFetched } from '../../publication/fetched.ts';
import type { Layout } from '../../publication/layout.ts';
import type { Manifest } from '../../publication/manifest.ts';
import {
  type Direction,
  movePointer,
  type Pointer,
  readablePointer,
  readPointer,
  retention,
} from '../../publication/pointer.ts';
import { deletePublication, readManifest, sealedIds } from '../../publication/sealed.ts';
import type { QueryThreads } from '../threads/query-pool.ts';
import type { BringIntoMemory } from './bring-into-memory.ts';
import type { InspectPublication } from './inspect-publication.ts';

export interface SwapParts {
  readonly layout: Layout;
  readonly threads: QueryThreads;
  readonly serving: ServedPublications;
  readonly inspect: InspectPublication;
  readonly bringIntoMemory: BringIntoMemory;
  readonly now: () => Date;
  /** How many publications are kept. */
  readonly keep: number;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

/** Why a swap was abandoned. Nothing has changed then. */
export interface SwapFailure {
  readonly code: 'missing' | 'damaged' | 'newer-format' | 'open-failed' | 'pointer-failed';
  readonly message: string;
}

/** Swaps to a publication and moves the pointer to it. Null on success. */
export function activate(
  parts: SwapParts,
  id: string,
  direction: Direction = 'forward',
): Promise<SwapFailure | null> {
  return swap(parts, id, () => {
    const pointer = readablePointer(parts.layout);
    const before = lastActivated(pointer, parts.serving);
    // A command that found no service may have moved it already.
    if (pointer?.id === id && before === pointer) return pointer;
    return movePointer(parts.layout, id, parts.now(), before, direction);
  });
}

/** Swaps to the publication to which another process has moved the pointer. Null on success. */
export function follow(parts: SwapParts, pointer: Pointer): Promise<SwapFailure | null> {
  return swap(parts, pointer.id, () => pointer);
}

async function swap(parts: SwapParts, id: string, move: () => Pointer): Promise<SwapFailure | null> {
  const { threads, serving } = parts;
  const prepared = await prepare(parts, id);
  if ('code' in prepared) return prepared;
  let pointer: Pointer;
  try {
    pointer = move();
  } catch (error) {
    if (serving.held(id) === null) await threads.close(id);
    return { code: 'pointer-failed', message: `active.json can't be written: ${clauseOf(error)}.` };
  }
  serving.switchTo({ manifest: prepared, activatedAt: pointer.activatedAt }, pointer);
  return null;
}

/**
 * Steps 1 to 4. A publication that is held for cursors is already sampled and open. Before a rollback to it, its files
 * are still read into memory, because its rows may have been unused for days.
 */
export async function prepare(
  { layout, threads, serving, inspect, bringIntoMemory }: SwapParts,
  id: string,
): Promise<Manifest | SwapFailure> {
  const reading = readManifest(layout, id);
  // Skip reading for a publication that was made ready: it has been read, and all nodes swap at the announced moment.
  if (reading.outcome === 'sound' && serving.expected() !== id) await bringIntoMemory(id);
  const held = serving.held(id);
  if (held !== null) return held.manifest;
  if (reading.outcome !== 'sound') return { code: reading.outcome, message: reading.message };
  const fault = (await inspect(id)) ?? (await threads.open(id));
  if (fault === null) return reading.manifest;
  return { code: 'open-failed', message: `Publication ${id} can't be served: ${fault}` };
}

/**
 * The activation that goes into the history. It is that of the served publication if the pointer can't be read, or
 * names a publication that could not be served at the start.
 */
function lastActivated(pointer: Pointer | null, serving: ServedPublications): Pointer | null {
  const active = serving.active();
  if (active === null) return pointer;
  const { manifest, activatedAt } = active;
  if (pointer === null) return { id: manifest.id, activatedAt, previous: serving.history() };
  if (Date.parse(activatedAt) <= Date.parse(pointer.activatedAt)) return pointer;
  const { previous, ...named } = pointer;
  return { id: manifest.id, activatedAt, previous: [named, ...previous] };
}

/** The publications that stay while this one is served, and those to delete; none while none is served. */
function retentionOf({ layout, serving, keep }: SwapParts) {
  const active = serving.active();
  if (active === null) return { kept: [], outdated: [] };
  const found = retention(sealedIds(layout), { id: active.manifest.id, previous: serving.history() }, keep);
  const expected = serving.expected();
  if (expected === null || found.kept.includes(expected)) return found;
  return { kept: [...found.kept, expected], outdated: found.outdated.filter((id) => id !== expected) };
}

/**
 * Steps 7 and 8: closes the publications that are no longer kept, in every thread, and then deletes those that were
 * active once. A file that can't be deleted does not stop the rest.
 */
export async function retire(parts: SwapParts): Promise<void> {
  const { kept, outdated } = retentionOf(parts);
  for (const id of parts.serving.heldIds()) if (!kept.includes(id)) await closePublication(parts, id);
  for (const id of outdated) await deleteAndTell(parts, id, 'outdated');
}

/** Deletes a publication that was fetched here and never active. One that is held, or that the pointer names, stays. */
export async function deleteFetched(parts: SwapParts, id: string): Promise<void> {
  const { layout, serving } = parts;
  if (serving.held(id) !== null || !isFetched(layout, id) || mayBeNamed(layout, id)) return;
  await deleteAndTell(parts, id, 'unannounced');
}

/** Whether the pointer names a publication as active now or earlier. One that can't be read may name any. */
function mayBeNamed(layout: Layout, id: string): boolean {
  try {
    const pointer = readPointer(layout);
    return pointer !== null && [pointer, ...pointer.previous].some((each) => each.id === id);
  } catch {
    return true;
  }
}

/** Ends the cursors in a publication other than the active one, and closes it once no question about it is open. */
export async function closePublication({ serving, threads }: SwapParts, id: string): Promise<void> {
  serving.letGo(id);
  await threads.close(id);
}

async function deleteAndTell(
  { layout, log }: SwapParts,
  id: string,
  what: 'outdated' | 'unannounced',
): Promise<void> {
  try {
    await deletePublication(layout, id);
    log.info(`An ${what} publication was deleted.`, { publication: id });
  } catch (error) {
    log.warn(`An ${what} publication could not be deleted.`, { publication: id, error });
  }
}
