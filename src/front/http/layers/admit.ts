/** Who asks, and whether they may: 401 before 429, both before anything of the request is looked at. */
import type { Config } from '../../../config.ts';
import { timestamp } from '../../../lei/timestamp.ts';
import type { BurstWindow } from '../../../ports/ledger.ts';
import type { Access, Admission } from '../../contracts.ts';
import type { CountedExchange } from '../exchange.ts';
import type { ProblemDetails } from '../problem.ts';
import { limitHeaders, secondsUntil } from '../rate-limit-headers.ts';
import type { Inner, Layer, Refuse } from './layer.ts';

/** @param keyAdvice a sentence for those who are refused without a key; '' where they can't make one by themselves */
export function admit(access: Access, refuse: Refuse, keyAdvice: () => string): Layer {
  const goOn = (exchange: CountedExchange, admission: Admission, inner: Inner): void => {
    exchange.admission = admission;
    exchange.limits = admission.quota === null ? null : limitHeaders(admission.quota);
    const refusal = refusalOf(admission, () => (exchange.authorization === null ? keyAdvice() : ''));
    if (refusal === null) inner(exchange);
    else refuse(exchange, refusal);
  };
  return (exchange, inner) => {
    const admission = access.admit(exchange);
    if (!(admission instanceof Promise)) return goOn(exchange, admission, inner);
    admission.then(
      (later) => exchange.enter(() => goOn(exchange, later, inner)),
      (error) =>
        exchange.enter(() => {
          throw error;
        }),
    );
  };
}

export const unauthorized: ProblemDetails = {
  name: 'unauthorized',
  detail:
    'The Authorization header does not contain an active key of this service. Send "Bearer lei_live_…" with your key, or leave the header out to use the anonymous quota.',
  headers: { 'WWW-Authenticate': 'Bearer realm="lei", error="invalid_token"' },
};

function refusalOf(admission: Admission, advice: () => string): ProblemDetails | null {
  switch (admission.outcome) {
    case 'admitted':
      return null;
    case 'unauthorized':
      return unauthorized;
    case 'exhausted':
      return exhausted(admission, advice());
  }
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

/** Where LEI_SIGNUP is on, everybody can make an account. */
export function signupAdvice({ signup, accountDaily }: Config, baseUrl: string): string {
  if (!signup) return '';
  return `A free account, made at ${baseUrl}/signup, has ${accountDaily} requests a day of its own.`;
}

const kinds: Readonly<Record<BurstWindow, string>> = {
  lookup: 'identifier look-ups',
  search: 'searches, relationships and changes',
};
