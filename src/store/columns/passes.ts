/**
 * Passes over all members of a set in an order, for pages far behind its beginning. What they find is kept with the set: how
 * many members have each digit, and the members around a page, among which are the next pages of a walk. Where many members
 * have the same digit, as of names, their set is kept too.
 */
import { keepNewest } from '../../remembered.ts';
import type { EntityNumber } from '../publication-reader.ts';
import type { Steps } from '../steps.ts';
import { type EntitySet, setBit } from './bits.ts';
import type { Sets } from './entity-sets.ts';
import { type ColumnStage, digitMax, shiftOf } from './order.ts';
import type { ListRooms } from './set-rooms.ts';

/** The digits between two, both included. */
export interface DigitSpan {
  readonly first: number;
  readonly last: number;
}

/** All members of a set whose digits lie between two, by number. */
interface Stretch extends DigitSpan {
  readonly entities: Uint32Array;
  readonly digits: Uint16Array;
}

/** Members of a stretch: 16,384 are some 800 pages, and 100 kB. */
const stretchMax = 16_384;

/** Orders of a set whose counts are kept, the last used ones: each takes up to 360 kB. */
const ordersKeptMax = 4;

/** What is known of a set at a stage and step. */
interface Found {
  readonly counts: Uint32Array;
  stretch: Stretch | null;
}

/** The members of a set whose digits at a step of a stage lie between two. */
interface SubsetPlace {
  readonly set: EntitySet;
  readonly stage: ColumnStage;
  readonly step: number;
  readonly span: DigitSpan;
}
interface KeptSubset {
  readonly place: SubsetPlace;
  readonly subset: EntitySet;
}
/** Subsets that are kept, the last used ones: each takes up to 430 kB, and its counts as much. A walk needs one or two. */
const subsetsMax = 8;

export class Passes {
  readonly #sets: Sets;
  readonly #found = new WeakMap<EntitySet, Map<string, Found>>();
  #subsets: readonly KeptSubset[] = [];

  constructor(sets: Sets) {
    this.#sets = sets;
  }

  #known(set: EntitySet): Map<string, Found> {
    const known = this.#found.get(set) ?? new Map<string, Found>();
    this.#found.set(set, known);
    return known;
  }

  /** How many members of a set have each digit of a step. */
  *counts(set: EntitySet, stage: ColumnStage, step: number): Steps<Uint32Array> {
    const known = this.#known(set);
    const name = nameOf(stage, step);
    const found = known.get(name) ?? {
      counts: yield* countDigits(this.#sets, set, stage, step),
      stretch: null,
    };
    keepNewest(known, name, found, ordersKeptMax);
    return found.counts;
  }

  /** The members of a set with certain digits, ascending; null if these are many, or their numbers are not known. */
  *part(set: EntitySet, stage: ColumnStage, step: number, span: DigitSpan): Steps<Uint32Array | null> {
    const found = this.#known(set).get(nameOf(stage, step));
    if (found === undefined) return null;
    if (!covers(found.stretch, span)) {
      const wider = widest(found.counts, span);
      if (wider === null) return null;
      found.stretch = yield* this.#stretch({ set, stage, step, span: wider }, wider.count);
    }
    return found.stretch === null ? null : membersIn(found.stretch, span);
  }

  /**
   * The same as a set, for members that are too many to be sorted. It must not be changed.
   * @param members null if their numbers are not known
   */
  *subset(place: SubsetPlace, members: Uint32Array | null, rooms: ListRooms): Steps<EntitySet> {
    const kept = this.#subsets.find((each) => isSame(each.place, place));
    const subset = kept?.subset ?? (yield* this.#marked(place, members, rooms.empty()));
    if (kept === undefined) rooms.all.share(subset.words);
    else rooms.share(subset.words);
    const newest = { place, subset };
    const others = this.#subsets.filter((each) => each.subset !== subset);
    for (const { subset: oldest } of others.slice(subsetsMax - 1)) rooms.all.give(oldest.words);
    this.#subsets = [newest, ...others.slice(0, subsetsMax - 1)];
    return subset;
  }

  *#marked(place: SubsetPlace, members: Uint32Array | null, words: Uint32Array): Steps<EntitySet> {
    if (members !== null) {
      for (let i = 0; i < members.length; i++) setBit(words, members[i] ?? 0);
      return { words, count: members.length };
    }
    let count = 0;
    yield* this.#eachMember(place, (entity) => {
      setBit(words, entity);
      count++;
    });
    return { words, count };
  }

  *#stretch(place: SubsetPlace, count: number): Steps<Stretch> {
    const entities = new Uint32Array(count);
    const digits = new Uint16Array(count);
    let at = 0;
    yield* this.#eachMember(place, (entity, digit) => {
      entities[at] = entity;
      digits[at++] = digit;
    });
    const { first, last } = place.span;
    return { first, last, entities, digits };
  }

  /** Goes through the members with the digits of a place, by number. */
  *#eachMember(
    { set, stage, step, span: { first, last } }: SubsetPlace,
    take: (entity: EntityNumber, digit: number) => void,
  ): Steps<void> {
    const shift = shiftOf(stage, step);
    yield* this.#sets.eachBlock(set, stage, (firstEntity, places, count, ranks) => {
      for (let member = 0; member < count; member++) {
        const digit = ((ranks[member] ?? 0) >>> shift) & digitMax;
        if (digit >= first && digit <= last) take(firstEntity + (places[member] ?? 0), digit);
      }
    });
  }
}

function nameOf({ name }: ColumnStage, step: number): string {
  return `${name} ${step}`;
}

function isSame(one: SubsetPlace, other: SubsetPlace): boolean {
  if (one.set !== other.set || nameOf(one.stage, one.step) !== nameOf(other.stage, other.step)) return false;
  return one.span.first === other.span.first && one.span.last === other.span.last;
}

function covers(stretch: Stretch | null, { first, last }: DigitSpan): boolean {
  return stretch !== null && stretch.first <= first && stretch.last >= last;
}

interface CountedSpan extends DigitSpan {
  /** Members. */
  readonly count: number;
}

/** The span with as many further digits as a stretch may have; null if it has too many members itself. */
function widest(counts: Uint32Array, { first, last }: DigitSpan): CountedSpan | null {
  let count = 0;
  for (let digit = first; digit <= last; digit++) count += counts[digit] ?? 0;
  if (count > stretchMax) return null;
  let end = last;
  while (end < digitMax && count + (counts[end + 1] ?? 0) <= stretchMax) count += counts[++end] ?? 0;
  return { first, last: end, count };
}

function membersIn({ entities, digits }: Stretch, { first, last }: DigitSpan): Uint32Array {
  const members = new Uint32Array(entities.length);
  let count = 0;
  for (let at = 0; at < entities.length; at++) {
    const digit = digits[at] ?? 0;
    if (digit >= first && digit <= last) members[count++] = entities[at] ?? 0;
  }
  return members.subarray(0, count);
}

/** How many members of a set have each digit of a step. */
export function* countDigits(
  sets: Sets,
  set: Pick<EntitySet, 'words'>,
  stage: ColumnStage,
  step: number,
): Steps<Uint32Array> {
  const counts = new Uint32Array(digitMax + 1);
  const shift = shiftOf(stage, step);
  yield* sets.eachBlock(set, stage, (_, __, count, ranks) => {
    for (let member = 0; member < count; member++) {
      const digit = ((ranks[member] ?? 0) >>> shift) & digitMax;
      counts[digit] = (counts[digit] ?? 0) + 1;
    }
  });
  return counts;
}
