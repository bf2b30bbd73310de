/** Writes all ISINs of the companies that have more of them than their mappings show. */
import { mappingTable } from '../../lei/identifier-kinds.ts';
import { type Appendable, append, type BytesTable } from '../../lmdb.ts';
import { allIsinRows, type IsinRow, isinRows } from '../../store/isin-lists.ts';
import { openPackedTable } from '../../store/packed-table.ts';
import type { RawPublication } from '../../store/raw-publication.ts';
import type { Tables } from '../../store/tables.ts';
import { type Groups, groupIndexes, groupsOf } from './number-list.ts';
import {
  createPairs,
  distinctIdentifiers,
  openPairs,
  type PairList,
  sortedIdentifiers,
} from './pair-list.ts';

const { width, shownMax } = mappingTable.isin;

export type IsinLists = ReturnType<typeof isinLists>;

/** The lists of an empty table. */
export function appendIsinLists(table: Appendable): IsinLists {
  return isinLists({ row: ({ key, value }) => append(table, key, value), end: () => undefined });
}

/** @param grown the publication whose copy is being changed: only rows that differ are written */
export function changeIsinLists({ isinLists: table }: Tables, grown: RawPublication): IsinLists {
  const known = grown.tables.isinLists;
  if (known === null) return appendIsinLists(table);
  return isinLists(mergeInto(table, allIsinRows(known, grown.transaction)));
}

function isinLists(write: RowWriter) {
  return {
    /** Companies come in the order of their numbers. @param groups of the pairs by entity, sorted for this one */
    put(pairs: PairList, groups: Groups, entity: number, count: number): void {
      if (count <= shownMax) return;
      for (const row of isinRows(entity, sortedIdentifiers(pairs, groups, entity))) write.row(row);
    },
    /** Removes the rows of the base that no company has any more. Call it within a transaction. */
    finish: write.end,
  };
}

interface RowWriter {
  /** Rows come in ascending order of their keys. */
  row(row: IsinRow): void;
  end(): void;
}

function mergeInto(table: BytesTable, known: Iterator<IsinRow>): RowWriter {
  const next = () => known.next().value ?? null;
  let before: IsinRow | null = next();
  /** Removes the rows below a key. */
  const removeUpTo = (key: Buffer | null) => {
    for (; before !== null && (key === null || before.key.compare(key) < 0); before = next()) {
      table.removeSync(before.key);
    }
  };
  return {
    row({ key, value }) {
      removeUpTo(key);
      const isKnown = before?.key.equals(key) === true;
      if (!isKnown || before?.value.equals(value) !== true) table.putSync(key, value);
      if (isKnown) before = next();
    },
    end: () => removeUpTo(null),
  };
}

/** Makes the lists of a copy whose original, of an earlier version, has none. */
export function completeIsinLists(tables: Tables, base: RawPublication): void {
  if (base.tables.isinLists !== null) return;
  const growing = createPairs(width);
  const table = openPackedTable(base.tables.isin, base.meta.shapes.isin, base.transaction);
  for (const { key, value } of table.entries()) growing.push(key, value);
  const pairs = openPairs(growing.columns());
  const groups = groupsOf(groupIndexes(pairs.entities, base.meta.lastEntity));
  const lists = appendIsinLists(tables.isinLists);
  tables.isinLists.transactionSync(() => {
    for (let entity = 1; entity <= base.meta.lastEntity; entity++) {
      lists.put(pairs, groups, entity, distinctIdentifiers(pairs, groups, entity, 0).count);
    }
  });
}
