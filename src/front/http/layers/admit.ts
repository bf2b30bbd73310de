/** Identifies the caller (401) and applies the quotas (429), before reading anything else of the request. */
import { holdsToken } from '../../../accounts/state/key.ts';
import type { Config } from '../../../config.ts';
import { timestamp } from '../../../lei/dates.ts';
import type { BurstWindow } from '../../../ports/ledger.ts';
import type { AccessRequest, Admission } from '../../contracts.ts';
import type { Exchange } from '../exchange.ts';
import { limitHeaders, secondsUntil } from '../header-values.ts';
import type { ProblemDetails } from '../problem.ts';
import type { Inner, LayerParts } from './layer.ts';

type Counted = Exchange & AccessRequest;

export function admit<In extends Counted>(
  { access, refuse, keyAdvice }: Pick<LayerParts, 'access' | 'refuse' | 'keyAdvice'>,
  inner: Inner<In>,
): Inner<In> {
  const goOn = (exchange: In, admission: Admission): void => {
    exchange.admission = admission;
    exchange.limits = admission.quota === null ? null : limitHeaders(admission.quota);
    const refusal = refusalOf(exchange, admission, keyAdvice);
    if (refusal === null) inner(exchange);
    else refuse(exchange, refusal);
  };
  return (exchange) => {
    const admission = access.admit(exchange);
    if (admission instanceof Promise) exchange.after(admission, (later) => goOn(exchange, later));
    else goOn(exchange, admission);
  };
}

export const unauthorized: ProblemDetails = {
  name: 'unauthorized',
  detail:
    'The Authorization header does not contain an active key of this service. Send "Bearer lei_live_…" with your key, or leave the header out to use the anonymous quota.',
  headers: { 'WWW-Authenticate': 'Bearer realm="lei", error="invalid_token"' },
};

const inPath: ProblemDetails = {
  ...unauthorized,
  detail:
    'The part of the address after /reconcile/ is not an active token of this service. Tokens begin with lei_reconcile_; create one on the account page or with lei keys create --reconcile. A key belongs in the Authorization header. Without token and key, /reconcile uses the anonymous quota.',
};

const inPathOrHeader: ProblemDetails = {
  ...unauthorized,
  detail:
    'The part of the address after /reconcile/ is not an active token of this service, or the Authorization header does not contain an active key. Send only one of the two.',
};

const misplaced: ProblemDetails = {
  ...unauthorized,
  detail:
    'The Authorization header contains a token of /reconcile instead of a key. A token works only in the address, as /reconcile/lei_reconcile_…. Send a key, "Bearer lei_live_…", or leave the header out to use the anonymous quota.',
};

function unauthorizedFor({ authorization, token }: Counted): ProblemDetails {
  if (token !== undefined && token !== null) return authorization === null ? inPath : inPathOrHeader;
  return holdsToken(authorization ?? '') ? misplaced : unauthorized;
}

function refusalOf(exchange: Counted, admission: Admission, advice: () => string): ProblemDetails | null {
  switch (admission.outcome) {
    case 'admitted':
      return null;
    case 'unauthorized':
      return unauthorizedFor(exchange);
    case 'exhausted':
      return exhausted(admission, isAnonymous(exchange) ? advice() : '');
  }
}

function isAnonymous({ authorization, token = null }: Counted): boolean {
  return authorization === null && token === null;
}

function exhausted(
  { quota, violatedPolicies, returnsAt }: Admission & { outcome: 'exhausted' },
  advice: string,
): ProblemDetails {
  const { policy, dailyReturnsAt } = quota;
  const seconds = secondsUntil(returnsAt, quota);
  const details = violatedPolicies.map((violated) =>
    violated === 'daily'
      ? `The daily quota of ${policy.daily} requests is used up. It starts again at ${timestamp(new Date(dailyReturnsAt))}.`
      : `No more than ${policy[violated]} ${kinds[violated]} are allowed in 60 seconds.`,
  );
  return {
    name: 'rate-limited',
    detail: [...details, `Try again in ${seconds} s.`, advice].join(' ').trimEnd(),
    violatedPolicies,
    headers: { 'Retry-After': String(seconds) },
  };
}

/** '' if LEI_SIGNUP is off. */
export function signupAdvice({ signup, accountDaily }: Config, baseUrl: string): string {
  if (!signup) return '';
  return `A free account, made at ${baseUrl}/signup, has ${accountDaily} requests a day of its own.`;
}

const kinds: Readonly<Record<BurstWindow, string>> = {
  lookup: 'identifier look-ups',
  search: 'searches, relationships and changes',
};
