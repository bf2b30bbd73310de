/**
 * Logs when this node loses the store that its fleet shares, each further reason why it stays away, and when the node has it
 * again, one line each; and once, if another node has its name.
 */
import type { Log } from '../log/log.ts';
import type { SharedStore } from '../ports/fleet.ts';

const lookEveryMs = 250;
/** Reasons of one loss that are logged, so that reasons without end fill no log. */
const reasonsMax = 8;

/** @returns a function that ends it */
export function watchStore(store: SharedStore, log: Pick<Log, 'info' | 'warn'>): () => void {
  let lostAt: number | null = null;
  const reasons = new Set<string>();
  let hasNamesake = false;
  const look = () => {
    const { lost, nodes, namesake, admittedAlone, refusedAlone } = store.facts();
    if (namesake !== null && !hasNamesake) {
      hasNamesake = true;
      log.warn(
        `Another node is called ${namesake} too. The fleet counts both as one, so while the shared state is away they admit too much. Set LEI_NODE to a different name on each node.`,
      );
    }
    if (lost !== null && lostAt === null) {
      lostAt = performance.now();
      log.warn(
        'The shared state is unavailable. Until it is back, this node decides alone what it admits, and accepts the keys that it knows.',
        { reason: lost, nodes },
      );
      reasons.clear();
      reasons.add(lost);
    }
    // The first reason may be no more than that the connection was closed. Work that failed with it tells it in a sentence.
    const isKnown = lost === null || [...reasons].some((reason) => lost.includes(reason));
    if (!isKnown && reasons.size < reasonsMax) {
      log.warn('The shared state is still unavailable, for another reason.', { reason: lost });
      reasons.add(lost);
    }
    if (lost === null && lostAt !== null) {
      const secondsAway = Math.round((performance.now() - lostAt) / 1_000);
      lostAt = null;
      log.info('The shared state is back and has counted what this node admitted.', {
        secondsAway,
        admittedAlone,
        refusedAlone,
      });
    }
  };
  look();
  const timer = setInterval(look, lookEveryMs);
  return () => clearInterval(timer);
}
