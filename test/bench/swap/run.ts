/**
 * Loads a day's delta beside a service under traffic, and measures its effect on callers, the time until it is active,
 * the memory of loader and service, and the space on disk. Compares every body with the one of its dataset version before
 * and after. Writes a report beside those of the other benches.
 *
 *     bun test/bench/swap/run.ts [--entities 100000] [--seconds 5]
 *
 * `--seconds` is the length of the steady state before the load.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layout } from '../../../src/publication/layout.ts';
import type { Manifest } from '../../../src/publication/manifest.ts';
import { bytesOf } from '../../../src/publication/manifest-facts.ts';
import { readPointer } from '../../../src/publication/pointer.ts';
import { readManifest } from '../../../src/publication/sealed.ts';
import { wholeNumbers } from '../harness/arguments.ts';
import { filesIn, lei, prepareData, startService } from '../harness/data.ts';
import { describeMachine } from '../harness/machine.ts';
import { type Finished, memoryOf, runToEnd } from '../harness/processes.ts';
import { createQuestions } from '../harness/questions.ts';
import { figure, Report } from '../harness/report.ts';

const given = wholeNumbers({ entities: 100_000, seconds: 5 });
const [entities, steadySeconds] = [given('entities'), given('seconds')];
const connections = 16;
const seed = 1;

interface Answered {
  /** The time of the complete answer, on the clock of `performance`. */
  readonly at: number;
  readonly ms: number;
}

const data = await prepareData(entities, seed);
const folder = mkdtempSync(join(tmpdir(), 'lei-swap-bench-'));
const dataDir = join(folder, 'data');
cpSync(data.dataDir, dataDir, { recursive: true });
const delta = join(folder, 'delta');
await runToEnd(
  lei('generate', '--entities', String(entities), '--seed', String(seed), '--delta', '--out', delta),
);

const paths = [...new Set(createQuestions(entities, seed)['look-up'].map(({ path }) => path))].slice(0, 2000);
const headers = { Authorization: `Bearer ${data.key}` };
/** Two threads open a new publication in turn: one answers while the other opens it. */
const queryThreads = 2;
const served = await startService({ dataDir }, { LEI_WORKERS: String(queryThreads) });
const bodies = new Map<string, Map<string, string>>();
await remember();

const answered: Answered[] = [];
const unlike: { readonly path: string; readonly body: string }[] = [];
let failures = 0;
let going = true;
const traffic = Promise.all(Array.from({ length: connections }, (_, offset) => connection(offset)));

const start = performance.now();
await Bun.sleep(steadySeconds * 1000);
const loadStart = performance.now();
const load = runToEnd(lei('load', '--json', '--delta', ...filesIn(delta)), { LEI_DATA_DIR: dataDir });
const swapped = await untilSwapped();
const loaded = await load;
const loadEnd = performance.now();
await Bun.sleep(1000);
going = false;
await traffic;
await remember();
// Compares bodies that were unknown at first with the current ones of their version.
const mixed = unlike.filter(({ path, body }) => bodies.get(versionOf(body))?.get(path) !== body).length;
const service = { peakMb: peakMegabytes(), privateMb: memoryOf(served.pid).privateMb };
await served.stop();
writeReport(loaded);
rmSync(folder, { recursive: true, force: true });

async function connection(offset: number): Promise<void> {
  for (let turn = offset; going; turn += connections) {
    const path = paths[turn % paths.length] ?? '';
    const asked = performance.now();
    const response = await fetch(served.url + path, { headers });
    const body = await response.text();
    const at = performance.now();
    answered.push({ at, ms: at - asked });
    if (response.status !== 200) failures++;
    else if (bodies.get(versionOf(body))?.get(path) !== body) unlike.push({ path, body });
  }
}

/** The current answer of every path, by dataset version. */
async function remember(): Promise<void> {
  for (const path of paths) {
    const body = await (await fetch(served.url + path, { headers })).text();
    const known = bodies.get(versionOf(body)) ?? new Map<string, string>();
    bodies.set(versionOf(body), known.set(path, body));
  }
}

function versionOf(body: string): string {
  return /"datasetVersion":"([^"]+)"/.exec(body)?.[1] ?? '';
}

async function untilSwapped(): Promise<number> {
  const before = readPointer(layout(dataDir))?.id;
  while (readPointer(layout(dataDir))?.id === before) await Bun.sleep(5);
  return performance.now();
}

/** The largest resident size of the service, pages of mapped files included. */
function peakMegabytes(): number {
  const status = readFileSync(`/proc/${served.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

function row(name: string, from: number, to: number): string[] {
  const times = answered.filter(({ at }) => at >= from && at < to).map(({ ms }) => ms);
  times.sort((a, b) => a - b);
  const share = (part: number) => figure(times[Math.floor(times.length * part)] ?? 0);
  const perSecond = times.length / ((to - from) / 1000);
  return [name, figure(perSecond), share(0.5), share(0.99), figure(times.at(-1) ?? 0)];
}

function writeReport({ output, peakMb }: Finished): void {
  const folder = join(import.meta.dir, '..', 'reports', `${entities}-entities`);
  const report = new Report(folder, 'swap', `Hot swap: ${entities.toLocaleString('en')} entities`);
  report.text(`Made by \`bun test/bench/swap/run.ts --entities ${entities} --seconds ${steadySeconds}\`.`);
  report.table(['Machine', ''], describeMachine().rows);
  report.heading('What callers notice');
  report.text(
    `${connections} connections ask for companies while a delta is loaded on the same machine. ${failures} requests failed and ${mixed} answers mixed two publications, of ${answered.length.toLocaleString('en')}.`,
  );
  report.table(
    ['', 'Requests /s', 'p50 ms', 'p99 ms', 'Worst ms'],
    [
      row('steady state', start, loadStart),
      row('while the load runs', loadStart, swapped - 500),
      row('the second around the swap', swapped - 500, swapped + 500),
    ],
  );
  report.heading('What the load takes');
  const records = Object.entries<number>(JSON.parse(output).rows);
  const total = records.reduce((sum, [, count]) => sum + count, 0);
  const kinds = records.map(([kind, count]) => `${count.toLocaleString('en')} ${kind}`).join(', ');
  report.text(`The delta has ${total.toLocaleString('en')} records: ${kinds}.`);
  const seconds = (from: number, to: number) => figure((to - from) / 1000);
  report.table(
    ['', ''],
    [
      ['lei load --delta: seconds to active', seconds(loadStart, swapped)],
      ['seconds to its end', seconds(loadStart, loadEnd)],
      ['Loader: greatest resident MB', figure(peakMb)],
      ['Service: query threads', String(queryThreads)],
      ['Service: greatest resident MB, mapped files included', figure(service.peakMb)],
      ['Service: private MB at the end', figure(service.privateMb)],
    ],
  );
  report.heading('Size on disk');
  const pointer = readPointer(layout(dataDir));
  const [after, before] = [manifestOf(pointer?.id), manifestOf(pointer?.previous[0]?.id)];
  const bytes = bytesOf(before);
  const grown = bytesOf(after) - bytes;
  report.text(
    `${figure(bytes / before.counts.entities)} bytes an entity. This delta made it ${figure(grown / 1e6)} MB larger, so a year of such days would add ${figure((grown * 365) / bytes)} times the size.`,
  );
  report.save();
}

function manifestOf(id: string | undefined): Manifest {
  const reading = readManifest(layout(dataDir), id ?? '');
  if (reading.outcome !== 'sound') throw new Error(reading.message);
  return reading.manifest;
}
