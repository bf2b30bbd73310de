/**
 * Turns path and query of a request to the API into a {@link ReadTarget}, or into one 400 that names every fault. The texts
 * of the parameters become values in their endpoint's types, which form its question.
 */

import { filtersText, pageAddress, replacementCharacter } from '../http/address.ts';
import type { Cursor } from '../http/cursor.ts';
import type { DataRoute, GivenParameters, QuestionContext } from '../http/definition.ts';
import type { DataExchange, ReadTarget } from '../http/exchange.ts';
import {
  noParameters,
  type OwnRules,
  type OwnValues,
  type ParameterName,
  type Parameters,
  type QueryParameter,
  queryParameters,
  Refusal,
  type Subject,
  subjects,
} from '../http/parameters.ts';
import { invalidCursor, invalidParameters, nothingHere, type ProblemDetails } from '../http/problem.ts';
import type { ParameterFault } from '../http/problem-kinds.ts';
import type { StepParts } from '../http/step.ts';
import { refusedCountry } from '../lei/codes.ts';
import { unitsEver } from '../ports/ledger.ts';
import type { Question } from '../protocol/questions.ts';
import { batchMax } from './batch.ts';

/** What a request asks for. */
export interface RequestedData extends Parameters {
  /** The filters in one canonical order and spelling, without cursor and limit; '' if there are none. */
  readonly filters: string;
  /** The canonical end of the path after the identifier; '' if the path ends with that. */
  readonly end: string;
  /**
   * Call it only if no fault was found.
   * @param identifier of the path, checked; '' if it has none
   * @param position where a page starts, as an earlier answer gave it; null for the first page
   */
  question(identifier: string, position: string | null, context: QuestionContext): Question;
}

/** The part of an endpoint's definition that its requests are parsed by. */
export interface RequestRules<Own extends OwnRules, Tail extends OwnRules> {
  /** Query parameters that this endpoint alone takes, by name; they come before the others. */
  readonly own: Own;
  /** The last part of the path, after the identifier, by its name; none if the path ends with that. */
  readonly tail: Tail;
  /**
   * The faults that only several parameters together show, or the limits of the caller; absent if there are none.
   * @param unitsMax the most that the caller may ask for at once
   */
  readonly faultsOf?: (own: OwnValues<Own>, unitsMax: number) => readonly ParameterFault[];
  question(
    identifier: string,
    parameters: Parameters & { readonly own: OwnValues<Own>; readonly tail: OwnValues<Tail> },
    position: string | null,
    context: QuestionContext,
  ): Question;
}

/** Reads a request of one endpoint and adds each fault to `faults`. */
type Reader = (given: GivenParameters, faults: ParameterFault[], unitsMax: number) => RequestedData;

/** An endpoint as its requests are read. */
export interface ReadableEndpoint extends Pick<DataRoute, 'batch'> {
  /** The identifier in the path, or null. */
  readonly subject: Subject | null;
  /** The template before and after the identifier. */
  readonly before: string;
  readonly after: string;
  readonly read: Reader;
}

type ReadParts = Pick<StepParts, 'config' | 'cursors' | 'publications'>;

export function readAddress(
  exchange: DataExchange,
  endpoint: ReadableEndpoint,
  parts: ReadParts,
): ReadTarget | ProblemDetails {
  const { config, cursors } = parts;
  if (isDotSegment(exchange.identifier)) return nothingHere(config.basePath);
  const faults: ParameterFault[] = [];
  const identifier = checkIdentifier(exchange.identifier, endpoint, faults);
  const [identifierFault] = faults;
  const asked = endpoint.read(exchange, faults, endpoint.batch ? mostOf(exchange, config) : batchMax);
  if (faults.length > 0) return refusal(identifierFault, [...faults, ...countryFaults(asked, parts)]);
  const path = `${endpoint.before}${identifier}${endpoint.after}${asked.end}`;
  const cursor = readCursor(asked, path, cursors);
  if (cursor === 'invalid') return invalidCursor;
  return new AddressReading(identifier, asked, path, cursor);
}

/** A class, because every request creates one, and closures would be created with it each time. */
class AddressReading implements ReadTarget {
  readonly identifier: string;
  readonly self: string;
  readonly #asked: RequestedData;
  readonly #path: string;
  readonly #cursor: Cursor | null;

  constructor(identifier: string, asked: RequestedData, path: string, cursor: Cursor | null) {
    this.identifier = identifier;
    this.self = pageAddress(path, asked, asked.cursor);
    this.#asked = asked;
    this.#path = path;
    this.#cursor = cursor;
  }

  get pinnedTo(): string | null {
    return this.#cursor?.publicationId ?? null;
  }

  get scope(): string {
    return scopeOf(this.#path, this.#asked);
  }

  question(context: QuestionContext): Question {
    return this.#asked.question(this.identifier, this.#cursor?.position ?? null, context);
  }

  pageAt(cursor: string): string {
    return pageAddress(this.#path, this.#asked, cursor);
  }
}

function scopeOf(path: string, { filters }: RequestedData): string {
  return `${path}?${filters}`;
}

/**
 * Only the publication knows all countries, so a query thread checks them. But a request with other faults is never
 * asked.
 */
function countryFaults({ country }: RequestedData, { publications }: ReadParts): readonly ParameterFault[] {
  const used = publications.active()?.manifest.countries;
  const detail = country === null || used === undefined ? null : refusedCountry(country, new Set(used));
  return detail === null ? [] : [{ parameter: 'country', detail }];
}

/** The most values of a batch: also the most that the limits of its caller ever allow. */
function mostOf({ admission, window }: DataExchange, { limitsMode }: ReadParts['config']): number {
  const quota = admission?.quota ?? null;
  const limited = quota !== null && limitsMode === 'enforce';
  return limited ? Math.min(batchMax, unitsEver(quota.policy, window)) : batchMax;
}

/**
 * Clients and proxies resolve dot segments, so `..` leads to another path; only the server's router reads it as a name.
 */
function isDotSegment(segment: string): boolean {
  return segment === '.' || segment === '..';
}

function checkIdentifier(text: string, { subject }: ReadableEndpoint, faults: ParameterFault[]): string {
  if (subject === null) return '';
  if (text.includes(replacementCharacter)) {
    faults.push({ parameter: subject, detail: 'The identifier in the path must be percent-encoded UTF-8.' });
    return '';
  }
  const check = subjects[subject].check(text);
  if (check.ok) return check.value;
  faults.push({ parameter: subject, detail: check.reason });
  return '';
}

/** @param identifierFault passed separately, because a query parameter may be called `lei` too */
function refusal(
  identifierFault: ParameterFault | undefined,
  faults: readonly ParameterFault[],
): ProblemDetails {
  if (identifierFault === undefined) return invalidParameters(faults);
  // Its reason is a whole sentence.
  return { name: 'invalid-identifier', detail: identifierFault.detail, errors: faults };
}

function readCursor(
  asked: RequestedData,
  path: string,
  cursors: ReadParts['cursors'],
): Cursor | null | 'invalid' {
  if (asked.cursor === null) return null;
  return cursors.open(asked.cursor, scopeOf(path, asked)) ?? 'invalid';
}

/** @param required the names of the required query parameters */
export function reader<Own extends OwnRules, Tail extends OwnRules>(
  asking: RequestRules<Own, Tail>,
  required: readonly string[],
): Reader {
  const asked = (common: Parameters, own: OwnValues<Own>, tail: OwnValues<Tail>): RequestedData => {
    const parameters = { ...common, own, tail };
    return {
      ...common,
      filters: filtersText(common, spelled(asking.own, own)),
      end: spelled(asking.tail, tail)[0]?.[1] ?? '',
      question: (identifier, position, context) => asking.question(identifier, parameters, position, context),
    };
  };
  const nothing = { common: noParameters, own: readEach(asking.own, [], () => undefined) };
  const noTail = readEach(asking.tail, [], () => undefined);
  const plain = asked(noParameters, nothing.own, noTail);
  const hasTail = Object.keys(asking.tail).length > 0;
  return (given, faults, unitsMax) => {
    const tail = hasTail ? readEach(asking.tail, faults, () => given.tail) : noTail;
    const texts = given.query(faults);
    const isPlain = texts === null && required.length === 0;
    const { common, own } = isPlain ? nothing : readTexts(asking.own, required, texts ?? new Map(), faults);
    if (faults.length === 0 && asking.faultsOf) faults.push(...asking.faultsOf(own, unitsMax));
    return isPlain && !hasTail ? plain : asked(common, own, tail);
  };
}

function readTexts<Own extends OwnRules>(
  rules: Own,
  required: readonly string[],
  texts: ReadonlyMap<string, string>,
  faults: ParameterFault[],
): { readonly common: Parameters; readonly own: OwnValues<Own> } {
  const textOf = (name: string) => texts.get(name);
  const take = taker(faults, textOf);
  // An endpoint with a rule of its own for a parameter reads it by that one.
  const common = <Value>(name: ParameterName, rule: Pick<QueryParameter<Value>, 'read'>) =>
    name in rules ? null : take(name, rule);
  const q = common('q', queryParameters.q);
  const own = readEach(rules, faults, textOf);
  for (const name of required) {
    if (texts.has(name) || faults.some(({ parameter }) => parameter === name)) continue;
    const { required: why } = rules[name] ?? queryParameters.q;
    faults.push({ parameter: name, detail: why ?? 'is required' });
  }
  const limit = take('limit', queryParameters.limit);
  const values = {
    q,
    limit: limit ?? noParameters.limit,
    limitGiven: limit !== null,
    country: common('country', queryParameters.country),
    status: common('status', queryParameters.status),
    cursor: take('cursor', queryParameters.cursor),
  };
  return { common: values, own };
}

/** The text of a parameter; undefined if it was left out. */
type TextOf = (name: string) => string | undefined;

/** Returns the value of a parameter by its rule; null if it was left out or is faulty. */
function taker(faults: ParameterFault[], textOf: TextOf) {
  return <Value>(name: string, { read }: Pick<QueryParameter<Value>, 'read'>): Value | null => {
    const text = textOf(name);
    if (text === undefined) return null;
    const outcome = read(text);
    if (!(outcome instanceof Refusal)) return outcome;
    faults.push({ parameter: name, detail: outcome.detail });
    return null;
  };
}

/** A missing required parameter is a fault, and values are used only if there is no fault. */
function readEach<Own extends OwnRules>(rules: Own, faults: ParameterFault[], textOf: TextOf): OwnValues<Own>;
function readEach(
  rules: OwnRules,
  faults: ParameterFault[],
  textOf: TextOf,
): Readonly<Record<string, unknown>> {
  const take = taker(faults, textOf);
  return Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, take(name, rule)]));
}

/** The names and canonical texts of those that were given. */
function spelled(rules: OwnRules, values: Readonly<Record<string, unknown>>): readonly [string, string][] {
  return Object.entries(rules).flatMap(([name, rule]): [string, string][] => {
    const value = values[name] ?? null;
    return value === null ? [] : [[name, rule.spell(value)]];
  });
}
