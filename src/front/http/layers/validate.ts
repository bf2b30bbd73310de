/** Path and query into a {@link Reading}, or one 400 that names every fault. */
import type { ParameterFault } from '../../problems.ts';
import { filtersText, identifierIn, pageAddress, queryOf } from '../address.ts';
import type { Cursor, CursorSeal } from '../cursor.ts';
import { type Endpoint, identifierChecks } from '../endpoints.ts';
import type { Reading } from '../exchange.ts';
import { type Parameters, readParameters } from '../parameters.ts';
import { faultsDetail, nothingHere, type ProblemDetails } from '../problem.ts';
import type { Layer, Refuse } from './layer.ts';

export function validate(cursors: CursorSeal, refuse: Refuse): Layer {
  return (exchange, inner) => {
    const outcome = readAddress(exchange.request.url, exchange.endpoint, cursors);
    if ('name' in outcome) return refuse(exchange, outcome);
    exchange.reading = outcome;
    inner(exchange);
  };
}

function readAddress(url: string, endpoint: Endpoint, cursors: CursorSeal): Reading | ProblemDetails {
  const faults: ParameterFault[] = [];
  const identifier = readIdentifier(url, endpoint, faults);
  const identifierFault = faults[0];
  // The server routes by the path as sent, and gives it with its dots resolved: nothing is left of a `..`.
  if (identifierFault !== undefined && identifierIn(url, endpoint) === '') return nothingHere;
  const parameters = readParameters(queryOf(url), endpoint, faults);
  if (faults.length > 0) return refusal(identifierFault, faults);
  const path = `${endpoint.before}${identifier}${endpoint.after}`;
  const filters = filtersText(parameters);
  const cursor = readCursor(parameters, path, filters, cursors);
  if (cursor === 'invalid') return invalidCursor;
  return {
    identifier,
    parameters,
    path,
    filters,
    self: pageAddress(path, filters, parameters, parameters.cursor),
    position: cursor?.position ?? null,
    pinnedTo: cursor?.publicationId ?? null,
  };
}

function readIdentifier(url: string, endpoint: Endpoint, faults: ParameterFault[]): string {
  const { subject } = endpoint;
  if (subject === null) return '';
  const text = identifierIn(url, endpoint);
  if (text === null) {
    faults.push({ parameter: subject, detail: 'An identifier in a path must be percent-encoded UTF-8.' });
    return '';
  }
  const check = identifierChecks[subject](text);
  if (check.ok) return check.value;
  faults.push({ parameter: subject, detail: check.reason });
  return '';
}

/** @param identifierFault told by itself, not by its name: a query parameter may be called `lei`, too */
function refusal(
  identifierFault: ParameterFault | undefined,
  faults: readonly ParameterFault[],
): ProblemDetails {
  return {
    name: identifierFault === undefined ? 'invalid-parameter' : 'invalid-identifier',
    // The reason is a sentence of its own already.
    detail: identifierFault?.detail ?? faultsDetail(faults),
    errors: faults,
  };
}

function readCursor(
  { cursor }: Parameters,
  path: string,
  filters: string,
  cursors: CursorSeal,
): Cursor | null | 'invalid' {
  if (cursor === null) return null;
  return cursors.open(cursor, `${path}?${filters}`) ?? 'invalid';
}

export const invalidCursor: ProblemDetails = {
  name: 'invalid-cursor',
  detail:
    'The cursor was altered or belongs to another endpoint, query or filter; pass links.next as it is with the same other parameters, or start without a cursor.',
  errors: [
    { parameter: 'cursor', detail: 'must be the value of links.next of an earlier page of this very query' },
  ],
};
