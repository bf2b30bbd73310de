/** The errors of several steps or families, before a representation gives them their form. */
import type { Unavailability } from '../protocol/questions.ts';
import { type ParameterFault, type ProblemName, retryAfterUnavailableSeconds } from './problem-kinds.ts';

export interface ProblemDetails {
  readonly name: ProblemName;
  readonly detail: string;
  readonly errors?: readonly ParameterFault[];
  readonly violatedPolicies?: readonly string[];
  /** Further headers, such as Retry-After or Allow. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The answer at an unknown path.
 * @param basePath the path of LEI_BASE_URL, '' for none
 */
export function nothingHere(basePath: string): ProblemDetails {
  return {
    name: 'not-found',
    detail: `There is nothing at this path. ${basePath}/docs shows what there is.`,
  };
}

/** A 400 that names every fault. */
export function invalidParameters(errors: readonly ParameterFault[]): ProblemDetails {
  return { name: 'invalid-parameter', detail: faultsDetail(errors), errors };
}

/** One sentence for several faults: "limit must be …; q is required." */
export function faultsDetail(faults: readonly ParameterFault[]): string {
  const clauses = faults.map(({ parameter, detail }) => `${parameter} ${detail.replace(/\.$/, '')}`);
  return `${clauses.join('; ')}.`;
}

export const invalidCursor: ProblemDetails = {
  name: 'invalid-cursor',
  detail:
    'The cursor was changed, or it belongs to another endpoint, query or filter. Send the value of links.next unchanged with the same other parameters, or start again without a cursor.',
  errors: [
    { parameter: 'cursor', detail: 'must be the value of links.next from an earlier page of the same query' },
  ],
};

export const expiredCursor: ProblemDetails = {
  name: 'expired-cursor',
  detail:
    'The cursor belongs to a dataset version that this service no longer keeps. Start again without a cursor to read the current one.',
  errors: [{ parameter: 'cursor', detail: 'must belong to a dataset version that this service keeps' }],
};

export const unavailableDetails: Readonly<Record<Unavailability, string>> = {
  'no-publication': 'No publication is active yet.',
  'publication-gone': 'Another publication became active while the request was answered.',
  'queue-full': 'The service is overloaded.',
  timeout: 'The answer took too long.',
  'shutting-down': 'The service is shutting down.',
  failed: 'The service failed to produce the answer. Its log says why.',
};

/** 503 for a temporary state. */
export function unavailable(reason: Unavailability): ProblemDetails {
  return {
    name: reason === 'failed' ? 'internal' : 'unavailable',
    detail: unavailableDetails[reason],
    headers: { 'Retry-After': String(retryAfterUnavailableSeconds) },
  };
}
