/** Finds the columns of a file that companies are matched by. */

import { ExpectedFailure } from '../errors.ts';
import type { KnownOfCompany } from '../protocol/ext-questions.ts';

type QuestionMember = keyof KnownOfCompany;

/** The names of the columns; null for absent ones. */
export type ColumnNames = Readonly<Record<QuestionMember, string | null>>;

/** Indexes of the columns, from 0; null for absent ones. */
export type ColumnPlaces = Readonly<Record<QuestionMember, number | null>>;

/** Whether each column that has a name is there. */
export function hasColumns(header: readonly string[], names: ColumnNames): boolean {
  return Object.values(names).every(
    (name) => name === null || header.some((column) => isNamed(column, name)),
  );
}

/** @throws ExpectedFailure naming the column that is missing or occurs twice, and the existing ones */
export function placesOf(header: readonly string[], names: ColumnNames): ColumnPlaces {
  const place = (name: string | null) => (name === null ? null : placeOf(header, name));
  return {
    name: place(names.name),
    country: place(names.country),
    city: place(names.city),
    registrationNumber: place(names.registrationNumber),
    lei: place(names.lei),
  };
}

function placeOf(header: readonly string[], name: string): number {
  const exact = placesWhere(header, (column) => column === name);
  const alike = placesWhere(header, (column) => isNamed(column, name));
  const [first, second] = exact.length > 0 ? exact : alike;
  if (first === undefined)
    throw new ExpectedFailure('bad-csv', `line 1 has no column ${name}; ${listed(header)}`);
  if (second === undefined) return first;
  throw new ExpectedFailure('bad-csv', `line 1 names the column ${name} twice`);
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

function placesWhere(header: readonly string[], is: (column: string) => boolean): readonly number[] {
  return header.flatMap((column, place) => (is(column) ? [place] : []));
}

const listedMax = 12;

function listed(header: readonly string[]): string {
  const named = header.filter((column) => column !== '').map(onOneLine);
  if (named.length === 0) return 'it names none';
  const more = named.length > listedMax ? ' …' : '';
  return `its columns are ${named.slice(0, listedMax).join(', ')}${more}`;
}

/** @throws ExpectedFailure if a column has the name of an added one, or (for members of JSON) of another */
export function refuseClashes(header: readonly string[], added: readonly string[], asMembers: boolean): void {
  const clash = header.find((column) => added.includes(column));
  if (clash !== undefined) {
    throw new ExpectedFailure(
      'bad-csv',
      `line 1 has a column ${clash} already; give the added columns other names, for example with --prefix found_`,
    );
  }
  const twice = header.find((column, place) => header.indexOf(column) !== place);
  if (asMembers && twice !== undefined) {
    throw new ExpectedFailure('bad-csv', `line 1 names the column ${twice} twice, which NDJSON can't hold`);
  }
}
