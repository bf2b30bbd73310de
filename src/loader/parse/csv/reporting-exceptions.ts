/** Reads the 12 columns of the reporting exception CSV (2.1) as exception records. */
import { readExceptionKey } from '../record/keys.ts';
import { checkException } from '../record/level-2-checks.ts';
import type { RecordReport } from '../record/report.ts';
import { ColumnList } from './columns.ts';
import type { RowValues } from './row-values.ts';

export const columnList = new ColumnList();
const column = (name: string) => columnList.column(name);

const columns = {
  lei: column('LEI'),
  category: column('Exception.Category'),
  reasons: columnList.repeated('Exception.Reason.#', 5, column),
  references: columnList.repeated('Exception.Reference.#', 5, column),
} as const;

export const keys = [columns.lei, columns.category];

/** Reads one row; what makes it unusable or odd goes to the report. */
export function readException(row: RowValues, report: RecordReport): void {
  const key = readExceptionKey(row.at(columns.lei), row.at(columns.category), report);
  if (key === null) return;
  const exception = {
    category: key.category,
    reasons: row.list(columns.reasons, (column) => row.at(column) ?? ''),
    references: row.list(columns.references, (column) => row.at(column) ?? ''),
  };
  checkException(exception, report);
  report.row({ kind: 'reporting-exceptions', record: { lei: key.lei, exception }, deletedAt: null });
}
