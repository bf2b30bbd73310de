/**
 * Measures the cost of a shared state: CPU time of the whole service for each look-up that is counted, in turn with counts
 * of its own and with counts in a redis-server beside it. `bun test/bench/shared-state.ts [rounds] [seconds]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedis } from '../support/redis.ts';
import { serve } from '../support/serve.ts';
import { pairedCost } from './harness/paired-cost.ts';

const [rounds = 30, seconds = 1] = process.argv.slice(2).map(Number);

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
const { bare, other } = await pairedCost(alone, sharing, rounds, seconds);
const metrics = await (await fetch('http://admin/metrics', { unix: admin })).text();
console.log(
  `${rounds} rounds, lower quartiles: ${bare.toFixed(2)} µs alone, ${other.toFixed(2)} µs with a shared state, ${(other - bare).toFixed(2)} µs more`,
);
console.log(metrics.match(/^lei_shared_state_.*$/gm)?.join('\n'));
for (const service of [alone, sharing]) service.kill('SIGTERM');
await Promise.all([alone.exited, sharing.exited]);
await redis.stop();
rmSync(folder, { recursive: true });
process.exit(0);
