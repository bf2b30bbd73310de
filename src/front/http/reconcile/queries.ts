/**
 * Reconciliation queries: each is the question of /ext/v1/match. A faulty query affects only its own result, which is
 * then empty and has an `error` beside it.
 */

import type { Static } from '@sinclair/typebox';
import type { KnownOfCompany } from '../../../protocol/ext-questions.ts';
import type { Answer, Unavailability } from '../../../protocol/questions.ts';
import { isFields } from '../../../state/records.ts';
import { type MatchAnswerSchema, matchParameters } from '../../endpoints/ext/match.ts';
import { queryParameters, Refusal } from '../../endpoints/parameters.ts';
import { subjects } from '../../endpoints/subjects.ts';
import { countryCode, countryName } from './country-names.ts';
import { reconcileLimits } from './limits.ts';
import { askableList, isAskable, legalEntity, propertyOf } from './properties.ts';
import { type Ask, faulty, type Outcome, type Task, textOf } from './task.ts';

type Match = Static<typeof MatchAnswerSchema>;

/** A query, or what is wrong with it. */
type QueryReading = { readonly known: KnownOfCompany; readonly limit: number } | { readonly fault: string };

/** A task for the text of `queries`. */
export function queriesTask(text: string): Task {
  const batch = parseJson(text);
  if (!isFields(batch)) return faulty('queries', 'must be a JSON object of queries by name, form-encoded');
  const queries = Object.entries(batch).map(([name, query]) => [name, readQuery(query)] as const);
  const { queriesMax } = reconcileLimits;
  if (queries.length === 0) return faulty('queries', 'must hold at least one query');
  if (queries.length > queriesMax) {
    return faulty('queries', `must hold at most ${queriesMax} queries; it holds ${queries.length}`);
  }
  return {
    window: 'search',
    units: queries.length,
    list: 'queries',
    answer: async (ask) => {
      const results = await Promise.all(queries.map(([, query]) => resultOf(query, ask)));
      return joined(
        queries.map(([name]) => name),
        results,
      );
    },
  };
}

/** The value of a JSON text; undefined if it is malformed. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readQuery(query: unknown): QueryReading {
  if (!isFields(query)) return { fault: 'A query must be an object with the member query or properties.' };
  const limit = readLimit(query['limit']);
  if (limit === null) return { fault: 'limit must be a whole number, at least 1.' };
  const values = readProperties(query['properties']);
  if ('fault' in values) return values;
  const text = query['query'] ?? '';
  if (typeof text !== 'string') return { fault: 'query must be a string.' };
  return readKnown(text, values.values, limit);
}

function readLimit(limit: unknown): number | null {
  if (limit === undefined || limit === null) return reconcileLimits.candidatesMax;
  const isCount = typeof limit === 'number' && Number.isInteger(limit) && limit >= 1;
  return isCount ? Math.min(limit, reconcileLimits.candidatesMax) : null;
}

type PropertyReading = { readonly values: ReadonlyMap<string, string> } | { readonly fault: string };

/** Ignores properties that do not distinguish companies; an unknown property is a fault. */
function readProperties(properties: unknown = []): PropertyReading {
  if (!Array.isArray(properties)) return { fault: 'properties must be a list.' };
  const values = new Map<string, string>();
  for (const each of properties) {
    const id = isFields(each) ? each['pid'] : null;
    if (!isFields(each) || typeof id !== 'string')
      return { fault: 'A property must have the members pid and v.' };
    if (propertyOf(id) === null) {
      return {
        fault: `There is no property ${JSON.stringify(shortened(id))}; a query takes ${askableList}.`,
      };
    }
    const value = cellText(each['v']);
    if (isAskable(id) && value !== '') values.set(id, value);
  }
  return { values };
}

function shortened(text: string): string {
  return text.slice(0, 64).toWellFormed();
}

/** The first non-empty value as text; for a reconciled cell, its identifier. */
function cellText(value: unknown): string {
  if (Array.isArray(value)) return value.map(cellText).find((text) => text !== '') ?? '';
  if (isFields(value)) return cellText(value['id'] ?? value['name']);
  return typeof value === 'string' || typeof value === 'number' ? plain(String(value)) : '';
}

/** Cells of tables contain line ends and tabs. */
function plain(text: string): string {
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
}

function readKnown(query: string, values: ReadonlyMap<string, string>, limit: number): QueryReading {
  const name = plain(query);
  const faults: string[] = [];
  const read = (id: keyof typeof matchParameters, text: string | undefined): string | null => {
    if (text === undefined || text === '') return null;
    const outcome = matchParameters[id].read(text);
    if (!(outcome instanceof Refusal)) return outcome;
    faults.push(`${id === 'name' ? 'query' : id} ${outcome.detail}.`);
    return null;
  };
  // A query that is an LEI asks for that company.
  const identifier = subjects.lei.check(name);
  const known: KnownOfCompany = {
    name: identifier.ok ? null : read('name', name),
    country: readCountry(values.get('country'), faults),
    city: read('city', values.get('city')),
    registrationNumber: read('registrationNumber', values.get('registrationNumber')),
    lei: identifier.ok ? identifier.value : read('lei', values.get('lei')),
  };
  if (faults.length > 0) return { fault: faults.join(' ') };
  const isEnough = known.name !== null || known.registrationNumber !== null || known.lei !== null;
  return isEnough
    ? { known, limit }
    : { fault: 'A query must hold a name as query, or the property registrationNumber or lei.' };
}

function readCountry(text: string | undefined, faults: string[]): string | null {
  if (text === undefined) return null;
  const code = countryCode(text);
  const refusal = code === null ? queryParameters.country.read(text) : code;
  if (!(refusal instanceof Refusal)) return refusal;
  faults.push(`country ${refusal.detail}; or its English name.`);
  return null;
}

type Result = { readonly result: readonly unknown[]; readonly error?: string };

async function resultOf(query: QueryReading, ask: Ask): Promise<Result | Unavailability> {
  if ('fault' in query) return { result: [], error: query.fault };
  return ask({ kind: 'match', ...query.known }, (answer) => readAnswer(answer, query.limit));
}

function readAnswer(answer: Answer, limit: number): Result | Unavailability {
  switch (answer.outcome) {
    case 'found':
      return { result: candidatesOf(JSON.parse(textOf(answer.data)), limit) };
    case 'invalid':
      return { result: [], error: `${answer.parameter} ${answer.detail}.` };
    case 'unavailable':
      return answer.reason;
    default:
      throw new Error(`A query thread answered a match with ${answer.outcome}.`);
  }
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
    features: Object.entries(features).flatMap(([id, value]) => (value === null ? [] : [{ id, value }])),
  }));
}

/** One answer with all results. A batch is answered completely or not at all. */
function joined(names: readonly string[], results: readonly (Result | Unavailability)[]): Outcome {
  const reason = results.find((result) => typeof result === 'string');
  if (reason !== undefined) return { outcome: 'unavailable', reason };
  return { outcome: 'json', value: Object.fromEntries(names.map((name, at) => [name, results[at]])) };
}
