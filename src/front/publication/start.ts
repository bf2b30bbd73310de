/**
 * What is served after a start: what the pointer names where that is sound; else the newest sound publication,
 * with a warning, since an old answer is better than none.
 */
import type { Layout } from '../../publication/layout.ts';
import { hasOwnPublication, holdsSample } from '../../publication/own-data.ts';
import { activationTime, type Pointer, readPointer } from '../../publication/pointer.ts';
import { readManifest, sealedIds } from '../../publication/sealed.ts';
import type { Log } from '../log.ts';
import { keptIds } from './retire.ts';
import { activate, follow, prepare, type SwapParts } from './swap.ts';

export interface StartOptions {
  readonly keep: number;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

/** @returns the pointer that could not be followed, which is not to be tried again; null where there is none */
export async function startServing(given: SwapParts, { keep, log }: StartOptions): Promise<Pointer | null> {
  const pointer = readPointerAtStart(given.layout, log);
  const parts = inspectedAhead(given, pointer, keep);
  const failure = pointer === null ? null : await follow(parts, pointer);
  if (pointer !== null && failure !== null) {
    const { id } = pointer;
    log.warn('The active publication cannot be served.', { publication: id, reason: failure.message });
  }
  if (parts.serving.active() === null) await serveNewestSound(parts, pointer, log);
  await holdPrevious(parts, keep, log);
  return failure === null ? null : pointer;
}

/**
 * What will most likely be opened is inspected at once, since each inspection is a process to start. Only what has
 * a sound manifest: lmdb would make the folder of one that is gone.
 */
function inspectedAhead(parts: SwapParts, pointer: Pointer | null, keep: number): SwapParts {
  if (pointer === null) return parts;
  const likely = [pointer.id, ...pointer.previous.map(({ id }) => id)].slice(0, keep);
  const sound = likely.filter((id) => readManifest(parts.layout, id).outcome === 'sound');
  const ahead = new Map(sound.map((id) => [id, parts.inspect(id)]));
  return { ...parts, inspect: (id) => ahead.get(id) ?? parts.inspect(id) };
}

function readPointerAtStart(layout: Layout, log: StartOptions['log']): Pointer | null {
  try {
    return readPointer(layout);
  } catch (error) {
    log.warn('The pointer to the active publication cannot be read.', { error });
    return null;
  }
}

/**
 * Earlier active ones first, newest first, then those never active. Where there is a pointer it stays: an
 * operator may bring back what it names. Where there is none it is written anew. The sample stands in for nobody's
 * own data, though it was active before that.
 */
async function serveNewestSound(
  parts: SwapParts,
  pointer: Pointer | null,
  log: StartOptions['log'],
): Promise<void> {
  const earlier = pointer?.previous.map(({ id }) => id) ?? [];
  const candidates = new Set([...earlier, ...sealedIds(parts.layout)]);
  const noSample = hasOwnPublication(parts.layout);
  for (const id of candidates) {
    if (id === pointer?.id || (noSample && holdsSample(readManifest(parts.layout, id)))) continue;
    const failure =
      pointer === null ? await activate(parts, id) : await follow(parts, standIn(pointer, id, parts));
    if (failure === null) {
      log.warn('The newest sound publication is served instead.', { publication: id });
      return;
    }
    log.warn('A publication cannot be served.', { publication: id, reason: failure.message });
  }
}

/** Its time of activation is now: Last-Modified must move forward though the data goes back. */
function standIn(pointer: Pointer, id: string, parts: SwapParts): Pointer {
  const activatedAt = activationTime(parts.now(), pointer);
  return { id, activatedAt, previous: pointer.previous };
}

/** Cursors that began before the restart go on in the publications that are still kept. */
async function holdPrevious(parts: SwapParts, keep: number, log: StartOptions['log']): Promise<void> {
  const { serving } = parts;
  const kept = keptIds(parts.layout, serving, keep);
  for (const { id, activatedAt } of serving.history()) {
    if (!kept.has(id) || serving.held(id) !== null) continue;
    const prepared = await prepare(parts, id);
    if ('code' in prepared)
      log.warn('An earlier publication is not kept open.', { reason: prepared.message });
    else serving.hold({ manifest: prepared, activatedAt });
  }
}
