/**
 * Answers questions of the reconciliation service: queries by the candidates of a match each, as its clients read them,
 * and data extensions by properties of up to 100 companies.
 */

import type { Company } from '../lei/company.ts';
import { legalEntity, type Property, propertyOf } from '../lei/company-properties.ts';
import { countryName } from '../lei/places-of-iso.ts';
import type {
  ExtensionQuestion,
  ExtensionRow,
  ReconcileQuery,
  ReconcileQuestion,
} from '../protocol/ext-questions.ts';
import type { Answer } from '../protocol/questions.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import type { Steps } from '../store/steps.ts';
import { found, out } from './answers.ts';
import { readCompany } from './look-ups.ts';
import { type Match, matchedIn } from './match.ts';

/** The members of the object of all results, without its braces. */
export function* answerReconcile(
  publication: PublicationReader,
  { queries }: ReconcileQuestion,
): Steps<Answer> {
  const members: string[] = [];
  for (const query of queries) {
    const result = yield* resultOf(publication, query);
    if (!('result' in result)) return result;
    members.push(`${JSON.stringify(query.name)}:${JSON.stringify(result)}`);
  }
  out.begin();
  out.text(members.join());
  return found(out);
}

interface QueryResult {
  readonly result: readonly unknown[];
  readonly error?: string;
  readonly warning?: string;
}

type UnansweredQuery = Extract<Answer, { outcome: 'unavailable' }>;

function* resultOf(
  publication: PublicationReader,
  query: ReconcileQuery,
): Steps<QueryResult | UnansweredQuery> {
  if ('fault' in query) return { result: [], error: query.fault };
  const match = yield* matchedIn(publication, query.known);
  if (!('outcome' in match)) return answered(match, query.limit, query.leftOut);
  if (match.outcome === 'unavailable') return match;
  // Nothing but the country is read so late.
  const known = { ...query.known, country: null };
  const leftOut = [...query.leftOut, `${match.parameter} ${match.detail}.`];
  return yield* resultOf(publication, { ...query, known, leftOut });
}

function answered(match: Match, limit: number, leftOut: readonly string[]): QueryResult {
  const result = candidatesOf(match, limit);
  return leftOut.length === 0 ? { result } : { result, warning: `Left out: ${leftOut.join(' ')}` };
}

/** Scores go up to 100, as clients of the specification expect. */
function candidatesOf({ verdict, candidates }: Match, limit: number): readonly unknown[] {
  return candidates.slice(0, limit).map(({ lei, name, country, score, features }, place) => ({
    id: lei,
    name,
    ...(country === null ? {} : { description: countryName(country) }),
    type: [legalEntity],
    score: Math.round(score * 1000) / 10,
    match: verdict === 'match' && place === 0,
    features: Object.entries(features).flatMap(([id, value]) =>
      typeof value === 'number' ? [{ id, value }] : [],
    ),
  }));
}

/** The rows by id, each a step. An unknown company has no values. */
export function* answerExtension(publication: PublicationReader, question: ExtensionQuestion): Steps<Answer> {
  const properties = question.properties.flatMap((id) => propertyOf(id) ?? []);
  const rowOf = ({ id, lei }: ExtensionRow) => {
    const company = lei === null ? null : readCompany(publication, lei);
    return `${JSON.stringify(id)}:${JSON.stringify(valuesOf(company, properties))}`;
  };
  const rows: string[] = [];
  for (const row of question.rows) {
    yield;
    rows.push(rowOf(row));
  }
  out.begin();
  out.text(`{${rows.join()}}`);
  return found(out);
}

function valuesOf(company: Company | null, properties: readonly Property[]) {
  return Object.fromEntries(
    properties.map(({ id, values }) => [id, company === null ? [] : values(company)] as const),
  );
}
