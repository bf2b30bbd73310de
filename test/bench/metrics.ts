/**
 * Measures the cost of the metrics: CPU time of the whole service for each look-up, in turn without an admin address and
 * with one that is read every second. Only the ratio is meaningful. `bun test/bench/metrics.ts [rounds] [seconds]`
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { company } from '../front/http/app-in-memory.ts';
import { type Served, serve } from '../support/serve.ts';

const [rounds = 5, seconds = 4] = process.argv.slice(2).map(Number);
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
const ratios: number[] = [];
for (let round = 1; round <= rounds; round++) {
  // The order changes from round to round, so that a machine that slows down favours neither.
  const [first, second] = round % 2 === 1 ? [without, withMetrics] : [withMetrics, without];
  const [one, other] = [await measure(first, seconds), await measure(second, seconds)];
  const [bare, counted] = round % 2 === 1 ? [one, other] : [other, one];
  ratios.push(counted / bare);
  console.log(
    `round ${round}: ${bare.toFixed(1)} µs without, ${counted.toFixed(1)} µs with, ratio ${(counted / bare).toFixed(3)}`,
  );
}
clearInterval(reading);
ratios.sort((a, b) => a - b);
console.log(`median ratio ${ratios[Math.floor(ratios.length / 2)]?.toFixed(3)}`);
for (const service of [without, withMetrics]) service.kill('SIGTERM');
await Promise.all([without.exited, withMetrics.exited]);
rmSync(folder, { recursive: true });
process.exit(0);
