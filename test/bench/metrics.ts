/**
 * Measures the cost of the metrics: CPU time of the whole service for each look-up, in turn without an admin address
 * and with one that is read every second. Two processes of the same code differ by more than the metrics cost, so both
 * services are restarted several times. `bun test/bench/metrics.ts [starts] [rounds] [seconds]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '../support/serve.ts';
import { pairedCost } from './harness/paired-cost.ts';

const [starts = 10, rounds = 8, seconds = 1] = process.argv.slice(2).map(Number);
const readEveryMs = 1_000;

const folder = mkdtempSync(join(tmpdir(), 'lei-bench-metrics-'));
const settings = { LEI_WORKERS: '1', LEI_LOG_LEVEL: 'info', LEI_SAMPLE: 'on' };

/** Microseconds of a look-up without and with metrics, from two services that are started for it. */
async function oneStart(start: number): Promise<{ readonly bare: number; readonly other: number }> {
  const admin = join(folder, `admin-${start}.sock`);
  const without = await serve(join(folder, `without-${start}`), settings);
  const withMetrics = await serve(join(folder, `with-${start}`), { ...settings, LEI_ADMIN: admin });
  const reading = setInterval(async () => {
    await (await fetch('http://admin/metrics', { unix: admin })).text();
  }, readEveryMs);
  const costs = await pairedCost(without, withMetrics, rounds, seconds);
  clearInterval(reading);
  for (const service of [without, withMetrics]) service.kill('SIGTERM');
  await Promise.all([without.exited, withMetrics.exited]);
  return { bare: costs.bare.whole, other: costs.other.whole };
}

const ratios: number[] = [];
for (let start = 0; start < starts; start++) {
  const { bare, other } = await oneStart(start);
  ratios.push(other / bare);
  console.log(
    `start ${start + 1}: ${bare.toFixed(2)} µs without, ${other.toFixed(2)} µs with, ratio ${(other / bare).toFixed(3)}`,
  );
}
const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
const spread = Math.sqrt(ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0) / (ratios.length - 1));
console.log(
  `${starts} starts of ${rounds} rounds: mean ratio ${mean.toFixed(3)}, standard error ${(spread / Math.sqrt(starts)).toFixed(3)}`,
);
rmSync(folder, { recursive: true });
process.exit(0);
