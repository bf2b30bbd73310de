/**
 * Lists companies by their columns: conditions give a set of entities, whose size is the total; then a page of the set is
 * put in order. All work is done in steps, between which others have their turn.
 *
 * A page is found without sorting the set. A pass over the set counts how many companies have each value of the first
 * order column. That tells which values the page consists of; only companies with these are looked at further, by the
 * next column. What is left is sorted. So a page far behind costs as much as the first.
 */
import type { OrderText, ValueField } from '../../lei/list-fields.ts';
import type { ListOrder } from '../../protocol/list-questions.ts';
import type { EntityNumber } from '../publication-reader.ts';
import type { Steps } from '../steps.ts';
import type { ColumnReader } from './column-reader.ts';
import { clearBit, type EntitySet, entitiesIn, hasBit, Sets, setBit } from './entity-sets.ts';
import type { ColumnsPage, ColumnsQuery, Lists } from './list-query.ts';
import { byLei, digitMax, type Stage, stagesOf, type TextStage, textDigit, textStepsMax } from './order.ts';

/** Up to this many companies are sorted at once. */
const sortedMax = 2048;

const defaultOrder: readonly ListOrder[] = [{ field: 'registered', isDescending: true }];

/** Reads a text of an entity as it is ordered; '' for none. */
export type TextReader = (entity: EntityNumber, text: OrderText | 'lei') => string;

export function createLists(columns: ColumnReader, textOf: TextReader): Lists {
  const sets = new Sets(columns);
  const ranks = new Map<ValueField, Uint16Array>();
  return {
    *list({ conditions, first, order, skip, limit }: ColumnsQuery): Steps<ColumnsPage> {
      const set = yield* sets.matching(conditions);
      const ranked = first === null ? noEntities : yield* membersOf(set, first);
      const entities = [...ranked.subarray(skip, skip + limit)];
      const others = set.count - ranked.length;
      const page = { skip: Math.max(0, skip - ranked.length), limit: limit - entities.length };
      if (page.limit > 0 && page.skip < others) {
        const keys = order.length === 0 ? defaultOrder : order;
        const stages = [...keys.flatMap((key) => stagesOf(columns, key, ranks)), ...byLei];
        const rest = ranked.length === 0 ? set : without(set, ranked);
        const shown = { ...page, limit: Math.min(page.limit, others - page.skip) };
        entities.push(...(yield* pageOf({ sets, stages, textOf }, rest, beginning, shown)));
      }
      return { total: set.count, entities };
    },
    *matching(conditions: ColumnsQuery['conditions']): Steps<Uint32Array> {
      return entitiesIn(yield* sets.matching(conditions));
    },
    /** The values that companies have. */
    values(column: ValueField): ReadonlySet<string> {
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
  readonly stages: readonly Stage[];
  readonly textOf: TextReader;
}

interface Page {
  readonly skip: number;
  readonly limit: number;
}

/** A stage, and a step within the text of one. */
interface StagePlace {
  readonly depth: number;
  readonly step: number;
}
const beginning: StagePlace = { depth: 0, step: 0 };

/** A page of a set whose members are equal in all digits before a place. */
function* pageOf(ordering: Ordering, set: EntitySet, at: StagePlace, page: Page): Steps<EntityNumber[]> {
  const stage = ordering.stages[at.depth];
  if (page.limit === 0) return [];
  if (set.count <= sortedMax || stage === undefined) return yield* sorted(ordering, set, at.depth, page);
  const counts = new Uint32Array(digitMax + 1);
  yield* eachDigit(ordering, set, stage, at.step, (_, digit) => {
    counts[digit] = (counts[digit] ?? 0) + 1;
  });
  const { first, last, before, count } = digitsOf(counts, page);
  const within = { skip: page.skip - before, limit: page.limit };
  const part = (from: number, to: number) => partOf(ordering, set, stage, at.step, from, to);
  const below = placeBelow(stage, at, first);
  if (first === last) return yield* pageOf(ordering, yield* part(first, first), below, within);
  if (count <= sortedMax) return yield* pageOf(ordering, yield* part(first, last), at, within);
  // The page begins within one large group and ends in another: each is looked at by itself.
  const inFirst = Math.min(page.limit, (counts[first] ?? 0) - within.skip);
  const begin = yield* part(first, first);
  const begun = yield* pageOf(ordering, begin, below, { skip: within.skip, limit: inFirst });
  const rest = yield* part(first + 1, last);
  const ended = yield* pageOf(ordering, rest, at, { skip: 0, limit: page.limit - inFirst });
  return [...begun, ...ended];
}

/** The place that orders companies with the same digit at another one. */
function placeBelow(stage: Stage, { depth, step }: StagePlace, digit: number): StagePlace {
  const next = { depth: depth + 1, step: 0 };
  if ('column' in stage || step === textStepsMax) return next;
  return digit === textDigit('', 0, stage.isDescending) ? next : { depth, step: step + 1 };
}

/** Goes through the members of a set with their digits at a place. */
function* eachDigit(
  { sets, textOf }: Ordering,
  set: EntitySet,
  stage: Stage,
  step: number,
  take: (entity: EntityNumber, digit: number) => void,
): Steps<void> {
  if ('column' in stage) {
    yield* sets.eachBlock(set, stage, (firstEntity, places, count, digits) => {
      for (let member = 0; member < count; member++) {
        const place = places[member] ?? 0;
        take(firstEntity + place, digits[place] ?? 0);
      }
    });
    return;
  }
  const { text, isDescending } = stage;
  yield* sets.eachMember(set, (entity) => take(entity, textDigit(textOf(entity, text), step, isDescending)));
}

/** The digits of a page, with the number of members before the first, and of those that have one of them. */
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
function* partOf(
  ordering: Ordering,
  set: EntitySet,
  stage: Stage,
  step: number,
  first: number,
  last: number,
): Steps<EntitySet> {
  const words = ordering.sets.empty();
  let count = 0;
  yield* eachDigit(ordering, set, stage, step, (entity, digit) => {
    if (digit < first || digit > last) return;
    setBit(words, entity);
    count++;
  });
  return { words, count };
}

/** A company that is sorted: its digits, and texts that were needed. */
interface Sorted {
  readonly entity: EntityNumber;
  /** At the digit stages; 0 at others. */
  readonly digits: number[];
  readonly texts: Map<number, string>;
}

/** Sorts a set by all stages from `depth` on. */
function* sorted(
  ordering: Ordering,
  set: EntitySet,
  depth: number,
  { skip, limit }: Page,
): Steps<EntityNumber[]> {
  const stages = ordering.stages.slice(depth).filter((stage) => !('isShortcut' in stage && stage.isShortcut));
  const members: Sorted[] = [];
  yield* ordering.sets.eachMember(set, (entity) => members.push({ entity, digits: [], texts: new Map() }));
  for (const [index, stage] of stages.entries()) {
    if (!('column' in stage)) continue;
    let at = 0;
    yield* eachDigit(ordering, set, stage, 0, (_, digit) => {
      const member = members[at++];
      if (member !== undefined) member.digits[index] = digit;
    });
  }
  members.sort((a, b) => {
    for (const [index, stage] of stages.entries()) {
      const difference =
        'column' in stage
          ? (a.digits[index] ?? 0) - (b.digits[index] ?? 0)
          : byText(ordering, index, stage, a, b);
      if (difference !== 0) return difference;
    }
    return 0;
  });
  return members.slice(skip, skip + limit).map(({ entity }) => entity);
}

function byText({ textOf }: Ordering, index: number, stage: TextStage, a: Sorted, b: Sorted): number {
  const known = (member: Sorted) => {
    const text = member.texts.get(index) ?? textOf(member.entity, stage.text);
    member.texts.set(index, text);
    return text;
  };
  const [one, other] = [known(a), known(b)];
  if (one === other) return 0;
  return one < other === stage.isDescending ? 1 : -1;
}
