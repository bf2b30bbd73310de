/** Reads the terms that an index was built with; including those that no name has any more, without documents. */
import { hashText } from '../../../bytes/hash.ts';
import { type IndexShape, type SearchTables, termsPerBlock } from '../format.ts';
import type { TimeLimit } from '../time-limit.ts';
import { BlockCursor, blockOf, readTop, type SpelledTerm, type Term } from './term-blocks.ts';

export interface OldTerms {
  find(text: string): Term | null;
  byId(id: number): Term;
  /** Reads each block of terms once. @param ids ascending */
  byIds(ids: Uint32Array): Term[];
  textOf(id: number): string;
  /** Ids of the terms that begin with the prefix: the first, and one more than the last. */
  range(prefix: string): readonly [number, number];
  /** The first terms that some name has and that begin with the prefix. */
  beginning(prefix: string, max: number): SpelledTerm[];
}

/** All terms in alphabetical order. */
export function* allOldTerms(
  tables: Pick<SearchTables, 'terms'>,
  { terms }: IndexShape,
): Generator<SpelledTerm> {
  const cursor = new BlockCursor();
  for (let block = 0; block * termsPerBlock < terms; block++) {
    const length = tables.terms.read(block);
    if (length === 0) throw new Error(`The search index has no term ${block * termsPerBlock}.`);
    cursor.enter(tables.terms.bytes, length, block);
    const inBlock: SpelledTerm[] = [];
    while (cursor.next()) inBlock.push({ text: cursor.text(), term: cursor.term() });
    yield* inBlock;
  }
}

export function openOldTerms(tables: SearchTables, shape: IndexShape, timeLimit: TimeLimit): OldTerms {
  const blocks = Math.ceil(shape.terms / termsPerBlock);
  const top = readTop(tables.top.getBinary(0) ?? Buffer.alloc(0), blocks);
  const cursor = new BlockCursor();
  const enter = (block: number) => {
    timeLimit.smallStep();
    const length = tables.terms.read(block);
    if (length > 0) cursor.enter(tables.terms.bytes, length, block);
    return length > 0;
  };
  /** @param entered the block in which the cursor stands at an earlier term; -1 if anything was read since */
  const at = (id: number, entered = -1) => {
    const block = Math.floor(id / termsPerBlock);
    if (block !== entered && !enter(block)) throw new Error(`The search index has no term ${id}.`);
    while (cursor.id < id && cursor.next()) {}
    return cursor;
  };
  /** The first id whose term is not before the text; one more than the last if there is none. */
  const lowerBound = (text: string): number => {
    if (blocks === 0 || !enter(blockOf(top, text))) return 0;
    cursor.seek(text);
    return cursor.id;
  };
  const range = (prefix: string) => [lowerBound(prefix), lowerBound(`${prefix}\uffff`)] as const;
  return {
    find: (text) => {
      if (blocks === 0 || !enter(blockOf(top, text))) return null;
      return cursor.seek(text) ? cursor.term(hashText(text, 0)) : null;
    },
    byId: (id) => at(id).term(),
    byIds: (ids) => {
      const terms: Term[] = [];
      let entered = -1;
      for (const id of ids) {
        terms.push(at(id, entered).term());
        entered = Math.floor(id / termsPerBlock);
      }
      return terms;
    },
    textOf: (id) => at(id).text(),
    range,
    beginning: (prefix, max) => {
      const [from, to] = range(prefix);
      const terms: SpelledTerm[] = [];
      for (let block = Math.floor(from / termsPerBlock); block * termsPerBlock < to; block++) {
        if (terms.length >= max || !enter(block)) break;
        takeLiving(cursor, from, to, max, terms);
      }
      return terms;
    },
  };
}

/**
 * Appends those terms of a block that some name has and whose ids are from `from` up to `to` (exclusive), up to `max`.
 */
function takeLiving(cursor: BlockCursor, from: number, to: number, max: number, terms: SpelledTerm[]): void {
  while (terms.length < max && cursor.next() && cursor.id < to) {
    const term = cursor.id < from ? null : cursor.term();
    if (term !== null && term.frequency > 0) terms.push({ text: cursor.text(), term });
  }
}
