/**
 * Turns a call of a tool into a request to an operation of the API, whose rules check the arguments, and defines where
 * the answer comes from.
 */
import { batchMax } from '../api/batch.ts';
import type { DataEndpoint } from '../api/endpoint.ts';
import type { RequestedData } from '../api/read.ts';
import { pageAddress, readQuery } from '../http/address.ts';
import { subjects } from '../http/parameters.ts';
import { faultsDetail } from '../http/problem.ts';
import type { ParameterFault } from '../http/problem-kinds.ts';

/** The arguments of a call as texts by name; lists are joined by commas, as in an address. */
export type CallArguments = ReadonlyMap<string, string>;

/** An operation of the API with arguments that its rules have checked. */
export interface CheckedCall {
  /** From the path, checked; '' if it has none. */
  readonly identifier: string;
  readonly asked: RequestedData;
  /** Canonical path and query. */
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

interface RefusedCall {
  readonly ok: false;
  /** Sentences for the caller: what is wrong, and what is allowed. */
  readonly message: string;
}

/** The outcome of a call of a tool. */
export type ToolAnswer = ({ readonly ok: true } & AnswerMembers) | RefusedCall;

/** Where answers come from: the local publication, another service, or the service that offers the tools. */
export interface ToolSource {
  /**
   * Calls an operation. The source has the arguments checked by the rules of the API.
   * Never rejects for what may happen in ordinary operation.
   */
  call(endpoint: DataEndpoint, given: CallArguments): Promise<ToolAnswer>;
  close(): Promise<void>;
}

/** Texts of the arguments of a call. Empty values count as left out. */
export function argumentTexts(given: Readonly<Record<string, unknown>>): CallArguments {
  return new Map(Object.entries(given).flatMap(([name, value]) => textOf(name, value)));
}

function textOf(name: string, value: unknown): [string, string][] {
  if (value === null || value === undefined || value === '') return [];
  return [[name, Array.isArray(value) ? value.join(',') : String(value)]];
}

type OperationChoice = { readonly ok: true; readonly endpoint: DataEndpoint } | RefusedCall;

/** @param endpoints the operations of one tool: the names of the arguments decide which of them is asked */
export function chooseOperation(endpoints: readonly DataEndpoint[], given: CallArguments): OperationChoice {
  const endpoint = endpoints.find((each) => fits(each, given)) ?? onlyOne(endpoints);
  return endpoint === null ? { ok: false, message: waysOf(endpoints) } : { ok: true, endpoint };
}

type CallCheck = { readonly ok: true; readonly call: CheckedCall } | RefusedCall;

export function checkCall(endpoint: DataEndpoint, given: CallArguments): CallCheck {
  const faults: ParameterFault[] = [];
  const call = callOf(endpoint, given, faults);
  return faults.length === 0 ? { ok: true, call } : { ok: false, message: faultsDetail(faults) };
}

/** Path and query of an operation with arguments as they were given, for a service that checks them itself. */
export function uncheckedAddress({ subject, before, after }: DataEndpoint, given: CallArguments): string {
  const identifier = subject === null ? '' : (given.get(subject) ?? '');
  const query = new URLSearchParams([...given].filter(([name]) => name !== subject)).toString();
  const path = `${before}${encodeURIComponent(identifier)}${after}`;
  return query === '' ? path : `${path}?${query}`;
}

/** The required arguments of an operation. */
function needed({ subject, required }: DataEndpoint): readonly string[] {
  return subject === null ? required : [subject, ...required];
}

function fits(endpoint: DataEndpoint, texts: CallArguments): boolean {
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

function callOf(endpoint: DataEndpoint, texts: CallArguments, faults: ParameterFault[]): CheckedCall {
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
  return { identifier, asked, address };
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
