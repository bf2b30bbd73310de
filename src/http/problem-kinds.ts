/** Defines the closed set of problem types (RFC 9457): every error of the service is one of them. */

interface ProblemKind {
  readonly status: 400 | 401 | 404 | 405 | 429 | 503;
  readonly title: string;
  /** For the page at the type's address: what happened, and what to do. */
  readonly explanation: readonly string[];
}

export const problemKinds = {
  'malformed-request': {
    status: 400,
    title: 'Malformed request',
    explanation: [
      'The request has several Host headers or one that is not a host, or its address contains "#". HTTP allows none of these: a proxy may have read the request differently.',
      'Send exactly one Host header, as HTTP clients do by default, and write "#" in a value as %23.',
    ],
  },
  'invalid-parameter': {
    status: 400,
    title: 'Invalid parameter',
    explanation: [
      'A query parameter is missing, empty, repeated, unknown, or its value is not allowed.',
      'The member "errors" has an entry for each fault: the parameter, and what is allowed. Unknown parameters are refused too, since a mistyped filter would find more companies than intended.',
    ],
  },
  'invalid-identifier': {
    status: 400,
    title: 'Invalid identifier',
    explanation: [
      'The identifier in the path does not have the form of its kind, or its check digits are wrong. No record can have it.',
      'The member "errors" says which of the two, and what is right. Usually a character is missing, or two are swapped.',
    ],
  },
  'invalid-cursor': {
    status: 400,
    title: 'Invalid cursor',
    explanation: [
      'The cursor was changed, or it belongs to another endpoint, query or filter.',
      'Send the value of links.next unchanged, together with the same other parameters (only limit may change), or start again without a cursor.',
    ],
  },
  'expired-cursor': {
    status: 400,
    title: 'Expired cursor',
    explanation: [
      'The cursor belongs to a dataset version that this service no longer keeps.',
      'Start again without a cursor; the answer then comes from the current dataset version.',
    ],
  },
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    explanation: [
      'The Authorization header does not contain an active key of this service.',
      'Send "Authorization: Bearer lei_live_…" with a key of your account, or no Authorization header at all to use the anonymous quota.',
    ],
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    explanation: [
      'Either the identifier is well-formed, but the dataset version that the answer names has no record for it; or the service has no such path.',
    ],
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    explanation: ['The API is read-only: it accepts only GET, HEAD and OPTIONS.'],
  },
  'rate-limited': {
    status: 429,
    title: 'Rate limit exhausted',
    explanation: [
      'The daily quota or the quota of the last 60 seconds is used up. The member "violatedPolicies" names it. The refused request is not counted.',
      'Wait for the number of seconds in the Retry-After header. The RateLimit header of every answer shows what is left.',
    ],
  },
  unavailable: {
    status: 503,
    title: 'Service unavailable',
    explanation: [
      'No publication is active yet, the service is shutting down or overloaded, or the answer took too long. The request is not counted.',
      'Try again after the number of seconds in the Retry-After header.',
    ],
  },
  internal: {
    status: 503,
    title: 'Internal error',
    explanation: [
      'The service failed unexpectedly. The request is not counted.',
      'Try again later. If it fails again, tell the operator the id of the request (the member "instance").',
    ],
  },
} as const satisfies Record<string, ProblemKind>;

/** `Retry-After` of a 503: most temporary states end within this time. */
export const retryAfterUnavailableSeconds = 5;

export type ProblemName = keyof typeof problemKinds;

export const problemNames = Object.keys(problemKinds).filter(isProblemName);

function isProblemName(name: string): name is ProblemName {
  return name in problemKinds;
}

/** The members that every problem has. @param baseUrl without a trailing slash */
export function problemMembers(
  baseUrl: string,
  { name, detail }: { readonly name: ProblemName; readonly detail: string },
) {
  const { status, title } = problemKinds[name];
  return { type: `${baseUrl}/problems/${name}`, title, status, detail };
}

export interface ParameterFault {
  readonly parameter: string;
  /** Says what is allowed; "parameter detail." is a sentence. */
  readonly detail: string;
}
