/**
 * Measures what authentication and quotas add to a look-up: the real service over the bundled sample, once with
 * LEI_LIMITS=off and once enforcing limits nobody reaches, loaded in turn by the same 64 connections.
 *
 * The front thread limits the requests per second, so its CPU time per request is the measure. It hardly depends on
 * other work of the machine. Linux only (it reads /proc).
 *
 *     bun test/bench/access.ts [--rounds 4]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { createAccount } from '../support/run-lei.ts';
import { wholeNumbers } from './harness/arguments.ts';
import { startService } from './harness/data.ts';
import type { Server } from './harness/processes.ts';

const connections = 64;
const secondsPerRun = 4;
const rounds = wholeNumbers({ rounds: 4 })('rounds');
/** DEUTSCHE BANK AKTIENGESELLSCHAFT, a company of the bundled sample. */
const path = '/api/v1/lei/7LTWFZYICNSX8D621K86';

function startLimited(dataDir: string, mode: string): Promise<Server> {
  return startService(
    { dataDir },
    {
      LEI_WORKERS: '1',
      LEI_LIMITS: mode,
      LEI_ANONYMOUS_DAILY: '1000000000000',
      LEI_BURST_LOOKUP: '1000000000',
    },
  );
}

/** CPU time of a process's first thread, in clock ticks of 10 ms. */
function frontTicks(pid: number): number {
  const text = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

interface Measured {
  readonly requestsPerSecond: number;
  /** Microseconds of the front thread per request. */
  readonly cost: number;
}

async function measure(service: Server, authorization: string | null): Promise<Measured> {
  const headers = authorization === null ? {} : { authorization };
  const before = frontTicks(service.pid);
  const { requests, non2xx, errors } = await autocannon({
    url: `${service.url}${path}`,
    connections,
    duration: secondsPerRun,
    headers,
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx} answers were not 200, ${errors} connections failed.`);
  const cost = ((frontTicks(service.pid) - before) * 10_000) / requests.total;
  return { requestsPerSecond: requests.average, cost };
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

const folders = ['off', 'enforce'].map(() => mkdtempSync(join(tmpdir(), 'lei-bench-access-')));
const [offData = '', enforcedData = ''] = folders;
const { secret } = await createAccount(
  enforcedData,
  'bench@example.com',
  ...['--daily', '1000000000000', '--burst-lookup', '1000000000'],
);
const off = await startLimited(offData, 'off');
const enforced = await startLimited(enforcedData, 'enforce');

const cases = [
  { name: 'LEI_LIMITS=off, no key', service: off, authorization: null },
  { name: 'enforced, no key', service: enforced, authorization: null },
  { name: 'enforced, with a key', service: enforced, authorization: `Bearer ${secret}` },
];
const results = cases.map((): Measured[] => []);
for (const one of cases) await measure(one.service, one.authorization);
// In turn, so that a busy minute of the machine affects all alike.
for (let round = 0; round < rounds; round++) {
  for (const [index, one] of cases.entries()) {
    results[index]?.push(await measure(one.service, one.authorization));
  }
}
await Promise.all([off.stop(), enforced.stop()]);
for (const folder of folders) rmSync(folder, { recursive: true });

const base = median((results[0] ?? []).map(({ cost }) => cost));
for (const [index, { name }] of cases.entries()) {
  const measured = results[index] ?? [];
  const cost = median(measured.map((one) => one.cost));
  const rate = median(measured.map((one) => one.requestsPerSecond));
  console.log(
    `${name.padEnd(24)} ${cost.toFixed(2)} µs of the front thread (${((cost / base - 1) * 100).toFixed(1)} %), ` +
      `${Math.round(rate)} requests/s`,
  );
}
