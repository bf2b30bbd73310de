/** Lists the kinds of CSV files: how each is recognised by its header, and how its rows are read. */
import { kindsByFile, type MappingKind, mappingTable } from '../../../lei/identifier-kinds.ts';
import { checkMic, isLei } from '../../../lei/identifiers.ts';
import { level1Fields } from '../../../lei/level-1-fields.ts';
import type { SourceKind } from '../../../publication/manifest.ts';
import { FileRefusal } from '../file-reader.ts';
import type { FieldFormat } from '../record/fields.ts';
import { level1Reader } from '../record/level-1.ts';
import { exceptionKey, exceptionReader, relationshipKey, relationshipReader } from '../record/level-2.ts';
import { type RecordReport, shortQuoted } from '../record/report.ts';
import { keyIdentifier, keyLei } from '../record/values.ts';
import { codeListReader } from './code-lists.ts';
import { ColumnList } from './columns.ts';
import { csvFormat, type RowValues } from './row-values.ts';

/** Reads a row; what makes it unusable or odd goes to the report. */
type ReadRow = (row: RowValues, report: RecordReport) => void;

export interface CsvKind {
  readonly kind: SourceKind;
  /** The file's column names as the list spells them. */
  readonly header: readonly string[];
  readonly columnList: ColumnList;
  /** Columns without which no row can be used. */
  readonly keys: readonly number[];
  readonly read: ReadRow;
}

/** The reader of a common data format. @param keys names of columns */
function recordReader(readerOf: (format: FieldFormat<RowValues>) => ReadRow, keys: readonly string[]) {
  const columnList = new ColumnList();
  // The reader lists its columns when it is made, so its keys are found afterwards.
  const read = readerOf(csvFormat(columnList));
  return { columnList, read, keys: keys.map((name) => columnList.names.indexOf(name)) };
}

/** CSV has no deletions. */
const never = () => null;

export const level1 = recordReader(level1Reader, [level1Fields.lei.at]);
export const relationships = recordReader(
  (format) => relationshipReader(format, never),
  Object.values(relationshipKey),
);
export const exceptions = recordReader(
  (format) => exceptionReader(format, never),
  Object.values(exceptionKey),
);

/** The common data formats, each with the beginning of its own column names. */
const recordKinds = [
  { prefix: 'Relationship.', kind: 'relationships', ...relationships },
  { prefix: 'Exception.', kind: 'reporting-exceptions', ...exceptions },
  { prefix: 'Entity.', kind: 'level-1', ...level1 },
] as const;

/**
 * Recognises a file by the names of its columns, in any order.
 * @throws FileRefusal for a header of no known kind
 */
export function recogniseHeader(header: readonly string[]): CsvKind {
  const found = recordKinds.find(({ prefix }) => header.some((name) => name.startsWith(prefix)));
  if (found === undefined) return recogniseTable(header);
  const { kind, columnList, keys, read } = found;
  return { kind, header: header.map((name) => presentName(name, header)), columnList, keys, read };
}

/**
 * Columns of LEI-CDF 2.1 that have another name now. A company had one successor then, so its columns have no number;
 * all other columns have kept their names.
 */
const renamed: Readonly<Record<string, string>> = {
  'Entity.SuccessorEntity.SuccessorLEI': 'Entity.SuccessorEntity.1.SuccessorLEI',
  'Entity.SuccessorEntity.SuccessorEntityName': 'Entity.SuccessorEntity.1.SuccessorEntityName',
  'Entity.SuccessorEntity.SuccessorEntityName.xmllang': 'Entity.SuccessorEntity.1.SuccessorEntity.xmllang',
};

function presentName(name: string, header: readonly string[]): string {
  const now = renamed[name];
  return now === undefined || header.includes(now) ? name : now;
}

/** The files of other formats. */
function recogniseTable(header: readonly string[]): CsvKind {
  const plain = header.map(plainName);
  if (plain.includes('MIC') && plain.includes('OPERATING_MIC')) {
    return { kind: 'mic-list', header: plain, ...micListReader() };
  }
  const codeList = codeListReader(plain);
  if (codeList !== null) return { header: plain, ...codeList };
  const kind = kindsByFile.find((known) => plain.includes(mappingTable[known].column.toUpperCase()));
  if (kind !== undefined && header.length === 2 && plain.includes('LEI')) {
    const spelt = plain.map((name) => (name === 'LEI' ? name : mappingTable[kind].column));
    return { kind, header: spelt, ...mappingReader(kind) };
  }
  throw new FileRefusal(
    `its first line, ${shortQuoted(header.join(','))}, is not a known header. Known are those of level 1, ` +
      'relationship records, reporting exceptions, the ISO 10383 list, registration authorities and organisational ' +
      'roles, and LEI with one of ' +
      kindsByFile.map((known) => mappingTable[known].column).join(', '),
  );
}

/** The columns and the row reader of a mapping file: two columns in either order, whose names tell the kind. */
function mappingReader(kind: MappingKind) {
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

/** Column names as spelt here: ISO 10383 is also published with spaces, slashes and `(ISO 3166)` in them. */
function plainName(name: string): string {
  return name
    .toUpperCase()
    .replace(/\(.*\)/, '')
    .trim()
    .replace(/[^A-Z0-9]+/g, '_');
}

/** ISO 10383, the list of market identifier codes that SWIFT publishes. */
function micListReader() {
  const columnList = new ColumnList();
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
  return {
    columnList,
    keys: [columns.mic, columns.operatingMic],
    read(row: RowValues, report: RecordReport): void {
      const mic = keyIdentifier(row.at(columns.mic), 'MIC', checkMic, report);
      if (mic === null) return;
      const operatingMic = keyIdentifier(row.at(columns.operatingMic), 'OPERATING_MIC', checkMic, report);
      if (operatingMic === null) return;
      remarkOnLei(row.at(columns.lei), report);
      const record = {
        mic,
        operatingMic,
        name: row.at(columns.name),
        type: row.at(columns.type),
        country: row.at(columns.country),
        city: row.at(columns.city),
        status: row.at(columns.status),
      };
      report.row({ kind: 'mic-list', record });
    },
  };
}

/** The list's own LEIs are not shown: the mapping file says which market belongs to which LEI. */
function remarkOnLei(text: string | null, report: RecordReport): void {
  if (text === null || isLei(text)) return;
  report.remark('LEI', `${shortQuoted(text)} is not an LEI; the market is kept without it`);
}
