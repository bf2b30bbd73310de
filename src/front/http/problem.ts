/** Renders problems (RFC 9457, application/problem+json): the body of every error. */
import { type ParameterFault, type ProblemName, problemMembers } from '../problems.ts';
import type { LimitHeaders } from './header-values.ts';
import { cacheControl, commonHeaders } from './headers.ts';

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

interface ProblemContext {
  readonly baseUrl: string;
  readonly requestId: string;
  /** Null for a request that is not counted. */
  readonly limits: LimitHeaders | null;
}

/** These states end by themselves or with other credentials, so no cache may keep them. */
const neverStored: readonly number[] = [401, 429, 503];

/** Status and text of the body. */
export function problemText(
  problem: ProblemDetails,
  { baseUrl, requestId }: Pick<ProblemContext, 'baseUrl' | 'requestId'>,
): { status: number; body: string } {
  const { errors, violatedPolicies } = problem;
  const members = problemMembers(baseUrl, problem);
  const instance = `urn:request:${requestId}`;
  return {
    status: members.status,
    body: JSON.stringify({ ...members, instance, errors, violatedPolicies }),
  };
}

export const problemType = 'application/problem+json';

export function problemResponse(problem: ProblemDetails, context: ProblemContext): Response {
  const { status, body } = problemText(problem, context);
  const headers = {
    ...commonHeaders,
    'Content-Type': problemType,
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': neverStored.includes(status) ? 'no-store' : cacheControl,
    'X-Request-Id': context.requestId,
    ...context.limits,
    ...problem.headers,
  };
  return new Response(body, { status, headers });
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
