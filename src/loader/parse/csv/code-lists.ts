/**
 * Reads GLEIF's lists of registration authorities and of official organisational roles (ISO 5009). The columns of the
 * second are documented nowhere: they are taken to be named as those of the list of legal forms (ISO 20275), which it
 * belongs to.
 */
import type { CodeListEntry, LoadedListName } from '../../../lei/gleif-code-lists.ts';
import { type RecordReport, shortQuoted } from '../record/report.ts';
import { keyText } from '../record/values.ts';
import { ColumnList } from './columns.ts';
import type { RowValues } from './row-values.ts';

interface CodeListReader {
  readonly kind: LoadedListName;
  readonly columnList: ColumnList;
  readonly keys: readonly number[];
  readonly read: (row: RowValues, report: RecordReport) => void;
}

/** @param header plain column names @returns null for the header of another file */
export function codeListReader(header: readonly string[]): CodeListReader | null {
  if (header.includes('REGISTRATION_AUTHORITY_CODE')) return authorities();
  return header.includes('OOR_CODE') ? roles() : null;
}

type Columns = Readonly<Record<string, string>>;

/** Columns of a list by the names of their members. */
interface CodeListColumns {
  readonly code: string;
  readonly attributes: Columns;
  /** The member that lists an item for each row of a code. */
  readonly list: CodeListEntry['list'];
  readonly item: Columns;
}

/** @param example of a code that the pattern accepts, for messages */
function reader(
  kind: LoadedListName,
  pattern: RegExp,
  example: string,
  { code, list, ...own }: CodeListColumns,
): CodeListReader {
  const columnList = new ColumnList();
  const codeColumn = columnList.column(code);
  const numbered = (columns: Columns) =>
    Object.entries(columns).map(([name, column]) => [name, columnList.column(column)] as const);
  const [attributes, item] = [numbered(own.attributes), numbered(own.item)];
  return {
    kind,
    columnList,
    keys: [codeColumn],
    read(row, report) {
      const text = keyText(row.at(codeColumn), code, report);
      if (text === null) return;
      if (!pattern.test(text)) {
        report.reject(code, `${shortQuoted(text)} is not a code such as ${example}`);
        return;
      }
      const valuesOf = (members: typeof item) =>
        Object.fromEntries(members.map(([name, column]) => [name, row.at(column)]));
      const items = [valuesOf(item)];
      const record = { code: text, attributes: valuesOf(attributes), list, items };
      report.row({ kind, record });
    },
  };
}

function authorities(): CodeListReader {
  const organisation = 'NAME_OF_ORGANISATION_RESPONSIBLE_FOR_THE_REGISTER';
  return reader('registration-authorities', /^RA\d{6}$/, 'RA000585', {
    code: 'REGISTRATION_AUTHORITY_CODE',
    attributes: {
      internationalName: 'INTERNATIONAL_NAME_OF_REGISTER',
      localName: 'LOCAL_NAME_OF_REGISTER',
      internationalOrganizationName: `INTERNATIONAL_${organisation}`,
      localOrganizationName: `LOCAL_${organisation}`,
      website: 'WEBSITE',
    },
    list: 'jurisdictions',
    item: { country: 'COUNTRY', countryCode: 'COUNTRY_CODE', jurisdiction: 'JURISDICTION' },
  });
}

function roles(): CodeListReader {
  return reader('official-organizational-roles', /^[A-Z0-9]{6}$/, '1FWPRU', {
    code: 'OOR_CODE',
    attributes: {
      country: 'COUNTRY_OF_FORMATION',
      jurisdiction: 'JURISDICTION_OF_FORMATION',
      countryCode: 'COUNTRY_CODE',
      subdivisionCode: 'COUNTRY_SUB_DIVISION_CODE',
      dateCreated: 'DATE_CREATED_YYYY_MM_DD',
      status: 'OOR_STATUS_ACTV_INAC',
      elfCode: 'ELF_CODE',
    },
    list: 'names',
    item: {
      name: 'OFFICIAL_ORGANIZATIONAL_ROLE_NAME_LOCAL_NAME',
      language: 'LANGUAGE',
      languageCode: 'LANGUAGE_CODE',
      transliteratedName: 'OFFICIAL_ORGANIZATIONAL_ROLE_NAME_TRANSLITERATED_NAME',
    },
  });
}
