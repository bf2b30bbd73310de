/** Sets of entities that meet conditions on columns, and passes over their members. */
import type { FieldCondition } from '../../protocol/list-questions.ts';
import { populationOf } from '../search/sets/bitmap.ts';
import type { Steps } from '../steps.ts';
import type { ColumnCodesOfBlock, ColumnReader } from './column-reader.ts';
import { blockEntities, blockOf, type ColumnName, codeMax, textCodeMax, timeCode } from './layout.ts';
import type { ColumnsQuery, EntityCondition } from './list-query.ts';
import type { DigitStage } from './order.ts';
import { folded, hashCode } from './texts.ts';

const wordsPerBlock = blockEntities / 32;
/** Blocks of one step: some 100,000 companies. */
const blocksPerStep = 100;
/** Members of one step whose records are read. */
const membersPerStep = 200;

/** Entities by number, one bit each. */
export interface EntitySet {
  readonly words: Uint32Array;
  readonly count: number;
}

/** Whether a code passes. */
type CodeTest = (codes: ColumnCodesOfBlock, words: Uint32Array) => void;

/** Excludes nothing. Like every condition, it leaves out an LEI without a record. */
const anyCompany: FieldCondition = {
  is: 'value',
  field: 'registrationStatus',
  values: [],
  isExcluded: true,
};

export class Sets {
  readonly #columns: ColumnReader;
  readonly #places = new Uint16Array(blockEntities);
  readonly #digits = new Uint16Array(blockEntities);
  /** The last set without `among`: the next page of a list asks for it again. */
  #last: { readonly key: string; readonly set: EntitySet } | null = null;

  constructor(columns: ColumnReader) {
    this.#columns = columns;
  }

  /** The companies that meet all conditions. The set must not be changed: the next page of a list may get it too. */
  *matching(conditions: ColumnsQuery['conditions']): Steps<EntitySet> {
    const onFields = conditions.filter((condition) => condition.is !== 'entity');
    const onEntities = conditions.filter((condition) => condition.is === 'entity');
    const key = JSON.stringify(onFields);
    if (onEntities.length === 0 && this.#last?.key === key) return this.#last.set;
    // Neither an excluded text nor an entity tells whether there is a record.
    const leavesOut = onFields.some(({ is }) => is === 'value' || is === 'time');
    const tests = (leavesOut ? onFields : [anyCompany, ...onFields]).map((condition) => ({
      column: condition.field,
      keep: testOf(this.#columns, condition),
    }));
    const words = onEntities.length === 0 ? null : this.#bitsOf(onEntities);
    const set = yield* this.#keep(words, tests);
    if (onEntities.length === 0) this.#last = { key, set };
    return set;
  }

  /** The entities that meet all conditions, whether they have a record or not. */
  #bitsOf(conditions: readonly EntityCondition[]): Uint32Array {
    const words = this.empty().fill(0xffff_ffff);
    for (const { entities, isExcluded } of conditions) {
      const flip = isExcluded ? 0xffff_ffff : 0;
      const listed = bitsOf(entities, this.#columns.blocks);
      for (let word = 0; word < words.length; word++) {
        words[word] = (words[word] ?? 0) & ((listed[word] ?? 0) ^ flip);
      }
    }
    return words;
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
   * @param take receives a block, the places of its members, their number, and the digits of all places. They
   * are valid during the call
   */
  *eachBlock(set: EntitySet, stage: DigitStage, take: TakeBlock): Steps<void> {
    for (let block = 0; block < this.#columns.blocks; block++) {
      if (block % blocksPerStep === blocksPerStep - 1) yield;
      const count = placesIn(set.words, block * wordsPerBlock, this.#places);
      if (count === 0) continue;
      stage.digits(this.#columns.codes(stage.column, block), this.#digits);
      take(block * blockEntities, this.#places, count, this.#digits);
    }
  }

  /** Goes through the members of a set, a few in each step: their records may be read. */
  *eachMember(set: EntitySet, take: (entity: number) => void): Steps<void> {
    let inStep = 0;
    for (let block = 0; block < this.#columns.blocks; block++) {
      if (inStep >= membersPerStep || block % blocksPerStep === blocksPerStep - 1) {
        yield;
        inStep = 0;
      }
      const count = placesIn(set.words, block * wordsPerBlock, this.#places);
      for (let at = 0; at < count; at++) take(block * blockEntities + (this.#places[at] ?? 0));
      inStep += count;
    }
  }

  empty(): Uint32Array {
    return new Uint32Array(this.#columns.blocks * wordsPerBlock);
  }
}

type TakeBlock = (firstEntity: number, places: Uint16Array, count: number, digits: Uint16Array) => void;

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

/** The members of a set, ascending. */
export function entitiesIn({ words, count }: EntitySet): Uint32Array {
  const entities = new Uint32Array(count);
  let at = 0;
  for (let word = 0; word < words.length; word++) {
    for (let bits = words[word] ?? 0; bits !== 0; bits &= bits - 1) {
      entities[at++] = word * 32 + (31 - Math.clz32(bits & -bits));
    }
  }
  return entities;
}

export function hasBit(words: Uint32Array, entity: number): boolean {
  return (((words[entity >>> 5] ?? 0) >>> (entity & 31)) & 1) === 1;
}

export function clearBit(words: Uint32Array, entity: number): void {
  words[entity >>> 5] = (words[entity >>> 5] ?? 0) & ~(1 << (entity & 31));
}

export function setBit(words: Uint32Array, entity: number): void {
  words[entity >>> 5] = (words[entity >>> 5] ?? 0) | (1 << (entity & 31));
}

/** Clears the bits of entities that a condition does not let pass. */
function testOf(columns: ColumnReader, condition: FieldCondition): CodeTest {
  if (condition.is === 'value') return keepListed(codesOf(columns, condition));
  if (condition.is === 'text') return keepHashed(condition);
  const { field, from, to } = condition;
  const least = from === null ? 1 : timeCode(field, from);
  const most = to === null ? codeMax : timeCode(field, to);
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
function codesOf(columns: ColumnReader, condition: Extract<FieldCondition, { is: 'value' }>): Uint8Array {
  const { field, values, isExcluded } = condition;
  const wanted = new Set(values);
  const passing = new Uint8Array(textCodeMax + 1);
  for (const [index, each] of columns.values(field).entries()) {
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

/** Keeps companies by the hashes of their texts. Very rarely another text has the same hash. */
function keepHashed({ field, values, isExcluded }: Extract<FieldCondition, { is: 'text' }>): CodeTest {
  const wanted = new Set(values.map((value) => hashCode(folded(field, value))));
  return (codes, words) => {
    for (let word = 0; word < words.length; word++) {
      const before = words[word] ?? 0;
      let kept = 0;
      for (let bits = before; bits !== 0; bits &= bits - 1) {
        const bit = bits & -bits;
        const code = codes[word * 32 + (31 - Math.clz32(bit))] ?? 0;
        if (wanted.has(code) !== isExcluded) kept |= bit;
      }
      words[word] = kept;
    }
  };
}
