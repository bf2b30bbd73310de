/** Turns path and query of a request to the API into a {@link ReadTarget}, or into one 400 that names every fault. */

import { pageAddress } from '../http/address.ts';
import type { Cursor } from '../http/cursor.ts';
import type { QuestionContext } from '../http/definition.ts';
import type { DataExchange, ReadTarget } from '../http/exchange.ts';
import { subjects } from '../http/parameters.ts';
import { invalidCursor, invalidParameters, nothingHere, type ProblemDetails } from '../http/problem.ts';
import type { ParameterFault } from '../http/problem-kinds.ts';
import { replacementCharacter } from '../http/routes.ts';
import type { StepParts } from '../http/step.ts';
import { refusedCountry } from '../lei/codes.ts';
import { unitsEver } from '../ports/ledger.ts';
import type { Question } from '../protocol/questions.ts';
import type { RequestedData } from './asked.ts';
import { batchMax } from './batch.ts';
import type { DataEndpoint } from './endpoint.ts';

type ReadParts = Pick<StepParts, 'config' | 'cursors' | 'publications'>;

export function readAddress(
  exchange: DataExchange,
  endpoint: DataEndpoint,
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

function checkIdentifier(text: string, { subject }: DataEndpoint, faults: ParameterFault[]): string {
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
