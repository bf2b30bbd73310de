/** Writes the candidates of a list of names as CSV, a line for each candidate. */
import { byteOrderMark, type CellValue, safeCsvField } from '../../csv-cells.ts';
import type { DataOf, SentPage } from '../definition.ts';
import type { NameLine } from './names.ts';

/** A line with its answer, or with a sentence on why there is none. */
export interface MatchedLine extends NameLine {
  readonly found: DataOf['match'] | string;
}

export type ShownCandidate = DataOf['match']['candidates'][number];

/** The candidate's columns; scores and features are those of /ext/v1/match. */
const ofCandidate: Readonly<Record<string, (candidate: ShownCandidate) => CellValue>> = {
  lei: ({ lei }) => lei,
  matched_name: ({ name }) => name,
  matched_country: ({ country }) => country,
  score: ({ score }) => score,
  name_alike: ({ features }) => features.name,
  legal_form_alike: ({ features }) => features.legalForm,
  country_alike: ({ features }) => features.country,
  city_alike: ({ features }) => features.city,
};

const columns = [
  'line',
  'name',
  'country',
  'city',
  'verdict',
  'candidate',
  ...Object.keys(ofCandidate),
  'note',
];

export function matchFile(matched: readonly MatchedLine[]): SentPage {
  const rows: readonly (readonly CellValue[])[] = [columns, ...matched.flatMap(rowsOf)];
  const lines = rows.map((cells) => `${cells.map((cell) => safeCsvField(cell)).join(',')}\r\n`);
  return {
    status: 200,
    contentType: 'text/csv; charset=utf-8',
    body: byteOrderMark + lines.join(''),
    headers: { 'Content-Disposition': 'attachment; filename="matches.csv"' },
  };
}

/** A name without candidates has a row too. */
function rowsOf({ name, country, city, found }: MatchedLine, at: number): readonly (readonly CellValue[])[] {
  const line = [at + 1, name || null, country || null, city || null];
  const none = Object.keys(ofCandidate).map(() => null);
  if (typeof found === 'string') return [[...line, null, null, ...none, found]];
  const { verdict, candidates } = found;
  if (candidates.length === 0) return [[...line, verdict, null, ...none, null]];
  return candidates.map((candidate, rank) => [
    ...line,
    verdict,
    rank + 1,
    ...Object.values(ofCandidate).map((cellOf) => cellOf(candidate)),
    null,
  ]);
}
