/** The mapping files: two columns in either order, whose names say what is mapped. */
import { type MappingKind, mappingTable } from '../../../lei/identifier-kinds.ts';
import { keyIdentifier, keyLei } from '../record/keys.ts';
import type { RecordReport } from '../record/report.ts';
import { Layout } from './columns.ts';
import type { RowSlots } from './slots.ts';

/** The layout and the row reader of one mapping file. */
export function mappingReader(kind: MappingKind) {
  const { column, check } = mappingTable[kind];
  const layout = new Layout();
  const leiSlot = layout.column('LEI');
  const valueSlot = layout.column(column);
  return {
    layout,
    keys: [leiSlot, valueSlot],
    read(row: RowSlots, report: RecordReport): void {
      const lei = keyLei(row.at(leiSlot), 'LEI', report);
      if (lei === null) return;
      const value = keyIdentifier(row.at(valueSlot), column, check, report);
      if (value !== null) report.row({ kind, lei, value });
    },
  };
}
