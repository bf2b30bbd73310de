/** Reads ISO 10383, the list of market identifier codes that SWIFT publishes. */
import { checkMic, isLei } from '../../../lei/identifiers.ts';
import { keyIdentifier } from '../record/keys.ts';
import { quoted, type RecordReport } from '../record/report.ts';
import { ColumnList } from './columns.ts';
import type { RowValues } from './row-values.ts';

export const columnList = new ColumnList();
const column = (name: string) => columnList.column(name);

const columns = {
  mic: column('MIC'),
  operatingMic: column('OPERATING_MIC'),
  type: column('OPRT_SGMT'),
  name: column('MARKET_NAME_INSTITUTION_DESCRIPTION'),
  entityName: column('LEGAL_ENTITY_NAME'),
  lei: column('LEI'),
  category: column('MARKET_CATEGORY_CODE'),
  acronym: column('ACRONYM'),
  country: column('ISO_COUNTRY_CODE'),
  city: column('CITY'),
  website: column('WEBSITE'),
  status: column('STATUS'),
  creationDate: column('CREATION_DATE'),
  lastUpdateDate: column('LAST_UPDATE_DATE'),
  lastValidationDate: column('LAST_VALIDATION_DATE'),
  expiryDate: column('EXPIRY_DATE'),
  comments: column('COMMENTS'),
} as const;

export const keys = [columns.mic, columns.operatingMic];

/** Column names as spelt here: the list is also published with spaces, slashes and `(ISO 3166)` in them. */
export function plainName(name: string): string {
  return name
    .toUpperCase()
    .replace(/\(.*\)/, '')
    .trim()
    .replace(/[^A-Z0-9]+/g, '_');
}

/** Reads one row; what makes it unusable or odd goes to the report. */
export function readMic(row: RowValues, report: RecordReport): void {
  const mic = keyIdentifier(row.at(columns.mic), 'MIC', checkMic, report);
  if (mic === null) return;
  const operatingMic = keyIdentifier(row.at(columns.operatingMic), 'OPERATING_MIC', checkMic, report);
  if (operatingMic === null) return;
  checkLei(row.at(columns.lei), report);
  report.row({
    kind: 'mic-list',
    record: {
      mic,
      operatingMic,
      name: row.at(columns.name),
      type: row.at(columns.type),
      country: row.at(columns.country),
      city: row.at(columns.city),
      status: row.at(columns.status),
    },
  });
}

/** The list's own LEIs are not shown: the mapping file says which market belongs to which LEI. */
function checkLei(text: string | null, report: RecordReport): void {
  if (text === null || isLei(text)) return;
  report.remark('LEI', `${quoted(text)} is not an LEI; the market is kept without it`);
}
