/** Keeps a node up to date with its fleet: reports its presence, and follows what other nodes change. */
import { reasonOf } from '../errors.ts';
import type { NodeCopy } from './accounts/copy.ts';
import type { SharedDirectory } from './accounts/shared-directory.ts';
import type { Connection } from './connection.ts';
import type { NodeCounts } from './ledger/node-counts.ts';
import { sharedLimits } from './limits.ts';
import type { Presence } from './nodes.ts';

interface Following {
  /** Why it is not up to date, for the operator; null while it is. */
  trouble(): string | null;
  /** Resolves once none of its work runs any more. */
  stop(): Promise<void>;
}

interface FollowingParts {
  readonly store: Connection;
  readonly directory: SharedDirectory;
  readonly copy: NodeCopy;
  readonly fleet: Presence;
  readonly counts: NodeCounts;
}

export function keepUp({ store, directory, copy, fleet, counts }: FollowingParts): Following {
  const troubles = new Map<string, string>();
  const rounds: Round[] = [
    new Round(sharedLimits.heartbeatMs, async () => {
      const nodes = await fleet.beat();
      if (nodes === counts.words.nodes) return;
      counts.words.nodes = nodes;
      await copy.keepNodes(nodes);
    }),
    new Round(sharedLimits.followMs, () => directory.follow()),
    new Round(sharedLimits.usesEveryMs, () => directory.followUses()),
  ];
  for (const [index, round] of rounds.entries()) {
    round.start(async (work) => {
      // Nothing to do: the connection tries again by itself.
      if (!store.isThere) return;
      try {
        await work();
        troubles.delete(String(index));
      } catch (error) {
        troubles.set(String(index), reasonOf(error));
      }
    });
  }
  return {
    trouble: () => store.lost ?? [...troubles.values()][0] ?? null,
    async stop() {
      await Promise.all(rounds.map((round) => round.stop()));
    },
  };
}

/** Work that is done now and at intervals, never twice at once. */
class Round {
  readonly #everyMs: number;
  readonly #work: () => Promise<void>;
  #timer: ReturnType<typeof setInterval> | null = null;
  #running: Promise<void> | null = null;

  constructor(everyMs: number, work: () => Promise<void>) {
    this.#everyMs = everyMs;
    this.#work = work;
  }

  /** @param run does the work, and never rejects */
  start(run: (work: () => Promise<void>) => Promise<void>): void {
    const turn = () => {
      this.#running ??= run(this.#work).finally(() => {
        this.#running = null;
      });
    };
    turn();
    this.#timer = setInterval(turn, this.#everyMs);
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#running;
  }
}
