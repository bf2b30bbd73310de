/** One change of the directory, as it is sent between nodes: whole rows of its tables, and the affected accounts. */
import { isFields } from '../../state/records.ts';

/** The tables that nodes share. */
export const sharedTables = ['accounts', 'idByEmail', 'keys', 'signups'] as const;
export type SharedTable = (typeof sharedTables)[number];

export interface RowChange {
  readonly table: SharedTable;
  readonly key: string;
  /** Null if the row is removed. */
  readonly value: string | null;
}

export interface Commit {
  readonly rows: readonly RowChange[];
  /** Ids of accounts that have changed. */
  readonly changed: readonly string[];
  /** Ids of keys that were removed. */
  readonly keysGone: readonly string[];
}

/** @throws if the text is not a commit: only nodes write them */
export function parseCommit(text: string): Commit {
  const value: unknown = JSON.parse(text);
  if (!isFields(value)) throw new Error('A change of accounts in the shared state is damaged.');
  const { rows, changed, keysGone } = value;
  return {
    rows: listOf(rows, isRowChange),
    changed: listOf(changed, isText),
    keysGone: listOf(keysGone, isText),
  };
}

/** The store's Lua writes an empty list as an empty object. */
function listOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): readonly Item[] {
  return Array.isArray(value) ? value.filter(isItem) : [];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isRowChange(value: unknown): value is RowChange {
  if (!isFields(value)) return false;
  const { table, key, value: held } = value;
  return sharedTables.some((name) => name === table) && isText(key) && (held === null || isText(held));
}
