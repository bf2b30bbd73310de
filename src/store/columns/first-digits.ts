/**
 * The first entities of an order, grouped by the first digit of their rank. A large set has its first pages among them: going
 * through the groups until enough members are met takes microseconds, whatever the conditions are, where a pass over the set
 * takes milliseconds.
 */
import { keepNewest } from '../../remembered.ts';
import type { Steps } from '../steps.ts';
import { type EntitySet, hasBit, wordsPerStep } from './bits.ts';
import type { Sets } from './entity-sets.ts';
import { type ColumnStage, digitMax, shiftOf } from './order.ts';
import { countDigits, type DigitSpan } from './passes.ts';
import type { ListRooms } from './set-rooms.ts';

/** Groups have at least so many entities together, those of the first digits. */
const groupedMin = 65_536;
/** Orders whose groups are kept, each with half a megabyte. */
const keptMax = 16;

/** A set is small if it has fewer than one of so many companies. */
const smallShare = 16;
/** So many lists of small sets are found by a pass before groups are made. */
const passesFirst = 8;

/** The digits of which a page consists. */
export interface DigitRange extends DigitSpan {
  /** Members with lower digits than the first, with the first, and from the first to the last. */
  readonly before: number;
  readonly inFirst: number;
  readonly count: number;
}

/** The members of a set from one place of its order on. */
export interface Page {
  /** Members before it. */
  readonly skip: number;
  readonly limit: number;
}

interface DigitGroups {
  /** Where the entities of each digit begin. */
  readonly starts: Uint32Array;
  /** Only of the digits from `begin` on and below `end`. */
  readonly entities: Uint32Array;
  /** The first digit that an entity has: of the newest times, tens of thousands before it have none. */
  readonly begin: number;
  readonly end: number;
}

export class FirstDigits {
  readonly #sets: Sets;
  /** By the name of their stage, the last made ones last. */
  readonly #groups = new Map<string, DigitGroups>();
  /** By the name of a stage, how many lists wanted its groups. */
  readonly #asked = new Map<string, number>();

  constructor(sets: Sets) {
    this.#sets = sets;
  }

  /**
   * The digits of a page.
   * @param page it has at least one member
   * @returns null if a pass over the set finds the page sooner: it is far behind, or the groups would have to be made
   */
  *rangeOf(
    set: EntitySet,
    stage: ColumnStage,
    { skip, limit }: Page,
    rooms: ListRooms,
  ): Steps<DigitRange | null> {
    const all = yield* this.#sets.all(rooms);
    if ((skip + limit) * all.count > set.count * groupedMin) return null;
    const known = this.#groups.get(stage.name);
    if (known === undefined && !this.#isDue(stage, set.count, all.count)) return null;
    const groups = known ?? (yield* this.#make(all, stage));
    return yield* walk(groups, set.words, skip, skip + limit);
  }

  /**
   * Whether groups should be made: that takes several times as long as a pass over a small set, so it pays only for orders in
   * which many lists come.
   */
  #isDue({ name }: ColumnStage, members: number, all: number): boolean {
    const asked = (this.#asked.get(name) ?? 0) + 1;
    this.#asked.set(name, asked);
    return members * smallShare >= all || asked > passesFirst;
  }

  /** The members of a set with certain digits, ascending; null unless the groups of these are made. */
  *part(set: EntitySet, stage: ColumnStage, { first, last }: DigitSpan): Steps<Uint32Array | null> {
    const known = this.#groups.get(stage.name);
    if (known === undefined || last >= known.end) return null;
    const { starts, entities } = known;
    const [from, to] = [starts[first] ?? 0, starts[last + 1] ?? 0];
    const members = new Uint32Array(to - from);
    let count = 0;
    for (let at = from; at < to; at++) {
      if (at % wordsPerStep === 0) yield;
      const entity = entities[at] ?? 0;
      if (hasBit(set.words, entity)) members[count++] = entity;
    }
    // The groups of several digits stand one after the other.
    return first === last ? members.subarray(0, count) : members.subarray(0, count).sort();
  }

  *#make(all: EntitySet, stage: ColumnStage): Steps<DigitGroups> {
    const counts = yield* countDigits(this.#sets, all, stage, 0);
    const { starts, begin, end } = yield* boundsOf(counts);
    const entities = new Uint32Array(starts[end] ?? 0);
    const free = starts.slice();
    const shift = shiftOf(stage, 0);
    yield* this.#sets.eachBlock(all, stage, (firstEntity, places, count, ranks) => {
      for (let member = 0; member < count; member++) {
        const digit = (ranks[member] ?? 0) >>> shift;
        if (digit >= end) continue;
        const at = free[digit] ?? 0;
        entities[at] = firstEntity + (places[member] ?? 0);
        free[digit] = at + 1;
      }
    });
    const groups = { starts, entities, begin, end };
    keepNewest(this.#groups, stage.name, groups, keptMax);
    return groups;
  }
}

/** The bounds of the groups that are made of companies with each digit. */
function* boundsOf(counts: Uint32Array): Steps<Omit<DigitGroups, 'entities'>> {
  const starts = new Uint32Array(counts.length + 1);
  let [begin, end] = [0, 1];
  for (let digit = 0; digit <= digitMax; digit++) {
    if (digit % wordsPerStep === 0) yield;
    const next = (starts[digit] ?? 0) + (counts[digit] ?? 0);
    starts[digit + 1] = next;
    if (next === 0) begin = digit + 1;
    if (next < groupedMin && digit < digitMax) end = digit + 2;
  }
  return { starts, begin, end };
}

/** @param from,to members before the page, and up to its end @returns null if the groups end before the page does */
function* walk(groups: DigitGroups, words: Uint32Array, from: number, to: number): Steps<DigitRange | null> {
  const { starts, begin, end } = groups;
  let members = 0;
  let found: Pick<DigitRange, 'first' | 'before' | 'inFirst'> | null = null;
  let step = 0;
  for (let digit = begin; digit < end; digit++) {
    if ((starts[digit] ?? 0) + digit - begin >= (step + 1) * wordsPerStep) {
      step++;
      yield;
    }
    const before = members;
    members += membersWith(groups, digit, words);
    if (found === null && members > from) found = { first: digit, before, inFirst: members - before };
    if (found !== null && members >= to) return { ...found, last: digit, count: members - found.before };
  }
  return null;
}

/** How many members of a set have a digit. */
function membersWith({ starts, entities }: DigitGroups, digit: number, words: Uint32Array): number {
  const stop = starts[digit + 1] ?? 0;
  let members = 0;
  for (let at = starts[digit] ?? 0; at < stop; at++) if (hasBit(words, entities[at] ?? 0)) members++;
  return members;
}
