/** Writes the three files of the golden copy in each of the three formats. */
import type { LegalEntityRecord } from '../../lei/company.ts';
import type { Family } from '../../lei/golden-copy.ts';
import type { ExceptionRecord, RelationshipRecord } from '../../lei/relationship.ts';
import {
  exceptionLine,
  exceptionsHeader,
  level1Header,
  level1Line,
  relationshipLine,
  relationshipsHeader,
} from './csv.ts';
import { jsonEnd, jsonRecord, jsonStart } from './json.ts';
import { level1Elements } from './level-1-tree.ts';
import { exceptionElements, relationshipElements } from './level-2-tree.ts';
import type { Element } from './tree.ts';
import { type FileHeader, xmlEnd, xmlRecord, xmlStart } from './xml.ts';

export type Format = 'csv' | 'xml' | 'json';
export const formats: readonly Format[] = ['csv', 'xml', 'json'];

/** A record of a file; `deletedAt` is null except in a delta that deletes it. */
export interface Entry<T> {
  readonly record: T;
  readonly deletedAt: string | null;
}

/** Writes the records of one kind of file. `line` is null for a deletion, which CSV can't express. */
interface Writer<T> {
  readonly family: Family;
  readonly header: string;
  line(entry: Entry<T>): string | null;
  elements(entry: Entry<T>): readonly (Element | null)[];
}

export const level1Writer: Writer<LegalEntityRecord> = {
  family: 'lei2',
  header: level1Header,
  line: ({ record }) => level1Line(record),
  elements: ({ record }) => level1Elements(record),
};

export const relationshipWriter: Writer<RelationshipRecord> = {
  family: 'rr',
  header: relationshipsHeader,
  line: ({ record, deletedAt }) => (deletedAt === null ? relationshipLine(record) : null),
  elements: ({ record, deletedAt }) => relationshipElements(record, deletedAt),
};

export const exceptionWriter: Writer<ExceptionRecord> = {
  family: 'repex',
  header: exceptionsHeader,
  line: ({ record, deletedAt }) => (deletedAt === null ? exceptionLine(record) : null),
  elements: ({ record, deletedAt }) => exceptionElements(record, deletedAt),
};

/** The place of a stretch of records in its file. */
interface Place {
  readonly begins: boolean;
  readonly ends: boolean;
  /** Whether a record precedes. Used only for formats that separate records. */
  follows(): boolean;
}

const wholeFile: Place = { begins: true, ends: true, follows: () => false };

/** The text of a file, or of a stretch of it, piece by piece. Calls `header` only if the text begins with one. */
export function* goldenCopyText<T>(
  format: Format,
  writer: Writer<T>,
  entries: Iterable<Entry<T>>,
  header: () => FileHeader,
  place = wholeFile,
): Generator<string> {
  const { family } = writer;
  if (place.begins) yield startOf(format, writer, header);
  if (format === 'csv') for (const entry of entries) yield writer.line(entry) ?? '';
  else if (format === 'xml') for (const entry of entries) yield xmlRecord(family, writer.elements(entry));
  else yield* jsonText(writer, entries, place);
  if (place.ends && format !== 'csv') yield format === 'xml' ? xmlEnd(family) : jsonEnd;
}

function startOf<T>(format: Format, { family, header: line }: Writer<T>, header: () => FileHeader): string {
  if (format === 'csv') return line;
  return format === 'xml' ? xmlStart(family, header()) : jsonStart(family);
}

function* jsonText<T>(writer: Writer<T>, entries: Iterable<Entry<T>>, place: Place): Generator<string> {
  let first = !place.follows();
  for (const entry of entries) {
    yield jsonRecord(writer.family, writer.elements(entry), first);
    first = false;
  }
}
