/**
 * Chooses the first publication of a service: the announced one if it is sound, otherwise the newest sound one with a
 * warning, because old answers are better than none.
 */
import type { Announcement, PublicationSource } from '../../ports/publication-source.ts';
import { hasOwnPublication, holdsSample } from '../../publication/own-data.ts';
import { activationTime } from '../../publication/pointer.ts';
import { retention } from '../../publication/retention.ts';
import { readManifest, sealedIds } from '../../publication/sealed.ts';
import type { Log } from '../log.ts';
import { activate, follow, prepare, type SwapParts } from './swap.ts';

interface StartOptions {
  readonly keep: number;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

/** @returns the announcement that could not be followed and is not tried again, or null */
export async function startServing(
  given: SwapParts,
  { keep, log }: StartOptions,
): Promise<Announcement | null> {
  const announced = announcedAtStart(given.source, log);
  const parts = inspectedAhead(atOnce(given), announced, keep);
  const failure = announced === null ? null : await follow(parts, announced);
  if (announced !== null && failure !== null) {
    const { id } = announced;
    log.warn('The active publication cannot be served.', { publication: id, reason: failure.message });
  }
  if (parts.serving.active() === null) await serveNewestSound(parts, announced, log);
  const active = parts.serving.active();
  if (active !== null) {
    const served = { id: active.manifest.id, previous: parts.serving.history() };
    await holdPrevious(parts, served, keep, log);
  }
  return failure === null ? null : announced;
}

/** A start serves at once. The files are read into memory while the first questions are answered. */
function atOnce(parts: SwapParts): SwapParts {
  return { ...parts, bringIntoMemory: async () => 0 };
}

/**
 * Starts inspecting the publications that will most likely be opened, because each inspection starts a process. Only
 * those with a sound manifest: lmdb would create the folder of a missing one.
 */
function inspectedAhead(parts: SwapParts, announced: Announcement | null, keep: number): SwapParts {
  if (announced === null) return parts;
  const likely = [announced.id, ...announced.previous.map(({ id }) => id)].slice(0, keep);
  const sound = likely.filter((id) => readManifest(parts.layout, id).outcome === 'sound');
  const ahead = new Map(sound.map((id) => [id, parts.inspect(id)]));
  return { ...parts, inspect: (id) => ahead.get(id) ?? parts.inspect(id) };
}

function announcedAtStart(source: PublicationSource, log: StartOptions['log']): Announcement | null {
  try {
    return source.announced();
  } catch (error) {
    log.warn('active.json, the pointer to the active publication, cannot be read.', { error });
    return null;
  }
}

/**
 * Tries the publications that were active, newest first, then those that never were. An announcement stays, since an
 * operator may bring back the publication it names; without one the publication served is announced. The sample never
 * takes the place of an operator's own data, even if it was active before.
 */
async function serveNewestSound(
  parts: SwapParts,
  announced: Announcement | null,
  log: StartOptions['log'],
): Promise<void> {
  const earlier = announced?.previous.map(({ id }) => id) ?? [];
  const candidates = new Set([...earlier, ...sealedIds(parts.layout)]);
  const noSample = hasOwnPublication(parts.layout);
  for (const id of candidates) {
    if (id === announced?.id || (noSample && holdsSample(readManifest(parts.layout, id)))) continue;
    const failure =
      announced === null ? await activate(parts, id) : await follow(parts, standIn(announced, id, parts));
    if (failure === null) {
      log.warn('The newest sound publication is served instead.', { publication: id });
      return;
    }
    log.warn('A publication cannot be served.', { publication: id, reason: failure.message });
  }
}

/** Activated now: Last-Modified must move forward although the data goes back. */
function standIn(announced: Announcement, id: string, parts: SwapParts): Announcement {
  const activatedAt = activationTime(parts.now(), announced);
  return { id, activatedAt, previous: announced.previous };
}

/** Opens the kept publications, so that cursors continue that began before a restart, or on another node. */
export async function holdPrevious(
  parts: SwapParts,
  served: Pick<Announcement, 'id' | 'previous'>,
  keep: number,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  const { serving } = parts;
  const { kept } = retention(sealedIds(parts.layout), served, keep);
  for (const { id, activatedAt } of served.previous) {
    if (!kept.includes(id) || serving.held(id) !== null) continue;
    const prepared = await prepare(parts, id);
    if ('code' in prepared)
      log.warn('An earlier publication is not kept open.', { reason: prepared.message });
    else serving.hold({ manifest: prepared, activatedAt });
  }
}
