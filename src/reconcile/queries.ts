/**
 * Reconciliation queries: each is the question of /ext/v1/match. A faulty query affects only its own result, which is
 * then empty and has an `error` beside it. A cell of another column that can't be read is left out, because OpenRefine
 * shows no errors: the row would look as if there were no such company.
 */

import { isFields } from '../accounts/state/records.ts';
import { readJson } from '../http/bodies/read-json.ts';
import { matchParameters } from '../http/match-parameters.ts';
import { Refusal } from '../http/parameters.ts';
import type { Task, TaskOutcome } from '../http/task-route.ts';
import { faulty } from '../http/tasks.ts';
import { askableList, propertyInQuery } from '../lei/company-properties.ts';
import { leiIn } from '../lei/identifiers.ts';
import type { KnownOfCompany, ReconcileQuery, ReconcileQuestion } from '../protocol/ext-questions.ts';
import type { Answer, Unavailability } from '../protocol/questions.ts';
import { quoted } from '../terminal-text.ts';
import { bytesOf, reconcileLimits, unexpected } from './task.ts';

const { propertiesMax, queriesMax, queriesTogetherMax, textUnitsMax } = reconcileLimits;

/** A query, or what is wrong with it. */
type QueryReading =
  | { readonly known: KnownOfCompany; readonly limit: number; readonly leftOut: readonly string[] }
  | { readonly fault: string };

/** A task for the text of `queries`. */
export function queriesTask(text: string): Task {
  const read = readJson(text);
  if (!read.ok) return faulty('queries', read.fault);
  if (!isFields(read.value))
    return faulty('queries', 'must be a JSON object of queries by name, form-encoded');
  const names = Object.keys(read.value);
  if (names.length === 0) return faulty('queries', 'must hold at least one query');
  if (names.length > queriesMax) {
    return faulty('queries', `must hold at most ${queriesMax} queries; it holds ${names.length}`);
  }
  const queries = Object.entries(read.value).map(([name, query]) => ({ name, ...readQuery(query) }));
  const questions = inQuestions(queries);
  return {
    window: 'search',
    units: queries.length,
    list: 'queries',
    needs: questions,
    answer: async (ask) =>
      joined(questions, await Promise.all(questions.map((question) => ask(question, membersOf)))),
  };
}

/** A few queries cross together: each answer wakes the front, and several threads can share a batch. */
function inQuestions(queries: readonly ReconcileQuery[]): readonly ReconcileQuestion[] {
  const count = Math.ceil(queries.length / queriesTogetherMax);
  return Array.from({ length: count }, (_, at) => ({
    kind: 'reconcile',
    queries: queries.slice(at * queriesTogetherMax, (at + 1) * queriesTogetherMax),
  }));
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

/**
 * Ignores properties that do not distinguish companies; an unknown property is a fault. The last value of each that has a
 * text counts, so they are read from the last one back, and the others not at all: a batch may have thousands.
 */
function readProperties(properties: unknown = []): PropertyReading {
  if (!Array.isArray(properties)) return { fault: 'properties must be a list.' };
  if (properties.length > propertiesMax) {
    return { fault: `properties must hold at most ${propertiesMax} of them; it holds ${properties.length}.` };
  }
  const values = new Map<string, string>();
  let firstFault: string | null = null;
  for (let at = properties.length - 1; at >= 0; at--) {
    const each: unknown = properties[at];
    const { pid, v: cell } = isFields(each) ? each : noFields;
    const id = typeof pid === 'string' ? propertyInQuery(pid) : null;
    if (typeof pid !== 'string') firstFault = 'A property must have the members pid and v.';
    else if (id === undefined)
      firstFault = `There is no property ${quoted(shortened(pid))}; a query takes ${askableList}.`;
    else if (id !== null && !values.has(id)) setText(values, id, cellText(cell));
  }
  return firstFault === null ? { values } : { fault: firstFault };
}

const noFields: Readonly<Record<string, unknown>> = {};

function setText(values: Map<string, string>, id: string, text: string): void {
  if (text !== '') values.set(id, text);
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

/** Cells of tables contain line ends and tabs. A text that is too long stays so. */
function plain(text: string): string {
  if (text.length > textUnitsMax) return text.trim();
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
}

function readKnown(query: string, values: ReadonlyMap<string, string>, limit: number): QueryReading {
  const name = plain(query);
  const faults: string[] = [];
  const leftOut: string[] = [];
  const read = (id: keyof typeof matchParameters, text: string | undefined): string | null => {
    if (text === undefined || text === '') return null;
    const outcome = matchParameters[id].read(text);
    if (!(outcome instanceof Refusal)) return outcome;
    if (id === 'name') faults.push(`query ${outcome.detail}.`);
    else leftOut.push(`${id} ${outcome.detail}.`);
    return null;
  };
  // A query that is an LEI asks for that company.
  const identifier = leiIn(name);
  const known: KnownOfCompany = {
    name: identifier === null ? read('name', name) : null,
    country: read('country', values.get('country')),
    city: read('city', values.get('city')),
    registrationNumber: read('registrationNumber', values.get('registrationNumber')),
    lei: identifier ?? read('lei', values.get('lei')),
  };
  if (faults.length > 0) return { fault: faults.join(' ') };
  const isEnough = known.name !== null || known.registrationNumber !== null || known.lei !== null;
  if (isEnough) return { known, limit, leftOut };
  const fault = 'A query must hold a name as query, or the property registrationNumber or lei.';
  return { fault: [...leftOut, fault].join(' ') };
}

/** The members of some queries in the JSON of the results, or why there are none. */
type Members = Uint8Array | Unavailability;

function membersOf(answer: Answer): Members {
  if (answer.outcome === 'found') return new Uint8Array(answer.data);
  if (answer.outcome === 'unavailable') return answer.reason;
  throw unexpected(answer);
}

/** One answer with all results. A batch is answered completely or not at all; what was computed is charged. */
function joined(questions: readonly ReconcileQuestion[], parts: readonly Members[]): TaskOutcome {
  const reason = parts.find((part) => typeof part === 'string');
  if (reason !== undefined) {
    const computed = questions.filter((_, at) => typeof parts[at] !== 'string');
    return {
      outcome: 'unavailable',
      reason,
      computed: computed.reduce((sum, { queries }) => sum + queries.length, 0),
    };
  }
  const members = parts.flatMap((part, at) => (at > 0 ? [',', part] : [part]));
  return { outcome: 'json', json: bytesOf('{', ...members, '}') };
}
