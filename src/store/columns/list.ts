/**
 * Lists companies by their columns: conditions give a set of entities, whose size is the total; then a page of the set is
 * put in order. All work is done in steps of a millisecond or so.
 *
 * A page is found without sorting the set. A pass over the set counts how many companies have each value of the first
 * order column. That tells which values the page consists of; only companies with these are looked at further, by the
 * next column. What is left is sorted. So a page far behind costs as much as the first.
 */
import { leiLength } from '../company-record.ts';
import type { EntityNumber } from '../publication-reader.ts';
import type { Steps } from '../steps.ts';
import type { ColumnReader } from './column-reader.ts';
import {
  blockEntities,
  blockOf,
  type ColumnName,
  isTime,
  type TimeColumnName,
  textCodeMax,
  timeCode,
  timeCodeMax,
  type ValueColumnName,
} from './layout.ts';

/** All conditions of a list must hold. */
export type Condition =
  | {
      readonly column: ValueColumnName;
      readonly values: readonly string[];
      /** Whether companies with one of the values are left out, in place of all others. */
      readonly isExcluded: boolean;
    }
  | {
      readonly column: TimeColumnName;
      /** Seconds since 1970, both included; null for no end. Companies without a time are left out. */
      readonly from: number | null;
      readonly to: number | null;
    };

export interface OrderKey {
  readonly column: ColumnName;
  readonly isDescending: boolean;
}

export interface ListQuery {
  readonly conditions: readonly Condition[];
  /** Only these entities, such as the hits of a search; null for all. */
  readonly among: Uint32Array | null;
  /** Companies without a value come last. Equal companies are in the default order: newest registration first, then by LEI. */
  readonly order: readonly OrderKey[];
  /** The position at which an earlier page ended; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

export type ListOutcome =
  | {
      readonly outcome: 'page';
      /** Exact. */
      readonly total: number;
      readonly entities: readonly EntityNumber[];
      readonly next: string | null;
    }
  /** `after` came from no list. */
  | { readonly outcome: 'refused' };

/** Up to this many companies are sorted at once. */
const sortedMax = 4096;
const wordsPerBlock = blockEntities / 32;
/** Blocks of one step: some 100,000 companies. */
const blocksPerStep = 100;

const defaultOrder: readonly OrderKey[] = [{ column: 'registered', isDescending: true }];

export type Lists = ReturnType<typeof createLists>;

/** @param leiOf LEI of an entity */
export function createLists(columns: ColumnReader, leiOf: (entity: EntityNumber) => string) {
  const sets = new Sets(columns);
  const ranks = new Map<ValueColumnName, Uint16Array>();
  return {
    *list(query: ListQuery): Steps<ListOutcome> {
      const from = query.after === null ? 0 : positionOf(query.after);
      const set = yield* sets.matching(query.conditions, query.among);
      if (from === null || from > set.count) return { outcome: 'refused' };
      const keys = [...query.order, ...defaultOrder].flatMap((key) => levelsOf(columns, key, ranks));
      const page = { skip: from, limit: Math.min(query.limit, set.count - from) };
      const entities = yield* pageOf({ sets, keys, leiOf }, set, 0, page);
      const end = from + entities.length;
      return { outcome: 'page', total: set.count, entities, next: end < set.count ? String(end) : null };
    },
    /** The values that companies have. */
    values(column: ValueColumnName): ReadonlySet<string> {
      return new Set(columns.values(column).flat());
    },
  };
}

function positionOf(after: string): number | null {
  return /^\d{1,8}$/.test(after) ? Number(after) : null;
}

/** Entities by number, one bit each. */
interface EntitySet {
  readonly words: Uint32Array;
  readonly count: number;
}

/** Whether a code passes. */
type CodeTest = (codes: Codes, words: Uint32Array) => void;
type Codes = Uint16Array | Uint32Array;

/** Excludes nothing. Like every condition, it leaves out an LEI without a record. */
const anyCompany: Condition = { column: 'registrationStatus', values: [], isExcluded: true };

class Sets {
  readonly #columns: ColumnReader;
  readonly #places = new Uint16Array(blockEntities);
  readonly #digits = new Uint16Array(blockEntities);
  /** The last set without `among`: the next page of a list asks for it again. */
  #last: { readonly key: string; readonly set: EntitySet } | null = null;

  constructor(columns: ColumnReader) {
    this.#columns = columns;
  }

  *matching(conditions: readonly Condition[], among: Uint32Array | null): Steps<EntitySet> {
    const key = JSON.stringify(conditions);
    if (among === null && this.#last?.key === key) return this.#last.set;
    const tests = (conditions.length === 0 ? [anyCompany] : conditions).map((condition) => ({
      column: condition.column,
      keep: testOf(this.#columns, condition),
    }));
    const words = among === null ? null : bitsOf(among, this.#columns.blocks);
    const set = yield* this.#keep(words, tests);
    if (among === null) this.#last = { key, set };
    return set;
  }

  /** @param start null for all entities */
  *#keep(
    start: Uint32Array | null,
    tests: readonly { readonly column: ColumnName; readonly keep: CodeTest }[],
  ): Steps<EntitySet> {
    const words = start ?? new Uint32Array(this.#columns.blocks * wordsPerBlock).fill(0xffff_ffff);
    let count = 0;
    for (let block = 0; block < this.#columns.blocks; block++) {
      const part = words.subarray(block * wordsPerBlock, (block + 1) * wordsPerBlock);
      let left = populationOf(part);
      for (const { column, keep } of tests) {
        if (left === 0) break;
        keep(this.#columns.codes(column, block), part);
        left = populationOf(part);
      }
      count += left;
      if (block % blocksPerStep === blocksPerStep - 1) yield;
    }
    return { words, count };
  }

  /**
   * Goes through the blocks that have members of a set.
   * @param take receives a block, the places of its members, their number, and the digits of all places at a level. They
   * are valid during the call
   */
  *eachBlock(set: EntitySet, level: Level, take: TakeBlock): Steps<void> {
    for (let block = 0; block < this.#columns.blocks; block++) {
      if (block % blocksPerStep === blocksPerStep - 1) yield;
      const count = placesIn(set.words, block * wordsPerBlock, this.#places);
      if (count === 0) continue;
      level.digits(this.#columns.codes(level.column, block), this.#digits);
      take(block * blockEntities, this.#places, count, this.#digits);
    }
  }

  empty(): Uint32Array {
    return new Uint32Array(this.#columns.blocks * wordsPerBlock);
  }
}

type TakeBlock = (firstEntity: EntityNumber, places: Uint16Array, count: number, digits: Uint16Array) => void;

/** The places of set bits in a block, ascending. @returns their number */
function placesIn(words: Uint32Array, first: number, places: Uint16Array): number {
  let count = 0;
  for (let word = 0; word < wordsPerBlock; word++) {
    for (let bits = words[first + word] ?? 0; bits !== 0; bits &= bits - 1) {
      places[count++] = word * 32 + (31 - Math.clz32(bits & -bits));
    }
  }
  return count;
}

function bitsOf(entities: Uint32Array, blocks: number): Uint32Array {
  const words = new Uint32Array(blocks * wordsPerBlock);
  for (const entity of entities) if (blockOf(entity) < blocks) setBit(words, entity);
  return words;
}

function setBit(words: Uint32Array, entity: number): void {
  words[entity >>> 5] = (words[entity >>> 5] ?? 0) | (1 << (entity & 31));
}

/** Clears the bits of entities that a condition does not let pass. */
function testOf(columns: ColumnReader, condition: Condition): CodeTest {
  if ('values' in condition) return keepListed(codesOf(columns, condition));
  const { column, from, to } = condition;
  const least = from === null ? 1 : timeCode(column, from);
  const most = to === null ? timeCodeMax : timeCode(column, to);
  return (codes, words) => {
    for (let word = 0; word < words.length; word++) {
      let kept = 0;
      for (let bits = words[word] ?? 0; bits !== 0; bits &= bits - 1) {
        const bit = bits & -bits;
        const code = codes[word * 32 + (31 - Math.clz32(bit))] ?? 0;
        if (code >= least && code <= most) kept |= bit;
      }
      words[word] = kept;
    }
  };
}

/** 1 for each code that passes. Code 0, no record, never does. */
function codesOf(columns: ColumnReader, condition: Extract<Condition, { values: unknown }>): Uint8Array {
  const { column, values, isExcluded } = condition;
  const wanted = new Set(values);
  const passing = new Uint8Array(textCodeMax + 1);
  for (const [index, each] of columns.values(column).entries()) {
    passing[index + 1] = each.some((value) => wanted.has(value)) === isExcluded ? 0 : 1;
  }
  return passing;
}

function keepListed(passing: Uint8Array): CodeTest {
  return (codes, words) => {
    for (let word = 0; word < words.length; word++) {
      const before = words[word] ?? 0;
      if (before === 0) continue;
      let kept = 0;
      const first = word * 32;
      // All 32: looking for set bits takes longer than looking up their codes.
      for (let bit = 0; bit < 32; bit++) kept |= (passing[codes[first + bit] ?? 0] ?? 0) << bit;
      words[word] = before & kept;
    }
  };
}

function populationOf(words: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < words.length; i++) {
    let word = words[i] ?? 0;
    if (word === 0) continue;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** A digit of 16 bits by which companies are ordered, ascending. A text has one, a time two. */
interface Level {
  readonly column: ColumnName;
  /** The digits of all codes of a block. */
  readonly digits: (codes: Codes, into: Uint16Array) => void;
}
const digitMax = 0xffff;

function levelsOf(
  columns: ColumnReader,
  { column, isDescending }: OrderKey,
  ranks: Map<ValueColumnName, Uint16Array>,
): Level[] {
  if (isTime(column)) {
    return [16, 0].map((shift) => ({ column, digits: timeDigits(shift, isDescending) }));
  }
  const known = ranks.get(column) ?? ranksOf(columns.values(column));
  ranks.set(column, known);
  return [{ column, digits: textDigits(known, isDescending) }];
}

/** @param shift of the digit in a place of 32 bits. Code 0, no time, has the last place */
function timeDigits(shift: number, isDescending: boolean): Level['digits'] {
  const flipped = isDescending ? timeCodeMax : 0;
  return (codes, into) => {
    for (let at = 0; at < into.length; at++) {
      const code = codes[at] ?? 0;
      // Unsigned: code 0 of ascending order becomes the greatest.
      into[at] = ((isDescending ? code ^ flipped : code - 1) >>> shift) & digitMax;
    }
  };
}

function textDigits(ranks: Uint16Array, isDescending: boolean): Level['digits'] {
  const byCode = ranks.map((rank) => (rank === 0 || isDescending ? digitMax - rank : rank));
  return (codes, into) => {
    for (let at = 0; at < into.length; at++) into[at] = byCode[codes[at] ?? 0] ?? 0;
  };
}

/** The place of each code among all in the order of their values, from 1; 0 for none. */
function ranksOf(values: readonly (readonly string[])[]): Uint16Array {
  const ranks = new Uint16Array(values.length + 1);
  const texts = values.map((each, index) => ({ text: each.join('\n'), code: index + 1 }));
  const present = texts.filter(({ text }) => text !== '');
  present.sort((a, b) => (a.text < b.text ? -1 : 1));
  for (const [index, { code }] of present.entries()) ranks[code] = index + 1;
  return ranks;
}

interface Ordering {
  readonly sets: Sets;
  readonly keys: readonly Level[];
  readonly leiOf: (entity: EntityNumber) => string;
}

interface Page {
  readonly skip: number;
  readonly limit: number;
}

/** A page of a set whose members are equal at all levels before `depth`. */
function* pageOf(ordering: Ordering, set: EntitySet, depth: number, page: Page): Steps<EntityNumber[]> {
  const { sets, keys } = ordering;
  const level = keys[depth];
  if (page.limit === 0) return [];
  if (set.count <= sortedMax || level === undefined) return yield* sorted(ordering, set, depth, page);
  const counts = new Uint32Array(digitMax + 1);
  yield* sets.eachBlock(set, level, (_, places, members, digits) => {
    for (let member = 0; member < members; member++) {
      const digit = digits[places[member] ?? 0] ?? 0;
      counts[digit] = (counts[digit] ?? 0) + 1;
    }
  });
  const { first, last, before, count } = digitsOf(counts, page);
  const within = { skip: page.skip - before, limit: page.limit };
  if (first === last || count <= sortedMax) {
    const part = yield* partOf(sets, set, level, first, last);
    return yield* pageOf(ordering, part, first === last ? depth + 1 : depth, within);
  }
  // The page begins within one large group and ends in another: each is looked at by itself.
  const inFirst = Math.min(page.limit, (counts[first] ?? 0) - within.skip);
  const begin = yield* partOf(sets, set, level, first, first);
  const beginning = yield* pageOf(ordering, begin, depth + 1, { skip: within.skip, limit: inFirst });
  const rest = yield* partOf(sets, set, level, first + 1, last);
  const ending = yield* pageOf(ordering, rest, depth, { skip: 0, limit: page.limit - inFirst });
  return [...beginning, ...ending];
}

/** The digits of which a page consists, how many members come before the first, and how many have one of them. */
function digitsOf(counts: Uint32Array, { skip, limit }: Page) {
  let before = 0;
  let first = 0;
  while (before + (counts[first] ?? 0) <= skip) before += counts[first++] ?? 0;
  let last = first;
  let count = counts[first] ?? 0;
  while (before + count < skip + limit) count += counts[++last] ?? 0;
  return { first, last, before, count };
}

/** The members of a set whose digit lies between two. */
function* partOf(sets: Sets, set: EntitySet, level: Level, first: number, last: number): Steps<EntitySet> {
  const words = sets.empty();
  let count = 0;
  yield* sets.eachBlock(set, level, (firstEntity, places, members, digits) => {
    for (let member = 0; member < members; member++) {
      const place = places[member] ?? 0;
      const digit = digits[place] ?? 0;
      if (digit < first || digit > last) continue;
      setBit(words, firstEntity + place);
      count++;
    }
  });
  return { words, count };
}

/** Sorts a set by all levels from `depth` on, then by LEI. */
function* sorted(
  { sets, keys, leiOf }: Ordering,
  set: EntitySet,
  depth: number,
  { skip, limit }: Page,
): Steps<EntityNumber[]> {
  const members: { entity: EntityNumber; readonly digits: number[]; lei: string }[] = [];
  // With all levels behind it, the set still has to be read: by any column.
  const levels = depth < keys.length ? keys.slice(depth) : keys.slice(-1);
  for (const level of levels) {
    let at = 0;
    yield* sets.eachBlock(set, level, (firstEntity, places, count, digits) => {
      for (let index = 0; index < count; index++) {
        const place = places[index] ?? 0;
        const entity = firstEntity + place;
        const member = members[at] ?? { entity, digits: [], lei: '' };
        members[at++] = member;
        member.digits.push(digits[place] ?? 0);
      }
    });
  }
  const known = (member: (typeof members)[number]) => {
    if (member.lei === '') member.lei = leiOf(member.entity).slice(0, leiLength);
    return member.lei;
  };
  members.sort((a, b) => {
    for (let level = 0; level < a.digits.length; level++) {
      const difference = (a.digits[level] ?? 0) - (b.digits[level] ?? 0);
      if (difference !== 0) return difference;
    }
    return known(a) < known(b) ? -1 : 1;
  });
  return members.slice(skip, skip + limit).map(({ entity }) => entity);
}
