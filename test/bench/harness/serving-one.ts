/** One publication that is always served, for a front without the threads and publications of a service. */
import type { HeldPublication, Publications } from '../../../src/front/contracts.ts';

export function servingOne(held: HeldPublication): Publications {
  return {
    active: () => held,
    held: () => held,
    previous: () => [],
    loading: () => null,
    lastFailure: () => null,
    accepting: () => true,
  };
}
