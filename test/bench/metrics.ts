/**
 * Measures the cost of the metrics: CPU time of the whole service for each look-up, in turn without an admin address and
 * with one that is read every second. `bun test/bench/metrics.ts [rounds] [seconds]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '../support/serve.ts';
import { pairedCost } from './harness/paired-cost.ts';

const [rounds = 30, seconds = 1] = process.argv.slice(2).map(Number);
const readEveryMs = 1_000;

const folder = mkdtempSync(join(tmpdir(), 'lei-bench-metrics-'));
const admin = join(folder, 'admin.sock');
const settings = { LEI_WORKERS: '1', LEI_LOG_LEVEL: 'info', LEI_SAMPLE: 'on' };
const without = await serve(join(folder, 'without'), settings);
const withMetrics = await serve(join(folder, 'with'), { ...settings, LEI_ADMIN: admin });
const reading = setInterval(async () => {
  await (await fetch('http://admin/metrics', { unix: admin })).text();
}, readEveryMs);
const { bare, other } = await pairedCost(without, withMetrics, rounds, seconds);
clearInterval(reading);
console.log(
  `${rounds} rounds, lower quartiles: ${bare.whole.toFixed(2)} µs without, ${other.whole.toFixed(2)} µs with, ratio ${(other.whole / bare.whole).toFixed(3)}`,
);
for (const service of [without, withMetrics]) service.kill('SIGTERM');
await Promise.all([without.exited, withMetrics.exited]);
rmSync(folder, { recursive: true });
process.exit(0);
