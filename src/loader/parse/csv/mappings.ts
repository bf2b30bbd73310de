/** Reads the mapping files: two columns in either order, whose names say what is mapped. */
import { type MappingKind, mappingTable } from '../../../lei/identifier-kinds.ts';
import { keyIdentifier, keyLei } from '../record/keys.ts';
import type { RecordReport } from '../record/report.ts';
import { ColumnList } from './columns.ts';
import type { RowValues } from './row-values.ts';

/** The columns and the row reader of one mapping file. */
export function mappingReader(kind: MappingKind) {
  const { column, check } = mappingTable[kind];
  const columnList = new ColumnList();
  const leiColumn = columnList.column('LEI');
  const valueColumn = columnList.column(column);
  return {
    columnList,
    keys: [leiColumn, valueColumn],
    read(row: RowValues, report: RecordReport): void {
      const lei = keyLei(row.at(leiColumn), 'LEI', report);
      if (lei === null) return;
      const value = keyIdentifier(row.at(valueColumn), column, check, report);
      if (value !== null) report.row({ kind, lei, value });
    },
  };
}
