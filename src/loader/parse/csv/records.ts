/**
 * Reads the CSV files of the common data formats as records: level 1 (LEI-CDF 3.1, 338 columns), relationships (RR-CDF
 * 2.1, 54) and reporting exceptions (2.1, 12). What makes a row unusable or odd goes to the report.
 */
import { level1Fields } from '../../../lei/level-1-fields.ts';
import { readExceptionKey, relationshipKey } from '../record/keys.ts';
import { level1Reader } from '../record/level-1.ts';
import { checkException } from '../record/level-2-checks.ts';
import { relationshipReader } from '../record/relationships.ts';
import type { RecordReport } from '../record/report.ts';
import { ColumnList } from './columns.ts';
import { csvFormat } from './format.ts';
import type { RowValues } from './row-values.ts';

// The readers list their columns when they are made, so their keys are found afterwards.
const level1Columns = new ColumnList();
export const level1 = {
  columnList: level1Columns,
  read: level1Reader(csvFormat(level1Columns)),
  keys: [level1Columns.names.indexOf(level1Fields.lei.at)],
};

const relationshipColumns = new ColumnList();
export const relationships = {
  columnList: relationshipColumns,
  read: relationshipReader(csvFormat(relationshipColumns), () => null),
  keys: Object.values(relationshipKey).map((name) => relationshipColumns.names.indexOf(name)),
};

const exceptionColumns = new ColumnList();
const column = (name: string) => exceptionColumns.column(name);
const exception = {
  lei: column('LEI'),
  category: column('Exception.Category'),
  reasons: exceptionColumns.repeated('Exception.Reason.#', 5, column),
  references: exceptionColumns.repeated('Exception.Reference.#', 5, column),
} as const;
export const exceptions = {
  columnList: exceptionColumns,
  read: readException,
  keys: [exception.lei, exception.category],
};

function readException(row: RowValues, report: RecordReport): void {
  const key = readExceptionKey(row.at(exception.lei), row.at(exception.category), report);
  if (key === null) return;
  const record = {
    category: key.category,
    reasons: row.list(exception.reasons, (at) => row.at(at) ?? ''),
    references: row.list(exception.references, (at) => row.at(at) ?? ''),
  };
  checkException(record, report);
  report.row({
    kind: 'reporting-exceptions',
    record: { lei: key.lei, exception: record },
    deletedAt: null,
  });
}
