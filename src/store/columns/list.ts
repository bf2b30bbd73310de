/**
 * Lists companies by their columns: conditions give a set of entities, whose size is the total; then a page of the set is
 * put in order. All work is done in steps, between which others have their turn.
 *
 * A page is found without sorting the set. A pass over the set counts how many companies have each value of the first
 * order column. That tells which values the page consists of; only companies with these are looked at further, by the
 * next column. What is left is sorted. So a page far behind costs as much as the first.
 */
import type { ListOrder } from '../../protocol/list-questions.ts';
import { leiLength } from '../company-record.ts';
import type { EntityNumber } from '../publication-reader.ts';
import type { Steps } from '../steps.ts';
import type { ColumnReader } from './column-reader.ts';
import { clearBit, type EntitySet, entitiesIn, hasBit, Sets, setBit } from './entity-sets.ts';
import type { ValueColumnName } from './layout.ts';
import type { ColumnsPage, ColumnsQuery, Lists } from './list-query.ts';
import { digitMax, type Level, levelsOf } from './order.ts';

/** Up to this many companies are sorted at once. */
const sortedMax = 4096;

const defaultOrder: readonly ListOrder[] = [{ field: 'registered', isDescending: true }];

/** @param leiOf LEI of an entity */
export function createLists(columns: ColumnReader, leiOf: (entity: EntityNumber) => string): Lists {
  const sets = new Sets(columns);
  const ranks = new Map<ValueColumnName, Uint16Array>();
  return {
    *list({ conditions, first, order, skip, limit }: ColumnsQuery): Steps<ColumnsPage> {
      const set = yield* sets.matching(conditions);
      const ranked = first === null ? noEntities : yield* membersOf(set, first);
      const entities = [...ranked.subarray(skip, skip + limit)];
      const others = set.count - ranked.length;
      const page = { skip: Math.max(0, skip - ranked.length), limit: limit - entities.length };
      if (page.limit > 0 && page.skip < others) {
        const keys = order.length === 0 ? defaultOrder : order;
        const levels = keys.flatMap((key) => levelsOf(columns, key, ranks));
        const rest = ranked.length === 0 ? set : without(set, ranked);
        const shown = { ...page, limit: Math.min(page.limit, others - page.skip) };
        entities.push(...(yield* pageOf({ sets, keys: levels, leiOf }, rest, 0, shown)));
      }
      return { total: set.count, entities };
    },
    *matching(conditions: ColumnsQuery['conditions']): Steps<Uint32Array> {
      return entitiesIn(yield* sets.matching(conditions));
    },
    /** The values that companies have. */
    values(column: ValueColumnName): ReadonlySet<string> {
      return new Set(columns.values(column).flat());
    },
  };
}

const noEntities = new Uint32Array(0);
/** Entities of one step: some 50 microseconds of work. */
const entitiesPerStep = 10_000;

/** Those of the entities that are members of a set, in their order. */
function* membersOf({ words }: EntitySet, entities: Uint32Array): Steps<Uint32Array> {
  const members = new Uint32Array(entities.length);
  let count = 0;
  for (let i = 0; i < entities.length; i++) {
    if (i % entitiesPerStep === entitiesPerStep - 1) yield;
    const entity = entities[i] ?? 0;
    if (hasBit(words, entity)) members[count++] = entity;
  }
  return members.subarray(0, count);
}

function without({ words, count }: EntitySet, members: Uint32Array): EntitySet {
  const rest = words.slice();
  for (const entity of members) clearBit(rest, entity);
  return { words: rest, count: count - members.length };
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
