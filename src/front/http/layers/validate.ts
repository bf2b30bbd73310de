/** Turns path and query into a {@link Reading}, or into one 400 that names every fault. */
import { refusedCountry } from '../../../lei/codes.ts';
import { unitsEver } from '../../../ports/ledger.ts';
import type { Asked } from '../../endpoints/asked.ts';
import { batchMax } from '../../endpoints/batch.ts';
import type { DataEndpoint } from '../../endpoints/endpoint.ts';
import { subjects } from '../../endpoints/subjects.ts';
import type { ParameterFault } from '../../problems.ts';
import { pageAddress } from '../address.ts';
import type { Cursor } from '../cursor.ts';
import type { CountedExchange, Read, Reading } from '../exchange.ts';
import { invalidParameters, nothingHere, type ProblemDetails } from '../problem.ts';
import type { Inner, LayerParts } from './layer.ts';

type Parts = Pick<LayerParts, 'config' | 'cursors' | 'publications' | 'refuse'>;

export function validate(parts: Parts, inner: Inner<Read>): Inner<CountedExchange> {
  return (exchange: CountedExchange) => {
    const outcome = readAddress(exchange, parts);
    if ('name' in outcome) return parts.refuse(exchange, outcome);
    exchange.understand(outcome);
    inner(exchange);
  };
}

function readAddress(exchange: CountedExchange, parts: Parts): Reading | ProblemDetails {
  const { config, cursors } = parts;
  const { endpoint } = exchange;
  if (isDotSegment(exchange.identifier)) return nothingHere(config.basePath);
  const faults: ParameterFault[] = [];
  const identifier = checkIdentifier(exchange.identifier, endpoint, faults);
  const [identifierFault] = faults;
  const asked = endpoint.read(exchange, faults, endpoint.batch ? mostOf(exchange, config) : batchMax);
  if (faults.length > 0) return refusal(identifierFault, [...faults, ...countryFaults(asked, parts)]);
  const path = `${endpoint.before}${identifier}${endpoint.after}${asked.end}`;
  const cursor = readCursor(asked, path, cursors);
  if (cursor === 'invalid') return invalidCursor;
  return {
    identifier,
    asked,
    path,
    self: pageAddress(path, asked, asked.cursor),
    position: cursor?.position ?? null,
    pinnedTo: cursor?.publicationId ?? null,
  };
}

/**
 * Only the publication knows all countries, so a query thread checks them. But a request with other faults is never
 * asked.
 */
function countryFaults({ country }: Asked, { publications }: Parts): readonly ParameterFault[] {
  const used = publications.active()?.manifest.countries;
  const detail = country === null || used === undefined ? null : refusedCountry(country, new Set(used));
  return detail === null ? [] : [{ parameter: 'country', detail }];
}

/** The most values of a batch: also the most that the limits of its caller ever allow. */
function mostOf({ admission, window }: CountedExchange, { limitsMode }: Parts['config']): number {
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

/** The router's marker for bytes that are not percent-encoded UTF-8. */
const replacementCharacter = '\ufffd';

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
  { cursor, filters }: Asked,
  path: string,
  cursors: Parts['cursors'],
): Cursor | null | 'invalid' {
  if (cursor === null) return null;
  return cursors.open(cursor, `${path}?${filters}`) ?? 'invalid';
}

export const invalidCursor: ProblemDetails = {
  name: 'invalid-cursor',
  detail:
    'The cursor was changed, or it belongs to another endpoint, query or filter. Send the value of links.next unchanged with the same other parameters, or start again without a cursor.',
  errors: [
    { parameter: 'cursor', detail: 'must be the value of links.next from an earlier page of the same query' },
  ],
};
