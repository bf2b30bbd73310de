/** Sets of entities that meet conditions on columns, and passes over their members. */
import type { FieldCondition } from '../../protocol/list-questions.ts';
import { populationOf } from '../search/sets/bitmap.ts';
import { hashOfWord } from '../sought-words.ts';
import type { Steps } from '../steps.ts';
import { clearBit, intersect, setBit } from './bits.ts';
import {
  hasMembers,
  keepBetween,
  keepCoded,
  keepListed,
  markHashes,
  placesIn,
  wordsPerBlock,
} from './block-scans.ts';
import type { ColumnReader } from './column-reader.ts';
import { blockEntities, blockOf, codeMax, placeOfColumn, textCodeMax, timeCode } from './layout.ts';
import type { ColumnsQuery, EntityCondition, WordsCondition } from './list-query.ts';
import type { DigitStage } from './order.ts';
import { bitsOfWord } from './signatures.ts';
import { type EntityTexts, folded, hashCode } from './texts.ts';

/** Blocks of one step: some 30 microseconds of work. */
const blocksPerStep = 32;
/** Records that are read in one step: some 100 microseconds of work. */
const recordsPerStep = 100;
/** Words of a set, or listed entities, of one step: some 30 microseconds of work. */
const wordsPerStep = 16_384;
/** Sets of single conditions that are kept. Lists have few conditions in common; among 3,450,000 companies each takes 430 kB. */
const setsKeptMax = 16;

/** Up to so many codes, comparing slices with each takes less time than making numbers of them. */
const fewCodesMax = 16;

/** Entities by number, one bit each. */
export interface EntitySet {
  readonly words: Uint32Array;
  readonly count: number;
}

type ValueCondition = Extract<FieldCondition, { is: 'value' }>;
type TextCondition = Extract<FieldCondition, { is: 'text' }>;
type TimeCondition = Extract<FieldCondition, { is: 'time' }>;

/** Excludes nothing. Like every condition, it leaves out an LEI without a record. */
const anyCompany: ValueCondition = {
  is: 'value',
  field: 'registrationStatus',
  values: [],
  isExcluded: true,
};

export class Sets {
  readonly #columns: ColumnReader;
  readonly #textOf: EntityTexts['published'];
  readonly #places = new Uint16Array(blockEntities);
  readonly #digits = new Uint16Array(blockEntities);
  /** Of single conditions, the last used one last. */
  readonly #kept = new Map<string, EntitySet>();
  /** The last set without certain entities: the next page of a list asks for it again. */
  #last: { readonly key: string; readonly set: EntitySet } | null = null;

  constructor(columns: ColumnReader, textOf: EntityTexts['published']) {
    this.#columns = columns;
    this.#textOf = textOf;
  }

  /** The companies that meet all conditions. The set must not be changed: the next list may get it too. */
  *matching(conditions: ColumnsQuery['conditions']): Steps<EntitySet> {
    const onEntities = conditions.filter((condition) => condition.is === 'entity');
    const key = onEntities.length > 0 ? null : JSON.stringify(conditions);
    if (key !== null && this.#last?.key === key) return this.#last.set;
    const set = yield* this.#found(conditions, onEntities);
    if (key !== null) this.#last = { key, set };
    return set;
  }

  *#found(conditions: ColumnsQuery['conditions'], onEntities: readonly EntityCondition[]): Steps<EntitySet> {
    const onValues = conditions.filter((condition) => condition.is === 'value');
    const [first = anyCompany, ...others] = onValues;
    const start = yield* this.#ofValues(first);
    const rest = conditions.filter((condition) => condition.is !== 'value' && condition.is !== 'entity');
    if (others.length + rest.length + onEntities.length === 0) return start;
    const words = start.words.slice();
    for (const condition of others) intersect(words, (yield* this.#ofValues(condition)).words);
    for (const { entities, isExcluded } of onEntities)
      intersect(words, yield* this.#bitsOf(entities), isExcluded ? 0xffff_ffff : 0);
    for (const condition of rest.toSorted((a, b) => costOf(a) - costOf(b)))
      yield* this.#keep(words, condition);
    return { words, count: populationOf(words) };
  }

  #keep(words: Uint32Array, condition: TimeCondition | TextCondition | WordsCondition): Steps<void> {
    switch (condition.is) {
      case 'time':
        return this.#keepTimes(words, condition);
      case 'words':
        return this.#keepWords(words, condition);
      case 'text':
        return this.#keepTexts(words, condition);
    }
  }

  /** All companies. */
  all(): Steps<EntitySet> {
    return this.#ofValues(anyCompany);
  }

  /** All companies that meet a condition. */
  *#ofValues(condition: ValueCondition): Steps<EntitySet> {
    const key = JSON.stringify(condition);
    const set = this.#kept.get(key) ?? (yield* this.#listed(condition));
    this.#kept.delete(key);
    this.#kept.set(key, set);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > setsKeptMax && oldest !== undefined) this.#kept.delete(oldest);
    return set;
  }

  *#listed(condition: ValueCondition): Steps<EntitySet> {
    const keep = this.#scanOf(condition);
    const words = this.empty().fill(0xffff_ffff);
    for (let block = 0; block < this.#columns.blocks; block++) {
      if (block % blocksPerStep === blocksPerStep - 1) yield;
      keep(block, words);
    }
    return { words, count: populationOf(words) };
  }

  /** Keeps the entities of a block that meet a condition. */
  #scanOf({ field, values, isExcluded }: ValueCondition): (block: number, words: Uint32Array) => void {
    const columns = this.#columns;
    const wanted = new Set(values);
    const known = columns.values(field);
    const codes = known.flatMap((each, index) => (each.some((value) => wanted.has(value)) ? index + 1 : []));
    // Code 0, no record, never passes.
    if (isExcluded) codes.push(0);
    if (placeOfColumn(field).isSliced && codes.length <= fewCodesMax) {
      const bits = 32 - Math.clz32(known.length);
      const few = { codes, isExcluded };
      return (block, words) =>
        keepCoded(columns.slices(field, block), bits, few, words, block * wordsPerBlock);
    }
    const passing = new Uint8Array(textCodeMax(field) + 1).fill(isExcluded ? 1 : 0);
    for (const code of codes) passing[code] = isExcluded ? 0 : 1;
    return (block, words) => keepListed(columns.codes(field, block), passing, words, block * wordsPerBlock);
  }

  *#keepTimes(words: Uint32Array, { field, from, to }: TimeCondition): Steps<void> {
    const least = from === null ? 1 : timeCode(field, from);
    const most = to === null ? codeMax : timeCode(field, to);
    for (let block = 0; block < this.#columns.blocks; block++) {
      if (block % blocksPerStep === blocksPerStep - 1) yield;
      const at = block * wordsPerBlock;
      if (hasMembers(words, at)) keepBetween(this.#columns.longCodes(field, block), least, most, words, at);
    }
  }

  *#keepWords(words: Uint32Array, { alternatives, isSearched }: WordsCondition): Steps<void> {
    const bitsOf = (word: string) =>
      (isSearched ? this.#columns.commonBit(word) : null) ?? bitsOfWord(hashOfWord(word));
    const bits = alternatives.map((each) => [...new Set(each.flatMap(bitsOf))]);
    for (let block = 0; block < this.#columns.blocks; block++) {
      if (block % blocksPerStep === blocksPerStep - 1) yield;
      const part = words.subarray(block * wordsPerBlock, (block + 1) * wordsPerBlock);
      if (hasMembers(part, 0)) this.#keepWordsIn(block, part, bits);
    }
  }

  /** @param bits of each alternative */
  #keepWordsIn(block: number, part: Uint32Array, bits: readonly (readonly number[])[]): void {
    const found = new Uint32Array(wordsPerBlock);
    for (const each of bits) {
      const left = part.slice();
      for (let i = 0; i < each.length && hasMembers(left, 0); i++)
        intersect(left, this.#columns.slice(each[i] ?? 0, block));
      for (let word = 0; word < wordsPerBlock; word++) found[word] = (found[word] ?? 0) | (left[word] ?? 0);
    }
    part.set(found);
  }

  /** The column has hashes, so the records decide about those with the hash of a wanted text. */
  *#keepTexts(words: Uint32Array, condition: TextCondition): Steps<void> {
    const { field, isExcluded } = condition;
    const isWanted = this.#textTest(condition);
    const hashes = new Set(condition.values.map((value) => hashCode(folded(field, value))));
    const like = this.empty();
    for (let block = 0; block < this.#columns.blocks; block++) {
      if (block % blocksPerStep === blocksPerStep - 1) yield;
      const at = block * wordsPerBlock;
      if (hasMembers(words, at)) markHashes(this.#columns.longCodes(field, block), hashes, words, like, at);
    }
    let read = 0;
    for (const entity of yield* entitiesIn({ words: like, count: populationOf(like) })) {
      if (++read % recordsPerStep === 0) yield;
      if (!isWanted(entity)) clearBit(like, entity);
    }
    intersect(words, like, isExcluded ? 0xffff_ffff : 0);
  }

  /** @returns whether an entity has a wanted text. Many companies have the same few. */
  #textTest({ field, values }: TextCondition): (entity: number) => boolean {
    const wanted = new Set(values.map((value) => folded(field, value)));
    const known = new Map<string, boolean>();
    return (entity) => {
      const text = this.#textOf(entity, field);
      const found = known.get(text) ?? wanted.has(folded(field, text));
      known.set(text, found);
      return found;
    };
  }

  *#bitsOf(entities: Uint32Array): Steps<Uint32Array> {
    const words = this.empty();
    for (let i = 0; i < entities.length; i++) {
      if (i % wordsPerStep === wordsPerStep - 1) yield;
      const entity = entities[i] ?? 0;
      if (blockOf(entity) < this.#columns.blocks) setBit(words, entity);
    }
    return words;
  }

  /**
   * Goes through the blocks that have members of a set.
   * @param take receives the number of a block's first entity, the places of its members, their number, and their
   * digits. They are valid during the call
   */
  *eachBlock({ words }: Pick<EntitySet, 'words'>, stage: DigitStage, take: TakeBlock): Steps<void> {
    const [places, digits] = [this.#places, this.#digits];
    for (let block = 0; block < this.#columns.blocks; block++) {
      if (block % blocksPerStep === blocksPerStep - 1) yield;
      const count = placesIn(words, block * wordsPerBlock, places);
      if (count === 0) continue;
      stage.digits(this.#columns.codesAt(stage.column, block, places, count), places, count, digits);
      take(block * blockEntities, places, count, digits);
    }
  }

  /** The digits of ascending entities. */
  *digitsOf(entities: readonly number[], stage: DigitStage): Steps<number[]> {
    const digits: number[] = [];
    for (let i = 0; i < entities.length; ) {
      const block = blockOf(entities[i] ?? 0);
      let count = 0;
      for (; i < entities.length && blockOf(entities[i] ?? 0) === block; i++)
        this.#places[count++] = (entities[i] ?? 0) % blockEntities;
      const codes = this.#columns.codesAt(stage.column, block, this.#places, count);
      stage.digits(codes, this.#places, count, this.#digits);
      for (let member = 0; member < count; member++) digits.push(this.#digits[member] ?? 0);
      if (digits.length % blocksPerStep === 0) yield;
    }
    return digits;
  }

  empty(): Uint32Array {
    return new Uint32Array(this.#columns.blocks * wordsPerBlock);
  }
}

/** Conditions that read more cost more: a text reads records. */
function costOf({ is }: TimeCondition | TextCondition | WordsCondition): number {
  return ['time', 'words', 'text'].indexOf(is);
}

type TakeBlock = (firstEntity: number, places: Uint16Array, count: number, digits: Uint16Array) => void;

/** The members of a set, ascending. */
export function* entitiesIn({ words, count }: EntitySet): Steps<Uint32Array> {
  const entities = new Uint32Array(count);
  let at = 0;
  for (let word = 0; word < words.length; word++) {
    if (word % wordsPerStep === wordsPerStep - 1) yield;
    for (let bits = words[word] ?? 0; bits !== 0; bits &= bits - 1) {
      entities[at++] = word * 32 + (31 - Math.clz32(bits & -bits));
    }
  }
  return entities;
}
