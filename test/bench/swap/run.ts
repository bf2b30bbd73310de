/**
 * A day's delta loaded beside a service under traffic: what callers notice, what it takes, what it costs on disk.
 * Every body is compared with the one its dataset version gives before and after.
 *
 *     bun test/bench/swap/run.ts [entities] [seconds of steady state]
 */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layout } from '../../../src/publication/layout.ts';
import type { Manifest } from '../../../src/publication/manifest.ts';
import { readPointer } from '../../../src/publication/pointer.ts';
import { readManifest } from '../../../src/publication/sealed.ts';
import { serve } from '../../support/serve.ts';
import { filesIn, lei, prepareData } from '../harness/data.ts';
import { createQuestions } from '../harness/questions.ts';

const entities = Number(process.argv[2] ?? 100_000);
const steadySeconds = Number(process.argv[3] ?? 5);
const connections = 16;
const seed = 1;

interface Answered {
  /** When the answer was complete, on the clock of `performance`. */
  readonly at: number;
  readonly ms: number;
}

const data = await prepareData(entities, seed);
const folder = mkdtempSync(join(tmpdir(), 'lei-swap-bench-'));
const dataDir = join(folder, 'data');
cpSync(data.dataDir, dataDir, { recursive: true });
const delta = join(folder, 'delta');
await run(lei('generate', '--entities', String(entities), '--seed', String(seed), '--delta', '--out', delta));

const paths = [...new Set(createQuestions(entities, seed)['look-up'].map(({ path }) => path))].slice(0, 2000);
const headers = { Authorization: `Bearer ${data.key}` };
const served = await serve(dataDir, { LEI_LIMITS: 'enforce' });
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
const load = run(lei('load', '--delta', ...filesIn(delta)));
const swapped = await untilSwapped();
await load;
const loadEnd = performance.now();
await Bun.sleep(1000);
going = false;
await traffic;
await remember();
// A body that was not known when it came must be the one that its version gives now.
const mixed = unlike.filter(({ path, body }) => bodies.get(versionOf(body))?.get(path) !== body).length;
const peak = peakMegabytes();
served.kill('SIGTERM');
await served.exited;
report();
rmSync(folder, { recursive: true, force: true });

async function connection(offset: number): Promise<void> {
  for (let turn = offset; going; turn += connections) {
    const path = paths[turn % paths.length] ?? '';
    const asked = performance.now();
    const response = await served.get(path, { headers });
    const body = await response.text();
    const at = performance.now();
    answered.push({ at, ms: at - asked });
    if (response.status !== 200) failures++;
    else if (bodies.get(versionOf(body))?.get(path) !== body) unlike.push({ path, body });
  }
}

/** What every address answers now, kept by dataset version. */
async function remember(): Promise<void> {
  for (const path of paths) {
    const body = await (await served.get(path, { headers })).text();
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

async function run(command: readonly string[]): Promise<void> {
  const child = Bun.spawn([...command], {
    env: { ...process.env, LEI_DATA_DIR: dataDir },
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const message = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(message);
}

/** Greatest resident size of the service, file pages of the map included. */
function peakMegabytes(): string {
  const status = readFileSync(`/proc/${served.pid}/status`, 'utf8');
  return (Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024).toFixed(0);
}

function row(name: string, from: number, to: number): string {
  const times = answered.filter(({ at }) => at >= from && at < to).map(({ ms }) => ms);
  times.sort((a, b) => a - b);
  const share = (part: number) => (times[Math.floor(times.length * part)] ?? 0).toFixed(2);
  const perSecond = (times.length / ((to - from) / 1000)).toFixed(0);
  return `| ${name} | ${perSecond} | ${share(0.5)} | ${share(0.99)} | ${(times.at(-1) ?? 0).toFixed(1)} |`;
}

function report(): void {
  const pointer = readPointer(layout(dataDir));
  const [after, before] = [manifestOf(pointer?.id), manifestOf(pointer?.previous[0]?.id)];
  const grown = after.environment.bytes - before.environment.bytes;
  const lines = [
    `# A delta beside ${connections} connections, ${entities.toLocaleString('en')} entities`,
    '',
    '| | requests/s | p50 ms | p99 ms | worst ms |',
    '|---|---|---|---|---|',
    row('steady state', start, loadStart),
    row('while the load runs', loadStart, swapped - 500),
    row('the second around the swap', swapped - 500, swapped + 500),
    '',
    `- ${failures} failed requests, ${mixed} mixed answers of ${answered.length}.`,
    `- lei load --delta: ${((swapped - loadStart) / 1000).toFixed(1)} s to active, ${((loadEnd - loadStart) / 1000).toFixed(1)} s to its end.`,
    `- Service, greatest resident size with mapped files: ${peak} MB.`,
    `- ${(before.environment.bytes / before.counts.entities).toFixed(0)} bytes on disk an entity; this delta made it ${grown} bytes larger,`,
    `  so a year of such days adds ${((grown * 365) / before.environment.bytes).toFixed(2)} times the size.`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function manifestOf(id: string | undefined): Manifest {
  const reading = readManifest(layout(dataDir), id ?? '');
  if (reading.outcome !== 'sound') throw new Error(reading.message);
  return reading.manifest;
}
