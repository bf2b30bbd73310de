/** Finds the columns of a file that companies are matched by. */

import { ExpectedFailure } from '../errors.ts';
import type { KnownOfCompany } from '../protocol/ext-questions.ts';

type QuestionMember = keyof KnownOfCompany;

/** The names of the columns; null for absent ones. */
export type ColumnNames = Readonly<Record<QuestionMember, string | null>>;

/** Indexes of the columns, from 0; null for absent ones. */
export type ColumnPlaces = Readonly<Record<QuestionMember, number | null>>;

/** The row with the names of the columns. */
export interface Header {
  readonly columns: readonly string[];
  /** The line that it begins in, from 1. */
  readonly line: number;
}

/** Whether each column that has a name is there. */
export function hasColumns(columns: readonly string[], names: ColumnNames): boolean {
  return Object.values(names).every(
    (name) => name === null || columns.some((column) => isNamed(column, name)),
  );
}

/** @throws ExpectedFailure naming the column that is missing or occurs twice, and the existing ones */
export function placesOf(header: Header, names: ColumnNames): ColumnPlaces {
  const place = (name: string | null) => (name === null ? null : placeOf(header, name));
  return {
    name: place(names.name),
    country: place(names.country),
    city: place(names.city),
    registrationNumber: place(names.registrationNumber),
    lei: place(names.lei),
  };
}

function placeOf({ columns, line }: Header, name: string): number {
  const exact = placesWhere(columns, (column) => column === name);
  const alike = placesWhere(columns, (column) => isNamed(column, name));
  const [first, second] = exact.length > 0 ? exact : alike;
  if (first === undefined)
    throw new ExpectedFailure(
      'bad-csv',
      `line ${line} has no column ${name}; its columns are ${listedColumns(columns)}`,
    );
  if (second === undefined) return first;
  throw new ExpectedFailure('bad-csv', `line ${line} names the column ${name} twice`);
}

/** Whatever the case. */
function isNamed(column: string, name: string): boolean {
  return comparable(column) === comparable(name);
}

function comparable(name: string): string {
  return onOneLine(name.normalize('NFC')).trim().toLowerCase();
}

/** A cell of a spreadsheet may have line breaks. */
function onOneLine(name: string): string {
  return name.replaceAll(/\s+/g, ' ');
}

function placesWhere(columns: readonly string[], is: (column: string) => boolean): readonly number[] {
  return columns.flatMap((column, place) => (is(column) ? [place] : []));
}

const listedMax = 40;

/** The names of columns for a message. */
export function listedColumns(columns: readonly string[]): string {
  const named = columns.filter((column) => column !== '').map(onOneLine);
  const more = named.length > listedMax ? `, and ${named.length - listedMax} more` : '';
  return named.slice(0, listedMax).join(', ') + more;
}

/** @throws ExpectedFailure if a column has the name of an added one, or (for members of JSON) of another */
export function refuseClashes({ columns, line }: Header, added: readonly string[], asMembers: boolean): void {
  const clash = columns.find((column) => added.includes(column));
  if (clash !== undefined) {
    throw new ExpectedFailure(
      'bad-csv',
      `line ${line} has a column ${clash} already; give the added columns other names, for example with --prefix found_`,
    );
  }
  const twice = columns.find((column, place) => columns.indexOf(column) !== place);
  if (!asMembers || twice === undefined) return;
  const what = twice === '' ? 'has two columns without a name' : `names the column ${twice} twice`;
  throw new ExpectedFailure('bad-csv', `line ${line} ${what}, which NDJSON can't hold`);
}
