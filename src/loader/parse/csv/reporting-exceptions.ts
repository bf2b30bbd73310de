/** The 12 columns of the reporting exception CSV (2.1), and its rows as exception records. */
import { readExceptionKey } from '../record/keys.ts';
import { checkException } from '../record/level-2-checks.ts';
import type { RecordReport } from '../record/report.ts';
import { Layout } from './columns.ts';
import type { RowSlots } from './slots.ts';

export const layout = new Layout();
const column = (name: string) => layout.column(name);

const slots = {
  lei: column('LEI'),
  category: column('Exception.Category'),
  reasons: layout.repeated('Exception.Reason.#', 5, column),
  references: layout.repeated('Exception.Reference.#', 5, column),
} as const;

export const keys = [slots.lei, slots.category];

/** Reads one row; what makes it unusable or odd goes to the report. */
export function readException(row: RowSlots, report: RecordReport): void {
  const key = readExceptionKey(row.at(slots.lei), row.at(slots.category), report);
  if (key === null) return;
  const exception = {
    category: key.category,
    reasons: row.list(slots.reasons, (slot) => row.at(slot) ?? ''),
    references: row.list(slots.references, (slot) => row.at(slot) ?? ''),
  };
  checkException(exception, report);
  report.row({ kind: 'reporting-exceptions', record: { lei: key.lei, exception }, deletedAt: null });
}
