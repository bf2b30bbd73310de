/** Keeps a node up to date with its fleet: reports its presence, and follows what other nodes change. */
import { reasonOf } from '../errors.ts';
import type { NodeCopy } from './accounts/copy.ts';
import type { SharedDirectory } from './accounts/shared-directory.ts';
import type { Connection } from './connection.ts';
import type { SharedWords } from './ledger/shared-words.ts';
import { sharedLimits } from './limits.ts';
import type { Presence } from './nodes.ts';

interface FollowingParts {
  readonly store: Connection;
  readonly directory: SharedDirectory;
  readonly copy: NodeCopy;
  readonly fleet: Presence;
  readonly words: SharedWords;
}

type Work = () => Promise<void>;

export function keepUp({ store, directory, copy, fleet, words }: FollowingParts) {
  const troubles = new Map<Work, string>();
  const keepDoing = (everyMs: number, work: Work) =>
    repeat(everyMs, async () => {
      // Nothing to do: the connection tries again by itself.
      if (!store.isThere) return;
      try {
        await work();
        troubles.delete(work);
      } catch (error) {
        troubles.set(work, reasonOf(error));
      }
    });
  const stops = [
    keepDoing(sharedLimits.heartbeatMs, async () => {
      const nodes = await fleet.beat();
      if (nodes === words.nodes) return;
      words.nodes = nodes;
      await copy.keepNodes(nodes);
    }),
    keepDoing(sharedLimits.followMs, () => directory.follow()),
    keepDoing(sharedLimits.usesEveryMs, () => directory.followUses()),
  ];
  return {
    /** Why it is not up to date, for the operator; null while it is. */
    trouble: () => store.lost ?? [...troubles.values()][0] ?? null,
    /** Resolves once none of its work runs any more. */
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}

/**
 * Does work now and at intervals, never twice at once.
 * @param work never rejects
 * @returns a function that ends this; it resolves once the work does not run any more
 */
function repeat(everyMs: number, work: Work): () => Promise<void> {
  let running: Promise<void> | null = null;
  const turn = () => {
    running ??= work().finally(() => {
      running = null;
    });
  };
  turn();
  const timer = setInterval(turn, everyMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
