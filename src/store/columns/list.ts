/**
 * Lists companies by their columns: conditions give a set of entities, whose size is the total; then a page of the set is
 * put in order. All work is done in steps, between which others have their turn.
 *
 * A page is found without sorting the set. A pass over the set counts how many companies have each value of the first
 * order column. That tells which values the page consists of; only companies with these are looked at further, by the
 * next column. What is left is sorted. So a page far behind costs as much as the first.
 */
import { leiLength } from '../company-record.ts';
import type { EntityNumber } from '../publication-reader.ts';
import type { Steps } from '../steps.ts';
import type { ColumnReader } from './column-reader.ts';
import { type EntitySet, Sets, setBit } from './entity-sets.ts';
import type { ValueColumnName } from './layout.ts';
import type { ListOutcome, ListQuery, Lists, OrderKey } from './list-query.ts';
import { digitMax, type Level, levelsOf } from './order.ts';

/** Up to this many companies are sorted at once. */
const sortedMax = 4096;

const defaultOrder: readonly OrderKey[] = [{ column: 'registered', isDescending: true }];

/** @param leiOf LEI of an entity */
export function createLists(columns: ColumnReader, leiOf: (entity: EntityNumber) => string): Lists {
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
