/**
 * Measures the cost of the log: CPU time of the service for each look-up, in turn with and without a line to a file for
 * each request. Only the ratio is meaningful. `bun test/bench/log.ts [rounds] [seconds]`
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { createApp } from '../../src/front/app.ts';
import { createLog, type Log, logObserver } from '../../src/log/log.ts';
import { admitted, admittedPage, company, firstId, found, manifest, secrets } from '../http/app-in-memory.ts';
import { servingOne } from './harness/serving-one.ts';

const [rounds = 3, seconds = 3] = process.argv.slice(2).map(Number);
const connections = 64;

/** The HTTP part of the service, with answers from memory of the size of a company. */
function start(log: Log): string {
  const { config } = readConfig({ LEI_PORT: '0', LEI_LOG_REQUESTS: 'all' });
  const held = { manifest: manifest(firstId), activatedAt: '2024-05-05T01:02:03Z' };
  const answer = found({ lei: company.lei, filler: 'x'.repeat(2300) });
  const app = createApp({
    config,
    pool: {
      ask: ({ take }) => queueMicrotask(() => take(answer)),
      hasTimeFor: () => true,
    },
    publications: servingOne(held),
    access: { admit: () => admitted(), admitPage: () => admittedPage, serviceFailed: async () => {} },
    secrets,
    log,
    observer: logObserver(log, config.logRequests),
    accountPages: [],
    clock: Date.now,
    uptimeMs: () => performance.now(),
  });
  return `http://127.0.0.1:${app.listen({ port: 0, host: '127.0.0.1', shared: false })}${company.path}`;
}

interface Load {
  readonly requests: { readonly total: number };
  readonly non2xx: number;
  readonly errors: number;
}

/** CPU microseconds of this process for each request, under load from another process. */
async function measure(url: string, duration: number): Promise<number> {
  const before = process.cpuUsage();
  const generator = Bun.spawn(
    [
      process.execPath,
      'node_modules/autocannon/autocannon.js',
      ...['--json', '-c', String(connections), '-d', String(duration), url],
    ],
    { stdout: 'pipe', stderr: 'ignore' },
  );
  const load: Load = JSON.parse(await generator.stdout.text());
  if (load.requests.total === 0 || load.non2xx + load.errors > 0)
    throw new Error('Some requests failed: the figures would say nothing.');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / load.requests.total;
}

const folder = mkdtempSync(join(tmpdir(), 'lei-bench-log-'));
const path = join(folder, 'requests.log');
const written = createLog('info', { path });
const without = start(createLog('warn', { path: join(folder, 'quiet.log') }));
const withLog = start(written);
for (const url of [without, withLog]) await measure(url, 1);
const ratios: number[] = [];
for (let round = 1; round <= rounds; round++) {
  const [quiet, logging] = [await measure(without, seconds), await measure(withLog, seconds)];
  ratios.push(logging / quiet);
  console.log(
    `round ${round}: ${quiet.toFixed(1)} µs without, ${logging.toFixed(1)} µs with, ratio ${(logging / quiet).toFixed(3)}`,
  );
}
await written.flush();
ratios.sort((a, b) => a - b);
console.log(
  `median ratio ${ratios[Math.floor(ratios.length / 2)]?.toFixed(3)}; ${statSync(path).size} bytes of log`,
);
rmSync(folder, { recursive: true });
process.exit(0);
