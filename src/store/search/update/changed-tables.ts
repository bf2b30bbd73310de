/** The tables of an index that a delta changes. */
import type { ChangedRows } from '../../row-file/changes.ts';
import type { RowFileTable, StoredTables } from '../format.ts';

export type ChangedTables = StoredTables & Readonly<Record<RowFileTable, ChangedRows>>;
