/**
 * Lists companies by their columns: conditions give a set of entities, whose size is the total; then a page of the set is
 * put in order. All work is done in steps, between which others have their turn.
 *
 * A page is found without sorting the set. What matters is how many members have each value of the first order column,
 * which entities grouped by it (first-digits.ts) or a pass over the set tell. From this follow the values of which the
 * page consists; only companies with these are looked at further, by the next column. What is left is sorted. So a page
 * far behind costs about as much as the first.
 */
import type { ValueField } from '../../lei/list-fields.ts';
import type { ListOrder } from '../../protocol/list-questions.ts';
import type { EntityNumber } from '../publication-reader.ts';
import type { Steps } from '../steps.ts';
import { clearBit, codesPerStep, type EntitySet, entitiesIn, hasBit, setBit, wordsPerStep } from './bits.ts';
import type { ColumnReader } from './column-reader.ts';
import { Sets } from './entity-sets.ts';
import { type DigitRange, FirstDigits, type Page } from './first-digits.ts';
import { hasOneValue } from './layout.ts';
import type { ColumnsPage, ColumnsQuery, Lists } from './list-query.ts';
import {
  byLei,
  type ColumnStage,
  digitMax,
  type Stage,
  stagesOf,
  type TextStage,
  textDigit,
  textStepsMax,
} from './order.ts';
import { type DigitSpan, Passes } from './passes.ts';
import type { ListRooms } from './set-rooms.ts';
import type { EntityTexts } from './texts.ts';

/** Up to this many companies are sorted. */
const sortedMax = 2048;

const defaultOrder: readonly ListOrder[] = [{ field: 'registered', isDescending: true }];

/** What the lists of a publication share. */
interface SharedParts {
  readonly columns: ColumnReader;
  readonly sets: Sets;
  /** Of the columns that were asked for. */
  readonly ranks: Map<ValueField, Uint16Array>;
  readonly firstDigits: FirstDigits;
  readonly passes: Passes;
  readonly textOf: EntityTexts['ordered'];
}

export function createLists(columns: ColumnReader, texts: EntityTexts): Lists {
  const sets = new Sets(columns, texts.published);
  const shared: SharedParts = {
    columns,
    sets,
    ranks: new Map(),
    firstDigits: new FirstDigits(sets),
    passes: new Passes(sets),
    textOf: texts.ordered,
  };
  const known = new Map<ValueField, ReadonlySet<string>>();
  return {
    *list(query: ColumnsQuery): Steps<ColumnsPage> {
      const rooms = sets.rooms();
      try {
        const set = yield* sets.matching(query.conditions, rooms);
        return { total: set.count, entities: yield* entitiesOf(shared, query, set, rooms) };
      } finally {
        rooms.end();
      }
    },
    *matching(conditions: ColumnsQuery['conditions']): Steps<Uint32Array> {
      const rooms = sets.rooms();
      try {
        return yield* entitiesIn(yield* sets.matching(conditions, rooms));
      } finally {
        rooms.end();
      }
    },
    isExact: (word) => columns.commonBit(word) !== null,
    *values(column: ValueField): Steps<ReadonlySet<string>> {
      const values = known.get(column) ?? (yield* distinctIn(yield* columns.values(column)));
      known.set(column, values);
      return values;
    },
  };
}

function* distinctIn(values: readonly (readonly string[])[]): Steps<ReadonlySet<string>> {
  const distinct = new Set<string>();
  for (const [index, each] of values.entries()) {
    if (index % codesPerStep === 0) yield;
    for (const value of each) distinct.add(value);
  }
  return distinct;
}

/** The entities of a page of a list. @param set those that meet the conditions */
function* entitiesOf(
  shared: SharedParts,
  { conditions, first, order, skip, limit }: ColumnsQuery,
  set: EntitySet,
  rooms: ListRooms,
): Steps<EntityNumber[]> {
  const ranked = first === null ? noEntities : yield* membersOf(set, first);
  const entities = [...ranked.subarray(skip, skip + limit)];
  const others = set.count - ranked.length;
  const page = { skip: Math.max(0, skip - ranked.length), limit: limit - entities.length };
  if (page.limit === 0 || page.skip >= others) return entities;
  const keys = order.length === 0 ? defaultOrder : tellingKeys(order, conditions);
  const stages: Stage[] = [];
  for (const key of keys) stages.push(...(yield* stagesOf(shared.columns, key, shared.ranks)));
  stages.push(...byLei);
  const rest = ranked.length === 0 ? set : yield* without(set, ranked, rooms);
  const shown = { ...page, limit: Math.min(page.limit, others - page.skip) };
  entities.push(...(yield* pageOf({ ...shared, rooms, stages }, rest, beginning, shown)));
  return entities;
}

/** The keys of an order without those by which all companies that meet the conditions are equal. */
function tellingKeys(
  order: readonly ListOrder[],
  conditions: ColumnsQuery['conditions'],
): readonly ListOrder[] {
  const fixed = new Set<ListOrder['field']>();
  for (const condition of conditions) {
    if (condition.is !== 'value' || condition.isExcluded || condition.values.length !== 1) continue;
    if (hasOneValue(condition.field)) fixed.add(condition.field);
  }
  return order.filter(({ field }) => !fixed.has(field));
}

const noEntities = new Uint32Array(0);
/** Records that are read in one step: some 100 microseconds of work. */
const recordsPerStep = 100;

/** Those of the entities that are members of a set, in their order. */
function* membersOf({ words }: EntitySet, entities: Uint32Array): Steps<Uint32Array> {
  const members = new Uint32Array(entities.length);
  let count = 0;
  for (let i = 0; i < entities.length; i++) {
    if (i % wordsPerStep === wordsPerStep - 1) yield;
    const entity = entities[i] ?? 0;
    if (hasBit(words, entity)) members[count++] = entity;
  }
  return members.subarray(0, count);
}

function* without({ words, count }: EntitySet, members: Uint32Array, rooms: ListRooms): Steps<EntitySet> {
  const rest = rooms.copyOf(words);
  for (let i = 0; i < members.length; i++) {
    if (i % wordsPerStep === wordsPerStep - 1) yield;
    clearBit(rest, members[i] ?? 0);
  }
  return { words: rest, count: count - members.length };
}

interface Ordering extends SharedParts {
  readonly rooms: ListRooms;
  readonly stages: readonly Stage[];
}

/** A stage, and a step within it: a digit of a rank, or a part of a text. */
interface StagePlace {
  readonly depth: number;
  readonly step: number;
}
const beginning: StagePlace = { depth: 0, step: 0 };

/** A set, or its few members, ascending. */
type SetOrMembers = EntitySet | readonly EntityNumber[];

/** A page of members that are equal in all digits before a place. */
function* pageOf(
  ordering: Ordering,
  members: SetOrMembers,
  at: StagePlace,
  page: Page,
): Steps<EntityNumber[]> {
  if (page.limit === 0) return [];
  if (!('words' in members)) return yield* sorted(ordering, members, at.depth, page);
  const stage = ordering.stages[at.depth];
  if (members.count <= sortedMax || stage === undefined)
    return yield* sorted(ordering, [...(yield* entitiesIn(members))], at.depth, page);
  const { first, last, before, inFirst, count } = yield* rangeOf(ordering, members, at, page);
  const within = { skip: page.skip - before, limit: page.limit };
  const part = (span: DigitSpan) => partOf(ordering, members, at, span);
  const below = placeBelow(stage, at, first);
  if (first === last) {
    const equal = inFirst === members.count ? members : yield* part({ first, last });
    // Of texts with long equal beginnings, each step would keep a room of its own until the list ends.
    if (equal !== members) ordering.rooms.give(members.words);
    return yield* pageOf(ordering, equal, below, within);
  }
  if (count <= sortedMax) return yield* pageOf(ordering, yield* part({ first, last }), at, within);
  // The page begins within one large group and ends in another: each is looked at by itself.
  const limit = Math.min(page.limit, inFirst - within.skip);
  const begin = yield* part({ first, last: first });
  const begun = yield* pageOf(ordering, begin, below, { skip: within.skip, limit });
  const rest = yield* part({ first: first + 1, last });
  const ended = yield* pageOf(ordering, rest, at, { skip: 0, limit: page.limit - limit });
  return [...begun, ...ended];
}

/** The place that orders companies with the same digit at another one. */
function placeBelow(stage: Stage, { depth, step }: StagePlace, digit: number): StagePlace {
  const next = { depth: depth + 1, step: 0 };
  const further = { depth, step: step + 1 };
  if ('column' in stage) return further.step < stage.digits ? further : next;
  return step === textStepsMax || digit === textDigit('', 0, stage.isDescending) ? next : further;
}

/** The first stage of an order if entities are grouped by it: one with so many digits that the groups are small. */
function groupingStage({ stages }: Ordering, { depth, step }: StagePlace): ColumnStage | null {
  const stage = stages[depth];
  const isFirst = depth === 0 && step === 0;
  return isFirst && stage !== undefined && 'column' in stage && stage.digits > 1 ? stage : null;
}

function* rangeOf(ordering: Ordering, set: EntitySet, at: StagePlace, page: Page): Steps<DigitRange> {
  const grouping = groupingStage(ordering, at);
  const range =
    grouping === null ? null : yield* ordering.firstDigits.rangeOf(set, grouping, page, ordering.rooms);
  return range ?? rangeIn(yield* countsOf(ordering, set, at), page);
}

/** How many members of a set have each digit at a place. */
function* countsOf(ordering: Ordering, set: EntitySet, at: StagePlace): Steps<Uint32Array> {
  const stage = ordering.stages[at.depth];
  if (stage !== undefined && 'column' in stage) return yield* ordering.passes.counts(set, stage, at.step);
  const counts = new Uint32Array(digitMax + 1);
  yield* eachTextDigit(ordering, set, at, (_, digit) => {
    counts[digit] = (counts[digit] ?? 0) + 1;
  });
  return counts;
}

/** The digits of which a page consists. */
function rangeIn(counts: Uint32Array, { skip, limit }: Page): DigitRange {
  let before = 0;
  let first = 0;
  while (before + (counts[first] ?? 0) <= skip) before += counts[first++] ?? 0;
  const inFirst = counts[first] ?? 0;
  let last = first;
  let count = inFirst;
  while (before + count < skip + limit) count += counts[++last] ?? 0;
  return { first, last, before, inFirst, count };
}

/** The members of a set whose digit lies between two. */
function* partOf(ordering: Ordering, set: EntitySet, at: StagePlace, span: DigitSpan): Steps<SetOrMembers> {
  const stage = ordering.stages[at.depth];
  if (stage === undefined || !('column' in stage)) return yield* textPart(ordering, set, at, span);
  const members = yield* knownPart(ordering, set, stage, at, span);
  if (members !== null && members.length <= sortedMax) return [...members];
  return yield* ordering.passes.subset({ set, stage, step: at.step, span }, members, ordering.rooms);
}

/** The same as a list, if groups or earlier passes tell. */
function* knownPart(
  ordering: Ordering,
  set: EntitySet,
  stage: ColumnStage,
  at: StagePlace,
  span: DigitSpan,
): Steps<Uint32Array | null> {
  const grouping = groupingStage(ordering, at);
  const grouped = grouping === null ? null : yield* ordering.firstDigits.part(set, grouping, span);
  return grouped ?? (yield* ordering.passes.part(set, stage, at.step, span));
}

/** As {@link partOf}, by the digits of a text. */
function* textPart(
  ordering: Ordering,
  set: EntitySet,
  at: StagePlace,
  { first, last }: DigitSpan,
): Steps<EntitySet> {
  const words = ordering.rooms.empty();
  let count = 0;
  yield* eachTextDigit(ordering, set, at, (entity, digit) => {
    if (digit < first || digit > last) return;
    setBit(words, entity);
    count++;
  });
  return { words, count };
}

/** Goes through the members of a set with their digits in the text of a place. */
function* eachTextDigit(
  { stages, textOf }: Ordering,
  set: EntitySet,
  { depth, step }: StagePlace,
  take: (entity: EntityNumber, digit: number) => void,
): Steps<void> {
  const stage = stages[depth];
  if (stage === undefined || 'column' in stage) return;
  const { text, isDescending } = stage;
  let read = 0;
  for (const entity of yield* entitiesIn(set)) {
    if (++read % recordsPerStep === 0) yield;
    take(entity, textDigit(textOf(entity, text), step, isDescending));
  }
}

/**
 * A page of some companies, sorted by all stages from `depth` on. Of companies that are equal at a stage, only those
 * that may be on the page are looked at further.
 * @param members ascending
 */
function* sorted(
  ordering: Ordering,
  members: readonly EntityNumber[],
  depth: number,
  { skip, limit }: Page,
): Steps<EntityNumber[]> {
  const stage = ordering.stages[depth];
  if (stage === undefined || members.length <= 1) return members.slice(skip, skip + limit);
  const groups = yield* 'column' in stage
    ? groupsByRank(ordering, members, stage)
    : groupsByText(ordering, members, stage);
  const page: EntityNumber[] = [];
  let from = 0;
  for (const equal of groups) {
    if (from >= skip + limit) break;
    if (from + equal.length > skip) {
      const within = { skip: Math.max(0, skip - from), limit: limit - page.length };
      page.push(...(yield* sorted(ordering, equal, depth + 1, within)));
    }
    from += equal.length;
  }
  return page;
}

/** Groups of members that are equal at a stage, in its order; each is ascending. */
function* groupsByRank(
  { sets }: Ordering,
  members: readonly EntityNumber[],
  stage: ColumnStage,
): Steps<EntityNumber[][]> {
  const ranks = yield* sets.ranksOf(members, stage);
  // As numbers of which the place is the lowest part: sorting these takes no calls.
  const inOrder = Float64Array.from(ranks, (rank, place) => rank * sortedMax + place).sort();
  const groups: EntityNumber[][] = [];
  let before = -1;
  for (const each of inOrder) {
    const rank = Math.floor(each / sortedMax);
    const member = members[each - rank * sortedMax] ?? 0;
    if (rank === before) groups.at(-1)?.push(member);
    else groups.push([member]);
    before = rank;
  }
  return groups;
}

/** As {@link groupsByRank}. */
function* groupsByText(
  { textOf }: Ordering,
  members: readonly EntityNumber[],
  { text, isDescending }: TextStage,
): Steps<EntityNumber[][]> {
  const groups = new Map<string, EntityNumber[]>();
  for (const [index, entity] of members.entries()) {
    if (index % recordsPerStep === recordsPerStep - 1) yield;
    const key = textOf(entity, text);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entity]);
    else group.push(entity);
  }
  const sign = isDescending ? -1 : 1;
  const inOrder = [...groups].sort(([a], [b]) => (a < b ? -sign : sign));
  return inOrder.map(([, group]) => group);
}
