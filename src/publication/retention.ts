/** Decides which publications stay. The service, a load without a service, and `lei prune` share this rule. */
import { earlierActivations, type Pointer } from './pointer.ts';

interface Retention {
  /** The active publication and those active before it, newest first, at most as many as are kept. */
  readonly kept: readonly string[];
  /** Active once and no longer kept, newest first. */
  readonly outdated: readonly string[];
  /** Sealed and never active here. One of them may be about to be activated. */
  readonly unused: readonly string[];
}

/**
 * @param sealed ids of the sealed publications
 * @param keep how many stay, the active one included
 */
export function retention(
  sealed: readonly string[],
  pointer: Pick<Pointer, 'id' | 'previous'>,
  keep: number,
): Retention {
  const earlier = earlierActivations(pointer, (id) => sealed.includes(id)).map(({ id }) => id);
  const activated = [pointer.id, ...earlier];
  return {
    kept: activated.slice(0, keep),
    outdated: activated.slice(keep),
    unused: sealed.filter((id) => !activated.includes(id)),
  };
}
