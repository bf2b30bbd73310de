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
import type { IdentifierCheck } from '../lei/identifiers.ts';

/** The arguments of a call as texts by name; lists are joined by commas, as in an address. */
export type CallArguments = ReadonlyMap<string, string>;

/** An operation of the API with arguments that its rules have checked. */
export interface CheckedCall {
  /** From the path, checked; '' if it has none. */
  readonly identifier: string;
  readonly asked: RequestedData;
  /** Canonical path and query. */
  readonly address: string;
  /** What a cursor of this call belongs to: everything but `limit` and the cursor itself. */
  readonly scope: string;
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

/** A service names `links.next` in its place, which a result of a tool doesn't have. */
export const wrongCursor =
  'The cursor was changed, or it belongs to another tool or other arguments. Send the value of next unchanged with the same other arguments, or start again without a cursor.';

/** Where answers come from: the local publication, another service, or the service that offers the tools. */
export interface ToolSource {
  /**
   * Calls an operation. The source has the arguments checked by the rules of the API.
   * Never rejects for what may happen in ordinary operation.
   */
  call(endpoint: DataEndpoint, given: CallArguments): Promise<ToolAnswer>;
  close(): Promise<void>;
}

/** Empty values count as left out. */
function argumentTexts(given: Readonly<Record<string, unknown>>): CallArguments {
  return new Map(Object.entries(given).flatMap(([name, value]) => textOf(name, value)));
}

function textOf(name: string, value: unknown): [string, string][] {
  if (!isGiven(value)) return [];
  return [[name, Array.isArray(value) ? value.join(',') : String(value)]];
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}

type OperationChoice =
  | { readonly ok: true; readonly endpoint: DataEndpoint; readonly texts: CallArguments }
  | RefusedCall;

/** @param endpoints the operations of one tool: the names of the arguments decide which of them is asked */
export function chooseOperation(
  endpoints: readonly DataEndpoint[],
  given: Readonly<Record<string, unknown>>,
): OperationChoice {
  const texts = argumentTexts(given);
  const endpoint = endpoints.find((each) => fits(each, texts)) ?? onlyOne(endpoints);
  if (endpoint === null) return { ok: false, message: waysOf(endpoints) };
  const faults = shapeFaults(endpoint, given);
  return faults.length === 0 ? { ok: true, endpoint, texts } : { ok: false, message: faultsDetail(faults) };
}

/** Faults that an address could not show: a missing part of its path, and values that are no texts. */
function shapeFaults(
  endpoint: DataEndpoint,
  given: Readonly<Record<string, unknown>>,
): readonly ParameterFault[] {
  const { subject, lists } = endpoint;
  const missing =
    subject === null || isGiven(given[subject]) ? [] : [{ parameter: subject, detail: 'is required' }];
  const misshapen = knownNames(endpoint).flatMap((parameter) => {
    const detail = shapeFault(given[parameter], lists.includes(parameter));
    return detail === null ? [] : [{ parameter, detail }];
  });
  return [...missing, ...misshapen];
}

function shapeFault(value: unknown, isList: boolean): string | null {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (values.some((each) => typeof each === 'object' && each !== null)) {
    return 'must be a text or a number, not an object';
  }
  return isList || values.length < 2
    ? null
    : `must be one value, not a list of ${values.length}: call once for each`;
}

type CallCheck = { readonly ok: true; readonly call: CheckedCall } | RefusedCall;

/** Its messages are those of the service. */
export function checkCall(endpoint: DataEndpoint, given: CallArguments): CallCheck {
  const check = checkIdentifier(endpoint, given);
  if (!check.ok) return { ok: false, message: check.reason };
  const faults: ParameterFault[] = [];
  const call = callOf(endpoint, check.value, given, faults);
  return faults.length === 0 ? { ok: true, call } : { ok: false, message: faultsDetail(faults) };
}

/** Path and query of an operation with arguments as they were given, for a service that checks them itself. */
export function uncheckedAddress({ subject, before, after }: DataEndpoint, given: CallArguments): string {
  const identifier = identifierGiven(subject, given);
  const query = new URLSearchParams([...given].filter(([name]) => name !== subject)).toString();
  const path = `${before}${encodeURIComponent(identifier)}${after}`;
  return query === '' ? path : `${path}?${query}`;
}

/** The required arguments of an operation. */
function needed({ subject, required }: DataEndpoint): readonly string[] {
  return subject === null ? required : [subject, ...required];
}

function knownNames(endpoint: DataEndpoint): readonly string[] {
  return [...new Set([...needed(endpoint), ...endpoint.names])];
}

function fits(endpoint: DataEndpoint, texts: CallArguments): boolean {
  const known = knownNames(endpoint);
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
  identifier: string,
  texts: CallArguments,
  faults: ParameterFault[],
): CheckedCall {
  const { subject, before, after } = endpoint;
  const query = new URLSearchParams([...texts].filter(([name]) => name !== subject));
  const given = {
    tail: '',
    query: (found: ParameterFault[]) => readQuery(query.toString(), endpoint.names, found, endpoint.lists),
  };
  const asked = endpoint.read(given, faults, batchMax);
  const path = `${before}${identifier}${after}`;
  const address = pageAddress(path, asked, asked.cursor);
  return { identifier, asked, address, scope: `${path}?${asked.filters}` };
}

/** The identifier for the path, '' if it has none. An assistant copies spaces along with it. */
export function identifierGiven(subject: DataEndpoint['subject'], given: CallArguments): string {
  return subject === null ? '' : (given.get(subject) ?? '').trim();
}

function checkIdentifier({ subject }: DataEndpoint, given: CallArguments): IdentifierCheck {
  const text = identifierGiven(subject, given);
  return subject === null ? { ok: true, value: text } : subjects[subject].check(text);
}
