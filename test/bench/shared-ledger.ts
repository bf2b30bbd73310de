/**
 * Measures what counting in a shared store costs a front: the processor time of one take, alternately in a redis-server
 * on this machine and in memory. `bun test/bench/shared-ledger.ts [takes] [rounds]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSharedState } from '../../src/accounts/shared-state/open-shared-state.ts';
import { openLocalState } from '../../src/accounts/state/local-state.ts';
import type { Ledger } from '../../src/ports/ledger.ts';
import { layout } from '../../src/publication/layout.ts';
import { startRedis } from '../support/redis.ts';

const [takes = 40_000, rounds = 7] = process.argv.slice(2).map(Number);
/** Demands that wait at once, as many as a busy front has. */
const crowds = [16, 64];
const callers = 64;
const policy = { daily: 1e12, lookup: 1e9, search: 1e9 };

const folder = mkdtempSync(join(tmpdir(), 'lei-bench-ledger-'));
const redis = await startRedis({ folder });
const parts = { url: redis.url, down: 'share', node: 'bench', version: '1', user: 'service' } as const;
const shared = await openSharedState({
  ...parts,
  layout: layout(join(folder, 'shared')),
  deadlineMs: 10_000,
});
const local = openLocalState(layout(join(folder, 'local')));

/** Microseconds of this process for each take. */
async function costOf(ledger: Ledger, crowd: number): Promise<number> {
  let taken = 0;
  const before = process.cpuUsage();
  const client = async () => {
    while (taken < takes) {
      const caller = `acc_${String(taken++ % callers).padStart(16, '0')}`;
      const rest = {
        window: 'lookup',
        units: 1,
        countsForDay: true,
        refusable: true,
        now: Date.now(),
      } as const;
      await ledger.take({ caller, policy, ...rest });
    }
  };
  await Promise.all(Array.from({ length: crowd }, client));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / takes;
}

const lowerQuartile = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 4)] ?? 0;

for (const crowd of crowds) {
  const costs: Record<'shared' | 'local', number[]> = { shared: [], local: [] };
  for (let round = 0; round <= rounds; round++) {
    const [inStore, inMemory] = [await costOf(shared.ledger, crowd), await costOf(local.ledger, crowd)];
    // The first round warms up.
    if (round === 0) continue;
    costs.shared.push(inStore);
    costs.local.push(inMemory);
  }
  const [inStore, inMemory] = [lowerQuartile(costs.shared), lowerQuartile(costs.local)];
  console.log(
    `${crowd} at once: ${inStore.toFixed(2)} µs in the store, ${inMemory.toFixed(2)} µs in memory, ${(inStore - inMemory).toFixed(2)} µs more`,
  );
}
await shared.close();
await local.close();
await redis.stop();
rmSync(folder, { recursive: true });
process.exit(0);
