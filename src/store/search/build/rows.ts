/**
 * Transfers the rows of an index into an environment in blocks of plain data, so that another thread can write them.
 */
import type { Appendable, Environment } from '../../../lmdb.ts';
import { appendBlock, type RowBlock as Block } from '../../row-blocks.ts';
import { RowFileWriter } from '../../row-file/writer.ts';
import {
  type IndexShape,
  openStoredTables,
  type RowFileTable,
  rowFileOf,
  rowFileTables,
  type StoredTables,
} from '../format.ts';

/** Tables that rows are appended to: all except the one with the shape and the one that only deltas fill. */
export type SearchRows = Readonly<Record<BuiltTable, Appendable>>;
type BuiltTable = Exclude<keyof StoredTables, 'meta' | 'newTerms'> | RowFileTable;

export type IndexBlock = Block<BuiltTable>;

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
] as const satisfies readonly BuiltTable[];

/** The shape of an index whose rows are made, but not yet written. */
export type BuiltShape = Omit<IndexShape, 'rowFile'>;

export interface IndexWriter {
  write(block: IndexBlock): void;
  /** Called after the last block: makes the rows an index. */
  finish(shape: BuiltShape): void;
}

/** Writes an index into an environment that has none, each block in its own transaction. */
export function createIndexWriter(environment: Environment): IndexWriter {
  const stored = openStoredTables(environment);
  const file = new RowFileWriter(rowFileOf(environment), rowFileTables);
  const tables: SearchRows = { ...stored, ...file.tables };
  return {
    write: (block) => environment.transactionSync(() => appendBlock(tables[block.table], block)),
    finish: (shape) => {
      stored.meta.putSync('shape', JSON.stringify({ ...shape, rowFile: file.finish() }));
    },
  };
}
