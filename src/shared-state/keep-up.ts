/** Keeps a node of a fleet up with the others: says that it is there, and follows what they change. */
import { reasonOf } from '../errors.ts';
import type { NodeCopy } from './accounts/copy.ts';
import type { SharedDirectory } from './accounts/shared-directory.ts';
import type { Connection } from './connection.ts';
import type { NodeCounts } from './ledger/node-counts.ts';
import { sharedLimits } from './limits.ts';
import type { Presence } from './nodes.ts';

interface Following {
  /** Why it does not keep up, for the operator; null while it does. */
  trouble(): string | null;
  /** Resolves once nothing of it runs any more. */
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

/** Work that is done now and every so often, never twice at once. */
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
