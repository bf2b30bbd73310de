/** Sets of entities that meet conditions on columns, and passes over their members. */
import type { FieldCondition } from '../../protocol/list-questions.ts';
import { hashOfWord } from '../sought-words.ts';
import type { Steps } from '../steps.ts';
import {
  clearBit,
  codesPerStep,
  countIn,
  type EntitySet,
  entitiesIn,
  intersect,
  intersectPart,
  setBit,
  wordsPerStep,
} from './bits.ts';
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
import { KeptSets } from './kept-sets.ts';
import { blockEntities, blockOf, codeMax, placeOfColumn, textCodeMax, timeCode } from './layout.ts';
import type { ColumnsQuery, WordsCondition } from './list-query.ts';
import type { ColumnStage } from './order.ts';
import { ListRooms, SetRooms } from './set-rooms.ts';
import { bitsOfWord } from './signatures.ts';
import { type EntityTexts, folded, hashCode } from './texts.ts';

/** Blocks of one step: some 10 microseconds of work, and up to four milliseconds while the code is not compiled yet. */
const blocksPerStep = 8;
/** Records that are read in one step: some 100 microseconds of work. */
const recordsPerStep = 100;

/** Up to so many codes, comparing slices with each takes less time than making numbers of them. */
const fewCodesMax = 16;

type BlockScan = (block: number, words: Uint32Array) => void;
type ValueCondition = Extract<FieldCondition, { is: 'value' }>;
type TextCondition = Extract<FieldCondition, { is: 'text' }>;
type TimeCondition = Extract<FieldCondition, { is: 'time' }>;
/** Decided where members are left by all others. */
type FurtherCondition = TimeCondition | TextCondition | WordsCondition;

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
  readonly #ranks = new Uint32Array(blockEntities);
  /** By the JSON of a condition, or of several. */
  readonly #kept: KeptSets;
  readonly #rooms: SetRooms;

  constructor(columns: ColumnReader, textOf: EntityTexts['published']) {
    this.#columns = columns;
    this.#textOf = textOf;
    this.#rooms = new SetRooms(columns.blocks * wordsPerBlock);
    this.#kept = new KeptSets(this.#rooms);
  }

  /** For the sets of one list. */
  rooms(): ListRooms {
    return new ListRooms(this.#rooms);
  }

  /** The companies that meet all conditions. The set must not be changed: the next list may get it too. */
  *matching(conditions: ColumnsQuery['conditions'], rooms: ListRooms): Steps<EntitySet> {
    const [first = anyCompany, ...others] = conditions;
    if (others.length === 0 && first.is === 'value') return yield* this.#ofValues(first, rooms);
    const key = conditions.some(({ is }) => is === 'entity') ? null : JSON.stringify(conditions);
    const kept = key === null ? null : this.#kept.get(key, rooms);
    if (kept !== null) return kept;
    const set = yield* this.#found(conditions, rooms);
    if (key !== null) yield* this.#kept.put(key, set);
    return set;
  }

  *#found(conditions: ColumnsQuery['conditions'], rooms: ListRooms): Steps<EntitySet> {
    const [first = anyCompany, ...others] = conditions.filter((condition) => condition.is === 'value');
    const words = rooms.copyOf((yield* this.#ofValues(first, rooms)).words);
    for (const condition of others) yield* intersect(words, (yield* this.#ofValues(condition, rooms)).words);
    for (const condition of conditions) {
      if (condition.is !== 'entity') continue;
      const bits = yield* this.#bitsOf(condition.entities, rooms);
      yield* intersect(words, bits, condition.isExcluded ? 0xffff_ffff : 0);
    }
    const rest = conditions.filter((condition) => condition.is !== 'value' && condition.is !== 'entity');
    for (const condition of rest.toSorted((a, b) => costOf(a) - costOf(b)))
      yield* this.#keep(words, condition, rooms);
    return { words, count: yield* countIn(words) };
  }

  #keep(words: Uint32Array, condition: FurtherCondition, rooms: ListRooms): Steps<void> {
    switch (condition.is) {
      case 'time':
        return this.#keepTimes(words, condition);
      case 'words':
        return this.#keepWords(words, condition);
      case 'text':
        return this.#keepTexts(words, condition, rooms);
    }
  }

  /** All companies. */
  all(rooms: ListRooms): Steps<EntitySet> {
    return this.#ofValues(anyCompany, rooms);
  }

  /** All companies that meet a condition. */
  *#ofValues(condition: ValueCondition, rooms: ListRooms): Steps<EntitySet> {
    const key = JSON.stringify(condition);
    const kept = this.#kept.get(key, rooms);
    if (kept !== null) return kept;
    const set = yield* this.#listed(condition, rooms);
    yield* this.#kept.put(key, set);
    return set;
  }

  *#listed(condition: ValueCondition, rooms: ListRooms): Steps<EntitySet> {
    const keep = yield* this.#scanOf(condition);
    const words = rooms.full();
    for (let block = 0; block < this.#columns.blocks; block++) {
      if (block % blocksPerStep === 0) yield;
      keep(block, words);
    }
    return { words, count: yield* countIn(words) };
  }

  /** Keeps the entities of a block that meet a condition. */
  *#scanOf({ field, values, isExcluded }: ValueCondition): Steps<BlockScan> {
    const columns = this.#columns;
    const wanted = new Set(values);
    const known = yield* columns.values(field);
    const codes: number[] = [];
    for (const [index, each] of known.entries()) {
      if (index % codesPerStep === 0) yield;
      if (each.some((value) => wanted.has(value))) codes.push(index + 1);
    }
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
      if (block % blocksPerStep === 0) yield;
      const at = block * wordsPerBlock;
      if (hasMembers(words, at)) keepBetween(this.#columns.longCodes(field, block), least, most, words, at);
    }
  }

  *#keepWords(words: Uint32Array, { alternatives, isSearched }: WordsCondition): Steps<void> {
    const bitsOf = (word: string) =>
      (isSearched ? this.#columns.commonBit(word) : null) ?? bitsOfWord(hashOfWord(word));
    const bits = alternatives.map((each) => [...new Set(each.flatMap(bitsOf))]);
    for (let block = 0; block < this.#columns.blocks; block++) {
      if (block % blocksPerStep === 0) yield;
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
        intersectPart(left, this.#columns.slice(each[i] ?? 0, block));
      for (let word = 0; word < wordsPerBlock; word++) found[word] = (found[word] ?? 0) | (left[word] ?? 0);
    }
    part.set(found);
  }

  /** The column has hashes, so the records decide about those with the hash of a wanted text. */
  *#keepTexts(words: Uint32Array, condition: TextCondition, rooms: ListRooms): Steps<void> {
    const { field, isExcluded } = condition;
    const isWanted = this.#textTest(condition);
    const hashes = new Set(condition.values.map((value) => hashCode(folded(field, value))));
    const like = rooms.empty();
    for (let block = 0; block < this.#columns.blocks; block++) {
      if (block % blocksPerStep === 0) yield;
      const at = block * wordsPerBlock;
      if (hasMembers(words, at)) markHashes(this.#columns.longCodes(field, block), hashes, words, like, at);
    }
    let read = 0;
    for (const entity of yield* entitiesIn({ words: like, count: yield* countIn(like) })) {
      if (++read % recordsPerStep === 0) yield;
      if (!isWanted(entity)) clearBit(like, entity);
    }
    yield* intersect(words, like, isExcluded ? 0xffff_ffff : 0);
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

  *#bitsOf(entities: Uint32Array, rooms: ListRooms): Steps<Uint32Array> {
    const words = rooms.empty();
    for (let i = 0; i < entities.length; i++) {
      if (i % wordsPerStep === 0) yield;
      const entity = entities[i] ?? 0;
      if (blockOf(entity) < this.#columns.blocks) setBit(words, entity);
    }
    return words;
  }

  /**
   * Goes through the blocks that have members of a set.
   * @param take receives the number of a block's first entity, the places of its members, their number, and their
   * ranks. They are valid during the call
   */
  *eachBlock({ words }: Pick<EntitySet, 'words'>, stage: ColumnStage, take: TakeBlock): Steps<void> {
    const [places, ranks] = [this.#places, this.#ranks];
    for (let block = 0; block < this.#columns.blocks; block++) {
      if (block % blocksPerStep === 0) yield;
      const count = placesIn(words, block * wordsPerBlock, places);
      if (count === 0) continue;
      stage.ranks(this.#columns.codesAt(stage.column, block, places, count), places, count, ranks);
      take(block * blockEntities, places, count, ranks);
    }
  }

  /** The ranks of ascending entities. */
  *ranksOf(entities: readonly number[], stage: ColumnStage): Steps<Uint32Array> {
    const all = new Uint32Array(entities.length);
    for (let i = 0, blocks = 1; i < entities.length; blocks++) {
      if (blocks % blocksPerStep === 0) yield;
      const from = i;
      const block = blockOf(entities[i] ?? 0);
      for (; i < entities.length && blockOf(entities[i] ?? 0) === block; i++)
        this.#places[i - from] = (entities[i] ?? 0) % blockEntities;
      const count = i - from;
      const codes = this.#columns.codesAt(stage.column, block, this.#places, count);
      stage.ranks(codes, this.#places, count, this.#ranks);
      for (let member = 0; member < count; member++) all[from + member] = this.#ranks[member] ?? 0;
    }
    return all;
  }
}

/** Conditions that read more cost more: a text reads records. */
function costOf({ is }: FurtherCondition): number {
  return ['time', 'words', 'text'].indexOf(is);
}

type TakeBlock = (firstEntity: number, places: Uint16Array, count: number, ranks: Uint32Array) => void;
