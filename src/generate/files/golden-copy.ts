/** Writes the three files of the golden copy in each of the three formats. */
import type { LegalEntityRecord } from '../../lei/company.ts';
import type { Family } from '../../lei/golden-copy.ts';
import type { ExceptionRecord, RelationshipRecord } from '../../lei/relationship.ts';
import { columnsOf, csvLine, fieldsOf } from './csv.ts';
import { exceptionPlaces, type FilePlace, level1Places, relationshipPlaces } from './places.ts';
import { type TreeElement, treesOf } from './tree.ts';
import {
  type FileHeader,
  jsonEnd,
  jsonRecord,
  jsonStart,
  xmlEnd,
  xmlRecord,
  xmlStart,
} from './tree-texts.ts';

export type FileFormat = 'csv' | 'xml' | 'json';
export const formats: readonly FileFormat[] = ['csv', 'xml', 'json'];

/** A record of a file; `deletedAt` is null except in a delta that deletes it. */
export interface Entry<T> {
  readonly record: T;
  readonly deletedAt: string | null;
}

/** Writes the records of one kind of file. */
interface RecordWriter<T> {
  readonly family: Family;
  /** The first line of the CSV form. */
  readonly header: string;
  /** A line of the CSV form; '' for a deletion, which CSV can't express. */
  line(entry: Entry<T>): string;
  element(entry: Entry<T>): TreeElement;
}

function writerOf<T>(family: Family, places: readonly FilePlace[]): RecordWriter<T> {
  const fields = fieldsOf(places);
  const elementOf = treesOf(places);
  return {
    family,
    header: csvLine(columnsOf(places)),
    line: (entry) => (entry.deletedAt === null ? `${fields(entry)}\n` : ''),
    element: (entry) => elementOf(entry) ?? { attributes: [], content: [] },
  };
}

export const level1Writer = writerOf<LegalEntityRecord>('lei2', level1Places);
export const relationshipWriter = writerOf<RelationshipRecord>('rr', relationshipPlaces);
export const exceptionWriter = writerOf<ExceptionRecord>('repex', exceptionPlaces);

/** The place of a stretch of records in its file. */
interface RecordStretch {
  readonly begins: boolean;
  readonly ends: boolean;
  /** Whether a record precedes. Used only for formats that separate records. */
  follows(): boolean;
}

const wholeFile: RecordStretch = { begins: true, ends: true, follows: () => false };

/** The text of a file, or of a stretch of it, piece by piece. Calls `header` only if the text begins with one. */
export function* goldenCopyText<T>(
  format: FileFormat,
  writer: RecordWriter<T>,
  entries: Iterable<Entry<T>>,
  header: () => FileHeader,
  place = wholeFile,
): Generator<string> {
  const { family } = writer;
  if (place.begins) yield startOf(format, writer, header);
  if (format === 'csv') for (const entry of entries) yield writer.line(entry);
  else if (format === 'xml') for (const entry of entries) yield xmlRecord(family, writer.element(entry));
  else yield* jsonText(writer, entries, place);
  if (place.ends && format !== 'csv') yield format === 'xml' ? xmlEnd(family) : jsonEnd;
}

function startOf<T>(
  format: FileFormat,
  { family, header: line }: RecordWriter<T>,
  header: () => FileHeader,
): string {
  if (format === 'csv') return line;
  return format === 'xml' ? xmlStart(family, header()) : jsonStart(family);
}

function* jsonText<T>(
  writer: RecordWriter<T>,
  entries: Iterable<Entry<T>>,
  place: RecordStretch,
): Generator<string> {
  let first = !place.follows();
  for (const entry of entries) {
    yield jsonRecord(writer.family, writer.element(entry), first);
    first = false;
  }
}
