/** Errors as problems (RFC 9457, application/problem+json). */

import type { Errors } from '../exchange.ts';
import { cacheControl, commonHeaders, type LimitHeaders } from '../headers.ts';
import type { ProblemDetails } from '../problem.ts';
import { problemKinds, problemMembers } from '../problem-kinds.ts';

interface Asker {
  readonly requestId: string;
  /** Null for a request that is not counted. */
  readonly limits: LimitHeaders | null;
}

/** @param baseUrl without a trailing slash */
export function problems(baseUrl: () => string): Errors['problem'] {
  return (exchange, details) => problemResponse(details, exchange, baseUrl());
}

export function problemResponse(details: ProblemDetails, asker: Asker, baseUrl: string): Response {
  const { errors, violatedPolicies } = details;
  const instance = `urn:request:${asker.requestId}`;
  const members = { ...problemMembers(baseUrl, details), instance, errors, violatedPolicies };
  return errorResponse(details, asker, 'application/problem+json', JSON.stringify(members));
}

/** These states end by themselves or with other credentials, so no cache may keep them. */
const neverStored: readonly number[] = [401, 429, 503];

/** An error in the form of a family: the status and the headers are the same for all. */
export function errorResponse(
  { name, headers }: ProblemDetails,
  { requestId, limits }: Asker,
  mediaType: string,
  body: string,
): Response {
  const { status } = problemKinds[name];
  return new Response(body, {
    status,
    headers: {
      ...commonHeaders,
      'Content-Type': mediaType,
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': neverStored.includes(status) ? 'no-store' : cacheControl,
      'X-Request-Id': requestId,
      ...limits,
      ...headers,
    },
  });
}
