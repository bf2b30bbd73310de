/** The pointer, `active.json`: names the publication that is served. Replaced as a whole, by rename after fsync. */
import { readFileSync, statSync } from 'node:fs';
import { isMissing } from '../errors.ts';
import { timestamp } from '../lei/dates.ts';
import { removeFetchedMark } from './fetched.ts';
import { writeDurably } from './files.ts';
import { isPublicationId, type Layout } from './layout.ts';
import { parsedOrNull } from './parsed-or-null.ts';

export interface Activation {
  readonly id: string;
  /** Time of activation in this data folder, UTC. Last-Modified shows it. */
  readonly activatedAt: string;
}

export interface EarlierActivation extends Activation {
  /** A rollback has undone it, so a further rollback goes back past it. */
  readonly undone?: boolean;
}

/**
 * `back`: by a rollback, which undoes the activations since the one that it goes back to, and all of the publication that
 * it leaves.
 */
export type Direction = 'forward' | 'back';

export interface Pointer extends Activation {
  /** Earlier activations, newest first. */
  readonly previous: readonly EarlierActivation[];
}

/** How many earlier activations are listed. */
const previousMax = 20;

/** A larger `active.json` is damaged and is not read. A full one has 2 kB. */
const pointerBytesMax = 16 * 1024;

/** `active.json` exists but lacks a publication or the time of its activation. */
export class DamagedPointer extends Error {
  override readonly name = 'DamagedPointer';
  constructor(path: string) {
    super(`${path} is damaged: it must name a publication and the time of its activation.`);
  }
}

/**
 * Reads the pointer; null if none was ever written.
 * @throws DamagedPointer, or the system's error if the file can't be read
 */
export function readPointer(layout: Layout): Pointer | null {
  let text: string;
  try {
    if (statSync(layout.pointer).size > pointerBytesMax) throw new DamagedPointer(layout.pointer);
    text = readFileSync(layout.pointer, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  const pointer = parsePointer(text);
  if (pointer === null) throw new DamagedPointer(layout.pointer);
  return pointer;
}

/** Reads the pointer for callers that can do without it: null also if it is damaged or can't be read. */
export function readablePointer(layout: Layout): Pointer | null {
  try {
    return readPointer(layout);
  } catch {
    return null;
  }
}

function parsePointer(text: string): Pointer | null {
  const value = parsedOrNull(text);
  if (!isActivation(value)) return null;
  const previous = 'previous' in value && Array.isArray(value.previous) ? value.previous : [];
  return { id: value.id, activatedAt: value.activatedAt, previous: previous.filter(isEarlierActivation) };
}

function isActivation(value: unknown): value is Activation {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('activatedAt' in value))
    return false;
  return typeof value.id === 'string' && isPublicationId(value.id) && isMoment(value.activatedAt);
}

function isEarlierActivation(value: unknown): value is EarlierActivation {
  return isActivation(value) && (!('undone' in value) || typeof value.undone === 'boolean');
}

/** Whether a value is a time, so that a later activation can be compared with it. */
function isMoment(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value));
}

/**
 * The time of an activation: at least a second later than the one before, so that Last-Modified, an HTTP date of whole
 * seconds, moves forward however quickly activations follow each other.
 */
export function activationTime(now: Date, before: Activation | null): string {
  const floor = before === null ? 0 : Date.parse(before.activatedAt) + 1000;
  return timestamp(new Date(Math.max(now.getTime(), floor)));
}

/** Moves the pointer. */
export function movePointer(
  layout: Layout,
  id: string,
  now: Date,
  before: Pointer | null,
  direction: Direction = 'forward',
): Pointer {
  const left = before === null ? null : { id: before.id, activatedAt: before.activatedAt };
  const previous = historyAfter(id, left, before?.previous ?? [], direction);
  return setPointer(layout, { id, activatedAt: activationTime(now, before), previous });
}

/**
 * The earlier activations once a publication has become active, newest first.
 * @param left the activation that it replaces; null for the first
 * @param previous those before it
 */
export function historyAfter<Entry extends EarlierActivation>(
  id: string,
  left: Entry | null,
  previous: readonly Entry[],
  direction: Direction,
): readonly Entry[] {
  if (left === null) return previous;
  const all = [left, ...previous];
  if (direction === 'forward') return bounded(all);
  const reached = previous.findIndex((each) => each.id === id && each.undone !== true);
  return bounded(
    all.map((each, at) => (at <= reached + 1 || each.id === left.id ? { ...each, undone: true } : each)),
  );
}

/**
 * The activations that a rollback may go back to, nearest first, in their order, whichever publication is newer. No
 * rollback returns to a publication that another one has left.
 */
export function rollbackTargets<Entry extends EarlierActivation>(
  active: string,
  previous: readonly Entry[],
): readonly Entry[] {
  return previous.filter(({ id, undone }) => undone !== true && id !== active);
}

/** Applies an activation that was announced elsewhere, including its time. */
export function setPointer(layout: Layout, { id, activatedAt, previous }: Pointer): Pointer {
  const pointer: Pointer = { id, activatedAt, previous: bounded(previous) };
  removeFetchedMark(layout, id);
  writeDurably(layout.pointer, `${JSON.stringify(pointer, null, 2)}\n`);
  return pointer;
}

/**
 * Drops activations beyond the limit. The first and the last of each publication stay, so that two alternating
 * publications do not push earlier ones out of the list.
 */
function bounded<Entry extends Activation>(previous: readonly Entry[]): readonly Entry[] {
  if (previous.length <= previousMax) return previous;
  const ids = previous.map(({ id }) => id);
  const firstsAndLasts = previous.filter(
    ({ id }, at) => ids.indexOf(id) === at || ids.lastIndexOf(id) === at,
  );
  return firstsAndLasts.slice(0, previousMax);
}

/** The last activation of each earlier publication that is still kept, newest first, without the active publication. */
export function earlierActivations(
  { id: active, previous }: Pick<Pointer, 'id' | 'previous'>,
  isKept: (id: string) => boolean,
): readonly Activation[] {
  const seen = new Set([active]);
  return previous.filter(({ id }) => {
    if (seen.has(id)) return false;
    seen.add(id);
    return isKept(id);
  });
}

interface Retention {
  /** The active publication and those active before it, newest first, at most as many as are kept. */
  readonly kept: readonly string[];
  /** Active once and no longer kept, newest first. */
  readonly outdated: readonly string[];
  /** Sealed and never active here. One of them may be about to be activated. */
  readonly unused: readonly string[];
}

/**
 * @param sealed ids of the sealed publications
 * @param keep how many stay, the active one included
 */
export function retention(
  sealed: readonly string[],
  pointer: Pick<Pointer, 'id' | 'previous'>,
  keep: number,
): Retention {
  const earlier = earlierActivations(pointer, (id) => sealed.includes(id)).map(({ id }) => id);
  const activated = [pointer.id, ...earlier];
  return {
    kept: activated.slice(0, keep),
    outdated: activated.slice(keep),
    unused: sealed.filter((id) => !activated.includes(id)),
  };
}
