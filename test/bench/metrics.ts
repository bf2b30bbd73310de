/**
 * Measures the cost of the metrics: CPU time of the whole service for each look-up, in turn without an admin address and
 * with one that is read every second. Only the ratio is meaningful. Other work on the machine only ever adds to a round,
 * so the lower quartiles of many short rounds are compared. `bun test/bench/metrics.ts [rounds] [seconds]`
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { company } from '../front/http/app-in-memory.ts';
import { type Served, serve } from '../support/serve.ts';

const [rounds = 30, seconds = 1] = process.argv.slice(2).map(Number);
const connections = 64;
const readEveryMs = 1_000;
const ticksPerSecond = 100;

interface Load {
  readonly requests: { readonly total: number };
  readonly non2xx: number;
  readonly errors: number;
}

/** CPU seconds that a process has used, all of its threads together. */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** CPU microseconds of the service for each request, under load from another process. */
async function measure({ url, pid }: Served, duration: number): Promise<number> {
  const before = cpuSeconds(pid);
  const generator = Bun.spawn(
    [
      process.execPath,
      'node_modules/autocannon/autocannon.js',
      ...['--json', '-c', String(connections), '-d', String(duration), `${url}${company.path}`],
    ],
    { stdout: 'pipe', stderr: 'ignore' },
  );
  const load: Load = JSON.parse(await generator.stdout.text());
  if (load.requests.total === 0 || load.non2xx + load.errors > 0)
    throw new Error('Some requests failed: the figures would say nothing.');
  return ((cpuSeconds(pid) - before) / load.requests.total) * 1e6;
}

const folder = mkdtempSync(join(tmpdir(), 'lei-bench-metrics-'));
const admin = join(folder, 'admin.sock');
const settings = { LEI_WORKERS: '1', LEI_LOG_LEVEL: 'info', LEI_SAMPLE: 'on' };
const without = await serve(join(folder, 'without'), settings);
const withMetrics = await serve(join(folder, 'with'), { ...settings, LEI_ADMIN: admin });
const reading = setInterval(async () => {
  await (await fetch('http://admin/metrics', { unix: admin })).text();
}, readEveryMs);
for (const service of [without, withMetrics]) await measure(service, 3);
const costs: Record<'without' | 'with', number[]> = { without: [], with: [] };
for (let round = 1; round <= rounds; round++) {
  // The order changes from round to round, so that a machine that slows down favours neither.
  const order = [['without', without] as const, ['with', withMetrics] as const];
  if (round % 2 === 0) order.reverse();
  for (const [name, service] of order) costs[name].push(await measure(service, seconds));
}
clearInterval(reading);
const lowerQuartile = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? 0;
const [bare, counted] = [lowerQuartile(costs.without), lowerQuartile(costs.with)];
console.log(
  `${rounds} rounds, lower quartiles: ${bare.toFixed(2)} µs without, ${counted.toFixed(2)} µs with, ratio ${(counted / bare).toFixed(3)}`,
);
for (const service of [without, withMetrics]) service.kill('SIGTERM');
await Promise.all([without.exited, withMetrics.exited]);
rmSync(folder, { recursive: true });
process.exit(0);
