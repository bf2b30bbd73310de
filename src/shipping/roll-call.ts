/**
 * The nodes that a roll-out counts with. The shared state's list is not always the fleet: while it is away there is none,
 * and once it is back, perhaps empty, each node is missing until it has reported again. So nodes that were present count
 * on until they have had the time for that; otherwise a fleet would swap as soon as its first node is listed.
 */
import { clauseOf, ExpectedFailure } from '../errors.ts';
import type { Fleet, NodeSeen } from '../ports/fleet.ts';
import { shippingLimits } from './limits.ts';

export class RollCall {
  readonly #fleet: Pick<Fleet, 'nodes'>;
  #listed: readonly NodeSeen[] = [];
  #counted: readonly NodeSeen[] = [];
  /** Until then the list may lack present nodes; a time of `performance.now()`. */
  #unsureUntil = 0;
  #away: string | null = null;

  constructor(fleet: Pick<Fleet, 'nodes'>) {
    this.#fleet = fleet;
  }

  /** Why the last list could not be had, as the end of a sentence; null if it could. */
  get away(): string | null {
    return this.#away;
  }

  /** None while the shared state is away. */
  async present(): Promise<readonly NodeSeen[]> {
    const now = performance.now();
    const sureAgain = now + shippingLimits.reportAgainMs;
    const listed = await this.#list();
    if (listed === null) {
      this.#unsureUntil = sureAgain;
      return [];
    }
    // A node that is gone stays listed for a while: one that is not listed any more was lost by the shared state.
    if (without(this.#listed.filter(isPresent), listed).length > 0) this.#unsureUntil = sureAgain;
    this.#listed = listed;
    const present = listed.filter(isPresent);
    const missing = now < this.#unsureUntil ? without(this.#counted, present) : [];
    this.#counted = [...present, ...missing];
    return this.#counted;
  }

  async #list(): Promise<readonly NodeSeen[] | null> {
    try {
      const listed = await this.#fleet.nodes();
      this.#away = null;
      return listed;
    } catch (error) {
      if (!(error instanceof ExpectedFailure)) throw error;
      this.#away = clauseOf(error);
      return null;
    }
  }
}

function isPresent({ present }: NodeSeen): boolean {
  return present;
}

/** Those of the nodes that are not among the others. */
function without(nodes: readonly NodeSeen[], others: readonly NodeSeen[]): readonly NodeSeen[] {
  return nodes.filter(({ name }) => others.every((other) => other.name !== name));
}
