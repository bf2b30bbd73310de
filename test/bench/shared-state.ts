/**
 * Measures the cost of a shared state, alternately with local counts and with counts in a redis-server on this machine:
 * CPU time of the front's thread and of the whole service per counted look-up, and the latency of look-ups in an open
 * loop. `bun test/bench/shared-state.ts [rounds] [seconds] [look-ups a second, 0 for none] [connections]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { company } from '../http/app-in-memory.ts';
import { startRedis } from '../support/redis.ts';
import { serve } from '../support/serve.ts';
import { median } from './harness/median.ts';
import { openLoop } from './harness/open-loop.ts';
import { pairedCost } from './harness/paired-cost.ts';

const [rounds = 30, seconds = 1, rate = 6_000, connections = 64] = process.argv.slice(2).map(Number);

const folder = mkdtempSync(join(tmpdir(), 'lei-bench-shared-'));
const redis = await startRedis({ folder });
const admin = join(folder, 'admin.sock');
const settings = {
  LEI_WORKERS: '1',
  LEI_FRONTS: '1',
  LEI_SAMPLE: 'on',
  LEI_LIMITS: 'enforce',
  LEI_ANONYMOUS_DAILY: '1000000000000',
  LEI_BURST_LOOKUP: '1000000000',
};
const alone = await serve(join(folder, 'alone'), settings);
const sharing = await serve(join(folder, 'sharing'), {
  ...settings,
  LEI_SHARED_STATE: redis.url,
  LEI_ADMIN: admin,
});
const { bare, other } = await pairedCost(alone, sharing, rounds, seconds, connections);

const latencyRounds = 5;
const latencySeconds = 5;
/** p50 and p99 in milliseconds, of the median round. */
async function latencies(): Promise<Record<'alone' | 'sharing', readonly [number, number]>> {
  const seen = { alone: [] as (readonly [number, number])[], sharing: [] as (readonly [number, number])[] };
  for (let round = 0; round < latencyRounds; round++) {
    for (const [name, { url }] of Object.entries({ alone, sharing })) {
      const { latencyMs, failed, wrong } = await openLoop({
        baseUrl: url,
        headers: {},
        asks: [{ path: company.path, proof: company.path.slice(-20) }],
        stretches: [{ seconds: 1 + latencySeconds, from: rate, to: rate }],
        warmUpSeconds: 1,
        outstandingMost: 4_096,
        connectionsMost: 256,
      });
      if (failed + wrong > 0) throw new Error('Some requests failed: the figures would say nothing.');
      seen[name === 'alone' ? 'alone' : 'sharing'].push([latencyMs.p50 ?? 0, latencyMs.p99 ?? 0]);
    }
  }
  const middle = (rows: readonly (readonly [number, number])[]) =>
    [median(rows.map(([p50]) => p50)), median(rows.map(([, p99]) => p99))] as const;
  return { alone: middle(seen.alone), sharing: middle(seen.sharing) };
}
const shown = ([p50, p99]: readonly [number, number]) => `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;
if (rate > 0) {
  const { alone: ownCounts, sharing: sharedCounts } = await latencies();
  console.log(
    `at ${rate} look-ups a second: ${shown(ownCounts)} alone; ${shown(sharedCounts)} with a shared state (medians of ${latencyRounds} rounds)`,
  );
}
const metrics = await (await fetch('http://admin/metrics', { unix: admin })).text();
for (const of of ['front', 'whole'] as const) {
  const [own, counted] = [bare[of], other[of]];
  console.log(
    `${of === 'front' ? "the front's thread" : 'the whole service'}, ${rounds} rounds over ${connections} connections, lower quartiles: ${own.toFixed(2)} µs alone, ${counted.toFixed(2)} µs with a shared state, ${(counted - own).toFixed(2)} µs more`,
  );
}
console.log(metrics.match(/^lei_shared_state_.*$/gm)?.join('\n'));
for (const service of [alone, sharing]) service.kill('SIGTERM');
await Promise.all([alone.exited, sharing.exited]);
await redis.stop();
rmSync(folder, { recursive: true });
process.exit(0);
