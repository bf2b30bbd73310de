/**
 * The hot swap: from one publication to the next, under traffic.
 *
 * | after step                        | threads hold       | announced | answers come from | a failure or crash here leaves       |
 * |-----------------------------------|--------------------|-----------|-------------------|--------------------------------------|
 * | (before)                          | active, kept       | active    | active            | everything as it was                 |
 * | 1 obtained: `prepare`             | active, kept       | active    | active            | everything as it was                 |
 * | 2 read into memory: `prepare`     | active, kept       | active    | active            | everything as it was                 |
 * | 3 samples read: `prepare`         | active, kept       | active    | active            | everything as it was                 |
 * | 4 opened in all threads: `prepare` | active, kept, next | active   | active            | next closed again; a restart serves active |
 * | 5 announced: `swap`               | active, kept, next | next      | active            | a restart serves next: only forward now |
 * | 6 switched: `swap`                | next, active, kept | next      | next; old cursors from where they began | a restart serves next |
 * | 7 closed: retire.ts               | next, kept         | next      | next              | a restart holds only what is kept    |
 * | 8 deleted: retire.ts              | next, kept         | next      | next              | the next swap deletes what is left   |
 *
 * A thread that ends at any step is replaced by one that opens what the others hold, `next` included, before it is
 * asked. Swaps run one after the other.
 */
import { reasonOf } from '../../errors.ts';
import {
  type Announcement,
  type PublicationSource,
  readableAnnouncement,
} from '../../ports/publication-source.ts';
import type { Layout } from '../../publication/layout.ts';
import type { Manifest } from '../../publication/manifest.ts';
import type { QueryThreads } from '../threads/query-pool.ts';
import type { BringIntoMemory } from './bring-into-memory.ts';
import type { InspectPublication } from './inspect-publication.ts';
import type { Serving } from './serving.ts';

export interface SwapParts {
  readonly layout: Layout;
  readonly source: PublicationSource;
  readonly threads: QueryThreads;
  readonly serving: Serving;
  readonly inspect: InspectPublication;
  readonly bringIntoMemory: BringIntoMemory;
  readonly now: () => Date;
}

/** Why a swap was abandoned. Nothing has changed then. */
export interface SwapFailure {
  readonly code: 'missing' | 'damaged' | 'newer-format' | 'open-failed' | 'pointer-failed';
  readonly message: string;
}

/** Swaps to a publication and announces it. Null on success. */
export function activate(parts: SwapParts, id: string): Promise<SwapFailure | null> {
  return swap(parts, id, () => {
    const announced = readableAnnouncement(parts.source);
    const before = lastActivated(announced, parts.serving);
    // A command that found no service may have announced it already.
    if (announced?.id === id && before === announced) return announced;
    return parts.source.announce(id, parts.now(), before);
  });
}

/** Swaps to a publication that another process has announced. Null on success. */
export function follow(parts: SwapParts, announced: Announcement): Promise<SwapFailure | null> {
  return swap(parts, announced.id, () => announced);
}

async function swap(parts: SwapParts, id: string, announce: () => Announcement): Promise<SwapFailure | null> {
  const { threads, serving } = parts;
  const prepared = await prepare(parts, id);
  if ('code' in prepared) return prepared;
  let announced: Announcement;
  try {
    announced = announce();
  } catch (error) {
    if (serving.held(id) === null) await threads.close(id);
    return { code: 'pointer-failed', message: `active.json can't be written: ${reasonOf(error)}.` };
  }
  serving.switchTo({ manifest: prepared, activatedAt: announced.activatedAt }, announced);
  return null;
}

/**
 * Steps 1 to 4. A publication that is held for cursors is already sampled and open. Before a rollback to it, its files
 * are still read into memory, because its rows may have been unused for days.
 */
export async function prepare(
  { source, threads, serving, inspect, bringIntoMemory }: SwapParts,
  id: string,
): Promise<Manifest | SwapFailure> {
  const reading = await source.obtain(id);
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
 * The activation that goes into the history. It is that of the served publication if the announcement can't be read, or
 * names a publication that could not be served at the start.
 */
function lastActivated(announced: Announcement | null, serving: Serving): Announcement | null {
  const active = serving.active();
  if (active === null) return announced;
  const { manifest, activatedAt } = active;
  if (announced === null) return { id: manifest.id, activatedAt, previous: serving.history() };
  if (Date.parse(activatedAt) <= Date.parse(announced.activatedAt)) return announced;
  const { previous, ...named } = announced;
  return { id: manifest.id, activatedAt, previous: [named, ...previous] };
}
