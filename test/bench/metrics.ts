/**
 * Measures the cost of the metrics: CPU time for each look-up without an admin address and with one that is read every
 * second. All other settings are the defaults, with quotas that are never used up. Both services run in this process, so
 * they run the same compiled code. Their turns are a quarter of a second long, so whatever slows the machine down slows
 * both down. `bun test/bench/metrics.ts [starts] [turns]`
 */
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openState } from '../../src/accounts/open-state.ts';
import { readConfig } from '../../src/config.ts';
import { loadSample } from '../../src/load-sample.ts';
import { createLog } from '../../src/log/log.ts';
import { type Service, startService } from '../../src/serve/main.ts';
import { inspectInProcess } from '../../src/serve/swap/inspect-publication.ts';
import { company } from '../http/app-in-memory.ts';
import { meanOf } from './harness/mean.ts';
import { requestsIn } from './harness/paired-cost.ts';

const [starts = 20, turns = 40] = process.argv.slice(2).map(Number);
const turnMs = 250;
/** Answers in flight when a turn ends still count for it. */
const settlingMs = 10;
const warmUpSeconds = 2;
const readEveryMs = 1_000;
const neverUsedUp = '1000000000';

const silence = openSync('/dev/null', 'a');
const folder = mkdtempSync(join(tmpdir(), 'lei-bench-metrics-'));

async function serve(environment: Readonly<Record<string, string>>): Promise<Service> {
  const { config } = readConfig({
    LEI_PORT: '0',
    LEI_WORKERS: '1',
    LEI_ANONYMOUS_DAILY: neverUsedUp,
    LEI_BURST_LOOKUP: neverUsedUp,
    LEI_DATA_DIR: mkdtempSync(join(folder, 'data-')),
    ...environment,
  });
  const log = createLog('info', { fd: silence });
  const service = await startService(config, {
    log,
    openState,
    loadSample: (publications, aborted) => loadSample({ config, publications, aborted, log }),
    inspect: inspectInProcess(config.dataDir),
  });
  await service.ready;
  return service;
}

/** A client that asks for a company over 64 connections, each as soon as it has its answer. */
function client({ url }: Service, seconds: number) {
  const load = ['-t', '1', '-c', '64', '-d', `${seconds}s`];
  return Bun.spawn(['wrk', ...load, `${url}${company.path}`], { stdout: 'pipe', stderr: 'inherit' });
}

/** The number of answers that a client got. @see requestsIn */
async function answersOf({ stdout }: ReturnType<typeof client>): Promise<number> {
  return requestsIn(await new Response(stdout).text(), /Non-2xx|Socket errors: connect/);
}

function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** CPU microseconds of each service for each look-up. */
async function costs(services: readonly Service[]): Promise<number[]> {
  for (const service of services) await answersOf(client(service, warmUpSeconds));
  const seconds = Math.ceil((turns * services.length * turnMs) / 1_000);
  const asking = services.map((service) => ({ load: client(service, seconds), cpu: 0 }));
  for (const { load } of asking) load.kill('SIGSTOP');
  for (let turn = 0; turn < turns; turn++) {
    for (const each of turn % 2 === 0 ? asking : asking.toReversed()) {
      const before = cpuMicros();
      each.load.kill('SIGCONT');
      await Bun.sleep(turnMs);
      each.load.kill('SIGSTOP');
      await Bun.sleep(settlingMs);
      each.cpu += cpuMicros() - before;
    }
  }
  for (const { load } of asking) load.kill('SIGCONT');
  return Promise.all(asking.map(async ({ load, cpu }) => cpu / (await answersOf(load))));
}

/** The cost with metrics divided by the cost without, by two services that are started for it. */
async function oneStart(start: number): Promise<number> {
  const unix = join(folder, `admin-${start}.sock`);
  // Which of two services in one process starts first also matters, by some percent.
  const settings = [{}, { LEI_ADMIN: unix }];
  const isSwapped = start % 2 === 1;
  const services = [];
  for (const each of isSwapped ? settings.toReversed() : settings) services.push(await serve(each));
  const reading = setInterval(async () => {
    await (await fetch('http://admin/metrics', { unix })).text();
  }, readEveryMs);
  const measured = await costs(services);
  const [without = 0, counted = 0] = isSwapped ? measured.toReversed() : measured;
  clearInterval(reading);
  await Promise.all(services.map((service) => service.stop()));
  const ratio = counted / without;
  console.log(
    `start ${start + 1}: ${without.toFixed(2)} µs without, ${counted.toFixed(2)} µs with, ratio ${ratio.toFixed(3)}`,
  );
  return ratio;
}

const ratios: number[] = [];
for (let start = 0; start < starts; start++) ratios.push(await oneStart(start));
const { mean, error } = meanOf(ratios);
console.log(
  `${starts} starts of ${turns} turns: mean ratio ${mean.toFixed(3)}, standard error ${error.toFixed(3)}`,
);
rmSync(folder, { recursive: true });
process.exit(0);
