/**
 * Transfers the rows of an index into an environment in blocks of plain data, so that another thread can write them.
 */
import type { Appendable, Environment } from '../../../lmdb.ts';
import { appendBlock, type RowBlock as Block } from '../../row-blocks.ts';
import { type IndexShape, openSearchTables, type SearchTables } from '../format.ts';

/** Tables that rows are appended to: all except the one with the shape and the one that only deltas fill. */
export type SearchRows = Readonly<Record<RowTable, Appendable>>;
type RowTable = Exclude<keyof SearchTables, 'meta' | 'newTerms'>;

export type IndexBlock = Block<RowTable>;

export const rowTables = [
  'top',
  'terms',
  'postings',
  'weights',
  'names',
  'cards',
  'keys',
  'spellings',
  'completions',
] as const satisfies readonly RowTable[];

export interface IndexWriter {
  write(block: IndexBlock): void;
  /** Called after the last block: makes the rows an index. */
  finish(shape: IndexShape): void;
}

/** Writes an index into an environment that has none, each block in its own transaction. */
export function createIndexWriter(environment: Environment): IndexWriter {
  const tables = openSearchTables(environment);
  return {
    write: (block) => environment.transactionSync(() => appendBlock(tables[block.table], block)),
    finish: (shape) => tables.meta.putSync('shape', JSON.stringify(shape)),
  };
}
