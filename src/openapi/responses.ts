/** Describes the responses that operations share: 304 and the problems. */

import {
  expiredCursor,
  invalidCursor,
  invalidParameters,
  type ProblemDetails,
  unavailable,
} from '../http/problem.ts';
import { type ProblemName, problemKinds, problemMembers } from '../http/problem-kinds.ts';
import { unauthorized } from '../http/steps.ts';
import type { JsonObject } from '../lei/schema.ts';
import { headerReferences } from './headers.ts';
import { reference } from './schemas.ts';

type ProblemExample = Pick<ProblemDetails, 'detail' | 'errors' | 'violatedPolicies'>;

const limitFault = { parameter: 'limit', detail: 'must be a whole number from 1 to 100' };
const lei = 'The check digits of this LEI are 85, but must be 84 (ISO 7064 MOD 97-10).';

/** An example body for each type of problem. */
const examples: Readonly<Partial<Record<ProblemName, ProblemExample>>> = {
  'invalid-parameter': invalidParameters([limitFault]),
  'invalid-identifier': { detail: lei, errors: [{ parameter: 'lei', detail: lei }] },
  'invalid-cursor': invalidCursor,
  'expired-cursor': expiredCursor,
  unauthorized,
  'not-found': {
    detail: 'LEI 213800E5Z6QRDSMZMK84 was not found in dataset version 20240505T000000Z-3f9a1c2b.',
  },
  'rate-limited': {
    detail:
      'The daily quota of 100 requests is used up. It starts again at 2024-05-06T00:00:00Z. Try again in 51234 s.',
    violatedPolicies: ['daily'],
  },
  unavailable: unavailable('no-publication'),
  internal: unavailable('failed'),
};

function exampleBody(name: ProblemName, baseUrl: string): JsonObject {
  const { detail = problemKinds[name].title, errors, violatedPolicies } = examples[name] ?? {};
  return {
    ...problemMembers(baseUrl, { name, detail }),
    instance: 'urn:request:0f8e2a7c51d3-1a',
    ...(errors === undefined ? {} : { errors: errors.map((fault) => ({ ...fault })) }),
    ...(violatedPolicies === undefined ? {} : { violatedPolicies }),
  };
}

/** A status with its problem types. */
function problemResponse(
  description: string,
  names: readonly ProblemName[],
  headers: JsonObject,
  baseUrl: string,
): JsonObject {
  return {
    description,
    ...headers,
    content: {
      'application/problem+json': {
        schema: reference('Problem'),
        examples: Object.fromEntries(
          names.map((name) => [
            name,
            { summary: problemKinds[name].title, value: exampleBody(name, baseUrl) },
          ]),
        ),
      },
    },
  };
}

const faultNames = {
  InvalidIdentifier: ['invalid-identifier', 'invalid-parameter'],
  InvalidPage: ['invalid-identifier', 'invalid-parameter', 'invalid-cursor', 'expired-cursor'],
  InvalidSearch: ['invalid-parameter', 'invalid-cursor', 'expired-cursor'],
} as const satisfies Record<string, readonly ProblemName[]>;

const retryAfter = { headers: headerReferences(['Retry-After']) };

export function responseComponents(baseUrl: string): JsonObject {
  const problem = (description: string, names: readonly ProblemName[], headers: JsonObject = {}) =>
    problemResponse(description, names, headers, baseUrl);
  const faults = Object.entries(faultNames).map(([name, names]) => [
    name,
    problem('The request is wrong; `errors` has an entry for each wrong parameter. It is counted.', names),
  ]);
  return {
    NotModified: {
      description:
        'Your copy is still current (by `If-None-Match`, or by `If-Modified-Since` if you do not send the former). No body. It is counted.',
      headers: headerReferences(['ETag']),
    },
    ...Object.fromEntries(faults),
    Unauthorized: problem(
      'The Authorization header does not contain an active key of this service.',
      ['unauthorized'],
      {
        headers: headerReferences(['WWW-Authenticate']),
      },
    ),
    NotFound: problem(
      'The identifier is well-formed, but this dataset version does not have it. It is counted.',
      ['not-found'],
    ),
    RateLimited: problem(
      'A quota is used up; `violatedPolicies` names it. It is not counted.',
      ['rate-limited'],
      {
        headers: headerReferences(['Retry-After', 'RateLimit']),
      },
    ),
    Unavailable: problem(
      'No data is active yet, the service is overloaded or shutting down, the answer took too long, or the service failed. It is not counted.',
      ['unavailable', 'internal'],
      retryAfter,
    ),
    StatusUnavailable: problem(
      'No data is active yet, or the service is shutting down.',
      ['unavailable', 'internal'],
      retryAfter,
    ),
  };
}

export type ResponseName =
  | keyof typeof faultNames
  | 'NotModified'
  | 'Unauthorized'
  | 'NotFound'
  | 'RateLimited'
  | 'Unavailable'
  | 'StatusUnavailable';

export function responseReference(name: ResponseName): JsonObject {
  return { $ref: `#/components/responses/${name}` };
}
