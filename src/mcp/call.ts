/**
 * Turns a call of a tool into a request to an operation of the API, whose rules parse the arguments, and defines where
 * the answer comes from.
 */
import type { RequestedData } from '../api/asked.ts';
import { batchMax } from '../api/batch.ts';
import type { DataEndpoint } from '../api/endpoint.ts';
import { pageAddress, readQuery } from '../http/address.ts';
import { faultsDetail } from '../http/problem.ts';
import type { ParameterFault } from '../http/problem-kinds.ts';
import { subjects } from '../http/subjects.ts';

export interface ToolCall {
  readonly endpoint: DataEndpoint;
  /** From the path, checked; '' if it has none. */
  readonly identifier: string;
  readonly asked: RequestedData;
  /** Path and query. */
  readonly address: string;
}

/** The members of an answer of the API. */
interface AnswerMembers {
  readonly data: unknown;
  /** The data set and its licence. */
  readonly meta: unknown;
  /** The cursor of the next page; null on the last. */
  readonly next: string | null;
}

export type ToolAnswer =
  | ({ readonly ok: true } & AnswerMembers)
  /** Sentences for the asker: what is wrong, and what is allowed. */
  | { readonly ok: false; readonly message: string };

/** The local publication, or a service. */
export interface ToolSource {
  /** Never rejects for what may happen in ordinary operation. */
  ask(call: ToolCall): Promise<ToolAnswer>;
  close(): Promise<void>;
}

type Arguments = Readonly<Record<string, unknown>>;
type CallReading =
  | { readonly ok: true; readonly call: ToolCall }
  | { readonly ok: false; readonly message: string };

/** @param endpoints the operations of one tool: the arguments decide which of them is asked */
export function readCall(endpoints: readonly DataEndpoint[], given: Arguments): CallReading {
  const texts = new Map(Object.entries(given).flatMap(([name, value]) => textOf(name, value)));
  const fitting = endpoints.find((endpoint) => fits(endpoint, texts)) ?? onlyOne(endpoints);
  if (fitting === null) return { ok: false, message: waysOf(endpoints) };
  const faults: ParameterFault[] = [];
  const call = callOf(fitting, texts, faults);
  return faults.length === 0 ? { ok: true, call } : { ok: false, message: faultsDetail(faults) };
}

/** Lists are joined by commas, as in an address. Empty values count as left out. */
function textOf(name: string, value: unknown): [string, string][] {
  if (value === null || value === undefined || value === '') return [];
  return [[name, Array.isArray(value) ? value.join(',') : String(value)]];
}

/** The required arguments of an operation. */
function needed({ subject, required }: DataEndpoint): readonly string[] {
  return subject === null ? required : [subject, ...required];
}

function fits(endpoint: DataEndpoint, texts: ReadonlyMap<string, string>): boolean {
  const known = [...needed(endpoint), ...endpoint.names];
  return (
    needed(endpoint).every((name) => texts.has(name)) &&
    [...texts.keys()].every((name) => known.includes(name))
  );
}

function onlyOne(endpoints: readonly DataEndpoint[]): DataEndpoint | null {
  const [first, ...more] = endpoints;
  return first !== undefined && more.length === 0 ? first : null;
}

function waysOf(endpoints: readonly DataEndpoint[]): string {
  const ways = endpoints.map((endpoint) => {
    const needs = needed(endpoint);
    const more = endpoint.names.filter((name) => !needs.includes(name));
    return more.length === 0 ? needs.join(' and ') : `${needs.join(' and ')} (with ${more.join(', ')})`;
  });
  return `The arguments must be one of these: ${ways.join('; ')}.`;
}

function callOf(
  endpoint: DataEndpoint,
  texts: ReadonlyMap<string, string>,
  faults: ParameterFault[],
): ToolCall {
  const { subject, before, after } = endpoint;
  const identifier = subject === null ? '' : identifierOf(subject, texts.get(subject), faults);
  const query = new URLSearchParams([...texts].filter(([name]) => name !== subject));
  const given = {
    tail: '',
    query: (found: ParameterFault[]) => readQuery(query.toString(), endpoint.names, found, endpoint.lists),
  };
  const asked = endpoint.read(given, faults, batchMax);
  const path = `${before}${identifier}${after}`;
  const address = pageAddress(path, asked, asked.cursor);
  return { endpoint, identifier, asked, address };
}

function identifierOf(
  subject: keyof typeof subjects,
  text: string | undefined,
  faults: ParameterFault[],
): string {
  if (text === undefined) {
    faults.push({ parameter: subject, detail: 'is required' });
    return '';
  }
  const check = subjects[subject].check(text.trim());
  if (check.ok) return check.value;
  faults.push({ parameter: subject, detail: `is not valid: ${check.reason}` });
  return '';
}
