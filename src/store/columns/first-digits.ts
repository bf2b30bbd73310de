/**
 * Entities grouped by their digit at the first stage of an order. A large set has its page among the entities of a few
 * digits: going through the groups until enough members are met takes microseconds for the first pages, whatever the
 * conditions are, where a pass over the set takes milliseconds. As most lists begin with few pages in the default order,
 * at first only the groups of the beginning are made.
 */
import type { Steps } from '../steps.ts';
import { hasBit } from './bits.ts';
import type { EntitySet, Sets } from './entity-sets.ts';
import { type DigitStage, digitMax } from './order.ts';

/** Entities of the groups that are made at first. */
const shallowEntities = 65_536;
/** Entities of one step: some 50 microseconds of work. */
const entitiesPerStep = 16_384;
/** Orders whose groups are kept: whole ones take 4 bytes for each company, others half a megabyte. */
const keptMax = { whole: 2, shallow: 16 };

/** A set is small if it has fewer than one of so many companies. */
const smallShare = 16;
/** So many lists of small sets are found by a pass before groups are made. */
const passesFirst = 8;

/** The digits between two, both included. */
export interface DigitSpan {
  readonly first: number;
  readonly last: number;
}

/** The digits of which a page consists. */
export interface DigitRange extends DigitSpan {
  /** Members with lower digits than the first, with the first, and from the first to the last. */
  readonly before: number;
  readonly inFirst: number;
  readonly count: number;
}

interface DigitGroups {
  /** Where the entities of each digit begin. */
  readonly starts: Uint32Array;
  /** Only of the digits below `end`. */
  readonly entities: Uint32Array;
  readonly end: number;
}

export class FirstDigits {
  readonly #sets: Sets;
  /** By the key of their stage, the last made ones last. */
  readonly #groups = new Map<string, DigitGroups>();
  /** By the key of a stage, how many lists wanted its groups. */
  readonly #asked = new Map<string, number>();

  constructor(sets: Sets) {
    this.#sets = sets;
  }

  /**
   * The digits of a page.
   * @param skip members before the page, which has at least one
   * @returns null if a pass over the set finds the page sooner: it is far behind, or the groups would have to be made
   */
  *rangeOf(set: EntitySet, stage: DigitStage, skip: number, limit: number): Steps<DigitRange | null> {
    const all = yield* this.#sets.all();
    if ((skip + limit) * all.count > set.count * shallowEntities) return null;
    const known = this.#groups.get(stage.key);
    if (known === undefined && !this.#isDue(stage, set.count, all.count)) return null;
    const groups = known ?? (yield* this.#make(all, stage, shallowEntities));
    return yield* walk(groups, set.words, skip, skip + limit);
  }

  /**
   * Whether groups should be made: that takes several times as long as a pass over a small set, so it pays only for orders in
   * which many lists come.
   */
  #isDue({ key }: DigitStage, members: number, all: number): boolean {
    const asked = (this.#asked.get(key) ?? 0) + 1;
    this.#asked.set(key, asked);
    return members * smallShare >= all || asked > passesFirst;
  }

  /**
   * The members of a set with certain digits, ascending.
   * @returns null unless their groups are made or should be, as for long walks
   */
  *part(set: EntitySet, stage: DigitStage, { first, last }: DigitSpan): Steps<Uint32Array | null> {
    const known = this.#groups.get(stage.key);
    const isKnown = known !== undefined && last < known.end;
    if (!isKnown && set.count < wholeFrom) return null;
    const { starts, entities } = isKnown
      ? known
      : yield* this.#make(yield* this.#sets.all(), stage, Infinity);
    const [from, to] = [starts[first] ?? 0, starts[last + 1] ?? 0];
    const members = new Uint32Array(to - from);
    let count = 0;
    for (let at = from; at < to; at++) {
      if (at % entitiesPerStep === entitiesPerStep - 1) yield;
      const entity = entities[at] ?? 0;
      if (hasBit(set.words, entity)) members[count++] = entity;
    }
    // The groups of several digits stand one after the other.
    return first === last ? members.subarray(0, count) : members.subarray(0, count).sort();
  }

  /** @param least how many entities they should have at least */
  *#make(all: EntitySet, stage: DigitStage, least: number): Steps<DigitGroups> {
    const counts = yield* countDigits(this.#sets, all, stage);
    const starts = new Uint32Array(counts.length + 1);
    for (let digit = 0; digit < counts.length; digit++)
      starts[digit + 1] = (starts[digit] ?? 0) + (counts[digit] ?? 0);
    let end = 0;
    while (end <= digitMax && (starts[end] ?? 0) < least) end++;
    const entities = new Uint32Array(starts[end] ?? 0);
    const free = starts.slice();
    yield* this.#sets.eachBlock(all, stage, (firstEntity, places, count, digits) => {
      for (let member = 0; member < count; member++) {
        const digit = digits[member] ?? 0;
        if (digit >= end) continue;
        const at = free[digit] ?? 0;
        entities[at] = firstEntity + (places[member] ?? 0);
        free[digit] = at + 1;
      }
    });
    const groups = { starts, entities, end };
    this.#groups.delete(stage.key);
    this.#groups.set(stage.key, groups);
    this.#forget(isWhole(groups));
    return groups;
  }

  /** Forgets the groups that were made first, if there are too many whole ones or too many others. */
  #forget(whole: boolean): void {
    const [oldest, ...newer] = [...this.#groups].filter(([, each]) => isWhole(each) === whole);
    if (oldest !== undefined && newer.length >= (whole ? keptMax.whole : keptMax.shallow))
      this.#groups.delete(oldest[0]);
  }
}

function isWhole({ end }: DigitGroups): boolean {
  return end > digitMax;
}

/** From so many members on, making groups of all companies pays for the pages of a walk. */
const wholeFrom = 100_000;

/** How many members of a set have each digit. */
export function* countDigits(
  sets: Sets,
  set: Pick<EntitySet, 'words'>,
  stage: DigitStage,
): Steps<Uint32Array> {
  const counts = new Uint32Array(digitMax + 1);
  yield* sets.eachBlock(set, stage, (_, __, count, digits) => {
    for (let member = 0; member < count; member++) {
      const digit = digits[member] ?? 0;
      counts[digit] = (counts[digit] ?? 0) + 1;
    }
  });
  return counts;
}

/** @param from,to members before the page, and up to its end @returns null if the groups end before the page does */
function* walk(groups: DigitGroups, words: Uint32Array, from: number, to: number): Steps<DigitRange | null> {
  const { starts, end } = groups;
  let members = 0;
  let begin: Pick<DigitRange, 'first' | 'before' | 'inFirst'> | null = null;
  let step = 0;
  for (let digit = 0; digit < end; digit++) {
    if ((starts[digit] ?? 0) >= (step + 1) * entitiesPerStep) {
      step++;
      yield;
    }
    const before = members;
    members += membersWith(groups, digit, words);
    if (begin === null && members > from) begin = { first: digit, before, inFirst: members - before };
    if (begin !== null && members >= to) return { ...begin, last: digit, count: members - begin.before };
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
