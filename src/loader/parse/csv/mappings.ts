/** The mapping files: two columns in either order, whose names say what is mapped. */
import {
  checkBic,
  checkGem,
  checkIsin,
  checkMic,
  checkQcc,
  type IdentifierCheck,
} from '../../../lei/identifiers.ts';
import type { MappingKind } from '../../../store/mapping-record.ts';
import { keyIdentifier, keyLei } from '../record/keys.ts';
import type { RecordReport } from '../record/report.ts';
import { Layout } from './columns.ts';
import type { RowSlots } from './slots.ts';

interface Mapping {
  readonly kind: MappingKind;
  /** The other column's name beside `LEI`. */
  readonly column: string;
  readonly check: (text: string) => IdentifierCheck;
}

export const mappings: readonly Mapping[] = [
  { kind: 'isin', column: 'ISIN', check: checkIsin },
  { kind: 'bic', column: 'BIC', check: checkBic },
  { kind: 'mic', column: 'MIC', check: checkMic },
  { kind: 'gem', column: 'GEM', check: checkGem },
  { kind: 'qcc', column: 'QCC', check: checkQcc },
  { kind: 'ocid', column: 'OpenCorporatesID', check: checkOpenCorporatesId },
];

/** `jurisdiction/number`, as `de/M1201_HRB32000`; the number is whatever the register made it, so case is kept. */
function checkOpenCorporatesId(text: string): IdentifierCheck {
  if (/^[a-z]{2}(_[a-z0-9]{1,3})?\/\S+$/.test(text)) return { ok: true, value: text };
  return {
    ok: false,
    reason: 'An OpenCorporates id is a jurisdiction, a slash and a number, as us_de/4386463.',
  };
}

/** The layout and the row reader of one mapping file. */
export function mappingReader(mapping: Mapping) {
  const layout = new Layout();
  const leiSlot = layout.column('LEI');
  const valueSlot = layout.column(mapping.column);
  return {
    layout,
    keys: [leiSlot, valueSlot],
    read(row: RowSlots, report: RecordReport): void {
      const lei = keyLei(row.at(leiSlot), 'LEI', report);
      if (lei === null) return;
      const value = keyIdentifier(row.at(valueSlot), mapping.column, mapping.check, report);
      if (value !== null) report.row({ kind: mapping.kind, lei, value });
    },
  };
}
