/**
 * The hot swap: from one publication to the next, under traffic.
 *
 * | after step          | threads hold         | pointer | answers come from | a failure or crash here leaves           |
 * |---------------------|----------------------|---------|-------------------|------------------------------------------|
 * | (before)            | active, kept         | active  | active            | everything as it was                     |
 * | 1 manifest checked  | active, kept         | active  | active            | everything as it was                     |
 * | 2 samples read      | active, kept         | active  | active            | everything as it was                     |
 * | 3 opened everywhere | active, kept, next   | active  | active            | next closed again; a restart serves active |
 * | 4 pointer moved     | active, kept, next   | next    | active            | a restart serves next: only forward now  |
 * | 5 switched          | next, active, kept   | next    | next; old cursors from where they began | a restart serves next |
 * | 6 retired           | next, kept           | next    | next              | a restart holds only what is kept        |
 * | 7 deleted           | next, kept           | next    | next              | what is left is deleted after the next swap |
 *
 * A thread that dies at any step is replaced by one that opens what the others hold, `next` included, before it
 * is asked. Swaps come one after the other.
 */
import { reasonOf } from '../../errors.ts';
import type { Layout } from '../../publication/layout.ts';
import type { Manifest } from '../../publication/manifest.ts';
import { movePointer, type Pointer, readablePointer } from '../../publication/pointer.ts';
import { readManifest } from '../../publication/sealed.ts';
import type { QueryThreads } from '../threads/query-pool.ts';
import type { InspectPublication } from './inspect-publication.ts';
import type { Serving } from './serving.ts';

export interface SwapParts {
  readonly layout: Layout;
  readonly threads: QueryThreads;
  readonly serving: Serving;
  readonly inspect: InspectPublication;
  readonly now: () => Date;
}

/** Why a swap was abandoned; nothing has changed then. */
export interface SwapFailure {
  readonly code: 'missing' | 'damaged' | 'newer-format' | 'open-failed' | 'pointer-failed';
  readonly message: string;
}

/** Swaps to a sealed publication and moves the pointer to it. Null on success. */
export function activate(parts: SwapParts, id: string): Promise<SwapFailure | null> {
  return swap(parts, id, () => {
    const pointer = readablePointer(parts.layout);
    const before = lastActivated(pointer, parts.serving);
    // A command that found no service may have moved it already.
    if (pointer?.id === id && before === pointer) return pointer;
    return movePointer(parts.layout, id, parts.now(), before);
  });
}

/** Swaps to the publication that the pointer, moved by someone else, already names. Null on success. */
export function follow(parts: SwapParts, pointer: Pointer): Promise<SwapFailure | null> {
  return swap(parts, pointer.id, () => pointer);
}

async function swap(parts: SwapParts, id: string, point: () => Pointer): Promise<SwapFailure | null> {
  const { threads, serving } = parts;
  const prepared = await prepare(parts, id);
  if ('code' in prepared) return prepared;
  let pointer: Pointer;
  try {
    pointer = point();
  } catch (error) {
    if (serving.held(id) === null) await threads.close(id);
    return { code: 'pointer-failed', message: `The pointer can't be moved: ${reasonOf(error)}.` };
  }
  serving.switchTo({ manifest: prepared, activatedAt: pointer.activatedAt }, pointer);
  return null;
}

/** Steps 1 to 3. A publication that is held for cursors, as in a rollback, has been through them. */
export async function prepare(
  { layout, threads, serving, inspect }: Omit<SwapParts, 'now'>,
  id: string,
): Promise<Manifest | SwapFailure> {
  const held = serving.held(id);
  if (held !== null) return held.manifest;
  const reading = readManifest(layout, id);
  if (reading.outcome !== 'sound') return { code: reading.outcome, message: reading.message };
  const fault = (await inspect(id)) ?? (await threads.open(id));
  if (fault === null) return reading.manifest;
  return { code: 'open-failed', message: `Publication ${id} can't be served: ${fault}` };
}

/**
 * What goes into the pointer's history. That is what is served where the pointer can't be read, and where it names what
 * could not be served at the start: another has stood in for it since.
 */
function lastActivated(pointer: Pointer | null, serving: Serving): Pointer | null {
  const active = serving.active();
  if (active === null) return pointer;
  const { manifest, activatedAt } = active;
  if (pointer === null) return { id: manifest.id, activatedAt, previous: serving.history() };
  if (Date.parse(activatedAt) <= Date.parse(pointer.activatedAt)) return pointer;
  const { previous, ...named } = pointer;
  return { id: manifest.id, activatedAt, previous: [named, ...previous] };
}
