/** Who asks, and whether they may: 401 before 429, both before anything of the request is looked at. */
import { timestamp } from '../../../lei/timestamp.ts';
import type { BurstWindow } from '../../../ports/ledger.ts';
import type { Access, Admission } from '../../contracts.ts';
import type { Exchange } from '../exchange.ts';
import type { ProblemDetails } from '../problem.ts';
import { limitHeaders, secondsUntil } from '../rate-limit-headers.ts';
import type { Inner, Layer, Refuse } from './layer.ts';

export function admit(access: Access, refuse: Refuse): Layer {
  const goOn = (exchange: Exchange, admission: Admission, inner: Inner): void => {
    exchange.admission = admission;
    exchange.limits = admission.quota === null ? null : limitHeaders(admission.quota);
    const refusal = refusalOf(admission);
    if (refusal === null) inner(exchange);
    else refuse(exchange, refusal);
  };
  return (exchange, inner) => {
    const admission = access.admit(exchange);
    if (!(admission instanceof Promise)) return goOn(exchange, admission, inner);
    void admission.then((later) => exchange.enter(() => goOn(exchange, later, inner)));
  };
}

export const unauthorized: ProblemDetails = {
  name: 'unauthorized',
  detail:
    'The Authorization header does not hold a known, active key. Send "Bearer lei_live_…", or no Authorization header for the anonymous quota.',
  headers: { 'WWW-Authenticate': 'Bearer realm="lei", error="invalid_token"' },
};

function refusalOf(admission: Admission): ProblemDetails | null {
  switch (admission.outcome) {
    case 'admitted':
      return null;
    case 'unauthorized':
      return unauthorized;
    case 'exhausted':
      return exhausted(admission);
  }
}

function exhausted({ quota, violatedPolicies, returnsAt }: Admission & { outcome: 'exhausted' }) {
  const { policy, dailyReturnsAt } = quota;
  const seconds = secondsUntil(returnsAt, quota);
  const details = violatedPolicies.map((violated) =>
    violated === 'daily'
      ? `The daily quota of ${policy.daily} requests is used up; it starts anew at ${timestamp(new Date(dailyReturnsAt))}.`
      : `No more than ${policy[violated]} ${kinds[violated]} a minute are allowed.`,
  );
  return {
    name: 'rate-limited',
    detail: [...details, `Try again in ${seconds} s.`].join(' '),
    violatedPolicies,
    headers: { 'Retry-After': String(seconds) },
  } as const;
}

const kinds: Readonly<Record<BurstWindow, string>> = {
  lookup: 'identifier look-ups',
  search: 'searches, relationships and changes',
};
