/** Serves one fixed publication, for a front without query threads. */
import type { HeldPublication, Publications } from '../../../src/http/publication-texts.ts';

export function servingOne(held: HeldPublication): Publications {
  return {
    answering: held,
    active: () => held,
    held: () => held,
    previous: () => [],
    loading: () => null,
    lastFailure: () => null,
  };
}
