/** Who asks, and whether they may: 401 before 429, both before anything of the request is looked at. */
import type { Access, Admission } from '../../contracts.ts';
import type { ProblemDetails } from '../problem.ts';
import type { Layer, Refuse } from './layer.ts';

export function admit(access: Access, refuse: Refuse): Layer {
  return (exchange, inner) => {
    const admission = access.admit(exchange);
    exchange.admission = admission;
    exchange.limits = admission.limits;
    const refusal = refusalOf(admission);
    if (refusal === null) inner(exchange);
    else refuse(exchange, refusal);
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
      return {
        name: 'rate-limited',
        detail: admission.detail,
        violatedPolicies: admission.violatedPolicies,
        headers: { 'Retry-After': String(admission.retryAfterSeconds) },
      };
  }
}
