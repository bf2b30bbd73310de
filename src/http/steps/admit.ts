/** Identifies the caller (401) and applies the quotas (429), before reading anything else of the request. */
import type { Admission } from '../../accounts/access/admission.ts';
import { holdsToken } from '../../accounts/state/key.ts';
import { timestamp } from '../../lei/dates.ts';
import type { BurstWindow } from '../../ports/ledger.ts';
import type { Exchange } from '../exchange.ts';
import { limitHeaders, secondsUntil } from '../headers.ts';
import type { ProblemDetails } from '../problem.ts';
import type { StepChain, StepParts } from './step.ts';

export function admit<In extends Exchange>(
  { access, config, baseUrl }: Pick<StepParts, 'access' | 'config' | 'baseUrl'>,
  next: StepChain<In>,
): StepChain<In> {
  const goOn = (exchange: In, admission: Admission): void => {
    exchange.admission = admission;
    exchange.limits = admission.quota === null ? null : limitHeaders(admission.quota);
    switch (admission.outcome) {
      case 'admitted':
        next(exchange);
        break;
      case 'unauthorized':
        exchange.refuse(unauthorizedFor(exchange));
        break;
      case 'exhausted':
        exchange.refuse(exhausted(admission, keyAdvice(exchange)));
    }
  };
  /** A sentence for clients that are refused without a key; '' if LEI_SIGNUP is off. */
  const keyAdvice = ({ authorization, token }: Exchange): string => {
    if (authorization !== null || token !== null || !config.signup) return '';
    return `A free account, made at ${baseUrl()}/signup, has ${config.accountDaily} requests a day of its own.`;
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

function unauthorizedFor({ authorization, token }: Exchange): ProblemDetails {
  if (token !== null) return authorization === null ? inPath : inPathOrHeader;
  return holdsToken(authorization ?? '') ? misplaced : unauthorized;
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

const kinds: Readonly<Record<BurstWindow, string>> = {
  lookup: 'identifier look-ups',
  search: 'searches, relationships and changes',
};
