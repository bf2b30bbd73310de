/** Tests nodes whose clocks are wrong: requests are counted by the store's clock, even those reported later. */
import { describe, expect, test } from 'bun:test';
import { openSharedState } from '../../../src/accounts/shared-state/open-shared-state.ts';
import type { State } from '../../../src/ports/state.ts';
import { layout } from '../../../src/publication/layout.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { isInstalled, titled } from '../../support/programs.ts';
import { startRedis } from '../../support/redis.ts';
import { until } from '../../support/steady-load.ts';

const policy = { daily: 100_000, lookup: 60, search: 60 };
const share = policy.lookup / 2;
const hourMs = 3_600_000;

interface Node {
  readonly state: State;
  take(): ReturnType<State['ledger']['take']>;
}

async function nodeAt(url: string, node: string, aheadMs: number): Promise<Node> {
  const parts = { url, down: 'share', node, version: '1', layout: layout(temporaryFolder(node)) } as const;
  // A store that is slow because the machine is busy must not count as away.
  const state = await openSharedState({ ...parts, user: 'service', deadlineMs: 10_000 });
  const kind = { window: 'lookup', units: 1, countsForDay: true, refusable: true } as const;
  const take = () => state.ledger.take({ caller: 'acc_busy', policy, ...kind, now: Date.now() + aheadMs });
  return { state, take };
}

async function takeUntilRefused(...nodes: readonly Node[]): Promise<number> {
  for (let taken = 0; ; taken++) {
    const node = nodes[taken % nodes.length];
    if ((await node?.take())?.outcome !== 'taken') return taken;
  }
}

describe.if(isInstalled('redis-server'))(
  titled('nodes an hour ahead and an hour behind', 'redis-server'),
  () => {
    test('admit the limit together, admit their shares without the store, and report these to it afterwards', async () => {
      const redis = await startRedis();
      const nodes = [
        await nodeAt(redis.url, 'ahead', hourMs),
        await nodeAt(redis.url, 'behind', -hourMs),
      ] as const;
      const all = (holds: (node: Node) => boolean) => until(() => nodes.every(holds));
      await all(({ state }) => state.store?.facts().nodes === 2);
      for (let count = 0; count < 10; count++) for (const { take } of nodes) await take();
      await redis.stop();
      await all(({ state }) => state.store?.facts().lost !== null);
      for (const node of nodes) expect(await takeUntilRefused(node)).toBe(share - 10);

      await redis.start();
      await all(({ state }) => state.store?.facts().lost === null);
      // The store came back empty: it knows only the reports since then about the last minute.
      expect(await takeUntilRefused(...nodes)).toBe(policy.lookup - 2 * (share - 10));
      for (const { state } of nodes) await state.close();
      await redis.stop();
    });
  },
);
