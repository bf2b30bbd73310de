/**
 * Chooses the first publication of a service: the active one if it is sound, otherwise the newest sound one with a
 * warning, because old answers are better than none.
 */
import { reasonOf } from '../../errors.ts';
import { hasOwnPublication, holdsSample } from '../../publication/own-data.ts';
import { activationTime, type Pointer, readPointer, retention } from '../../publication/pointer.ts';
import { readManifest, sealedIds } from '../../publication/sealed.ts';
import { activate, follow, prepare, type SwapParts } from './swap.ts';

/** @returns the pointer that could not be followed and is not tried again, or null */
export async function startServing(given: SwapParts): Promise<Pointer | null> {
  const { log } = given;
  const pointer = pointerAtStart(given);
  const parts = inspectedAhead(atOnce(given), pointer);
  const failure = pointer === null ? null : await follow(parts, pointer);
  if (pointer !== null && failure !== null) {
    const { id } = pointer;
    log.warn('The active publication cannot be served.', { publication: id, reason: failure.message });
  }
  if (parts.serving.active() === null) await serveNewestSound(parts, pointer, new Set());
  const active = parts.serving.active();
  if (active !== null) {
    const served = { id: active.manifest.id, previous: parts.serving.history() };
    await holdPrevious(parts, served);
  }
  return failure === null ? null : pointer;
}

/** A start serves at once. The files are read into memory while the first questions are answered. */
export function atOnce(parts: SwapParts): SwapParts {
  return { ...parts, bringIntoMemory: async () => 0 };
}

/**
 * Starts inspecting the publications that will most likely be opened, because each inspection starts a process. Only
 * those with a sound manifest: lmdb would create the folder of a missing one.
 */
function inspectedAhead(parts: SwapParts, pointer: Pointer | null): SwapParts {
  if (pointer === null) return parts;
  const likely = [pointer.id, ...pointer.previous.map(({ id }) => id)].slice(0, parts.keep);
  const sound = likely.filter((id) => readManifest(parts.layout, id).outcome === 'sound');
  const ahead = new Map(sound.map((id) => [id, parts.inspect(id)]));
  return { ...parts, inspect: (id) => ahead.get(id) ?? parts.inspect(id) };
}

function pointerAtStart({ layout, log }: SwapParts): Pointer | null {
  try {
    return readPointer(layout);
  } catch (error) {
    log.warn('active.json, the pointer to the active publication, cannot be read.', {
      reason: reasonOf(error),
    });
    return null;
  }
}

/**
 * Tries the publications that were active, newest first, then those that never were. A pointer stays, since an operator
 * may bring back the publication it names; without one it is moved to the publication served. The sample never
 * takes the place of an operator's own data, even if it was active before.
 * @param damaged publications that were found damaged while they were served
 */
export async function serveNewestSound(
  parts: SwapParts,
  pointer: Pointer | null,
  damaged: ReadonlySet<string>,
): Promise<void> {
  const { log } = parts;
  const earlier = pointer?.previous.map(({ id }) => id) ?? [];
  const candidates = new Set([...earlier, ...sealedIds(parts.layout)]);
  const noSample = hasOwnPublication(parts.layout);
  for (const id of candidates) {
    if (id === pointer?.id || damaged.has(id) || (noSample && holdsSample(readManifest(parts.layout, id))))
      continue;
    const failure =
      pointer === null ? await activate(parts, id) : await follow(parts, standIn(pointer, id, parts));
    if (failure === null) {
      log.warn('The newest sound publication is served instead.', { publication: id });
      return;
    }
    log.warn('A publication cannot be served.', { publication: id, reason: failure.message });
  }
}

/** Activated now: Last-Modified must move forward although the data goes back. */
function standIn(pointer: Pointer, id: string, parts: SwapParts): Pointer {
  const activatedAt = activationTime(parts.now(), pointer);
  return { id, activatedAt, previous: pointer.previous };
}

/** Opens the kept publications, so that cursors continue that began before a restart, or on another node. */
export async function holdPrevious(
  parts: SwapParts,
  served: Pick<Pointer, 'id' | 'previous'>,
): Promise<void> {
  const { serving, keep, log } = parts;
  const { kept } = retention(sealedIds(parts.layout), served, keep);
  for (const { id, activatedAt } of served.previous) {
    if (!kept.includes(id) || serving.held(id) !== null) continue;
    const prepared = await prepare(parts, id);
    if ('code' in prepared)
      log.warn('An earlier publication is not kept open.', { reason: prepared.message });
    else serving.hold({ manifest: prepared, activatedAt });
  }
}
