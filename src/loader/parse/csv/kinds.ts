/** Recognises the kind of file by its CSV header, and how its rows are read. */
import { kindsByFile, mappingTable } from '../../../lei/identifier-kinds.ts';
import type { SourceKind } from '../../../publication/manifest.ts';
import { quoted, type RecordReport } from '../record/report.ts';
import { Refusal } from '../refusal.ts';
import type { ColumnList } from './columns.ts';
import { mappingReader } from './mappings.ts';
import * as micList from './mic-list.ts';
import { exceptions, level1, relationships } from './records.ts';
import type { RowValues } from './row-values.ts';

export interface CsvKind {
  readonly kind: SourceKind;
  /** The file's column names as the list spells them. */
  readonly header: readonly string[];
  readonly columnList: ColumnList;
  /** Columns without which no row can be used. */
  readonly keys: readonly number[];
  read(row: RowValues, report: RecordReport): void;
}

/** The common data formats, each with the beginning of its own column names. */
const recordKinds = [
  { prefix: 'Relationship.', kind: 'relationships', ...relationships },
  { prefix: 'Exception.', kind: 'reporting-exceptions', ...exceptions },
  { prefix: 'Entity.', kind: 'level-1', ...level1 },
] as const;

/**
 * Recognises a file by the names of its columns, in any order.
 * @throws Refusal for a header of no known kind
 */
export function recogniseHeader(header: readonly string[]): CsvKind {
  const found = recordKinds.find(({ prefix }) => header.some((name) => name.startsWith(prefix)));
  if (found === undefined) return recogniseTable(header);
  const { kind, columnList, keys, read } = found;
  return { kind, header, columnList, keys, read };
}

/** The files of other formats. */
function recogniseTable(header: readonly string[]): CsvKind {
  const plain = header.map(micList.plainName);
  if (plain.includes('MIC') && plain.includes('OPERATING_MIC')) {
    const { columnList, keys, readMic: read } = micList;
    return { kind: 'mic-list', header: plain, columnList, keys, read };
  }
  const kind = kindsByFile.find((known) => plain.includes(mappingTable[known].column.toUpperCase()));
  if (kind !== undefined && header.length === 2 && plain.includes('LEI')) {
    const spelt = plain.map((name) => (name === 'LEI' ? name : mappingTable[kind].column));
    return { kind, header: spelt, ...mappingReader(kind) };
  }
  throw new Refusal(
    `its first line, ${quoted(header.join(','))}, is not a known header. Known are those of level 1, ` +
      'relationship records, reporting exceptions and the ISO 10383 list, and LEI with one of ' +
      kindsByFile.map((known) => mappingTable[known].column).join(', '),
  );
}
