/**
 * Compares loads of one data set with different numbers of cores, in turn: seconds, processor time, memory, and the
 * processor time of the busiest threads. The busiest one limits a load if there are cores for all of them.
 *
 *     sh src/with-bun.sh test/bench/load-threads.ts [--entities 300000] [--threads 1,2,4] [--rounds 3] [--root FOLDER]
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generate } from '../../src/generate/generate.ts';
import { runLoader } from '../../src/loader/command/run-loader.ts';
import { loadRequest } from '../../src/loader/load-request.ts';
import { filesIn } from './harness/data.ts';

const { values } = parseArgs({
  options: {
    entities: { type: 'string', default: '300000' },
    threads: { type: 'string', default: '1,2,4' },
    rounds: { type: 'string', default: '3' },
    root: { type: 'string', default: join(tmpdir(), 'lei-bench-load-threads') },
  },
});
const root = join(values.root, values.entities);

/** The cost of one load; seconds of processor time by thread, the busiest first. */
interface Taken {
  readonly seconds: number;
  readonly peakMb: number;
  readonly busiest: readonly { readonly name: string; readonly cpuSeconds: number }[];
}

const ticksPerSecond = 100;
const sampledEveryMs = 100;

async function load(threads: number): Promise<Taken> {
  const dataDir = join(root, 'data');
  rmSync(dataDir, { recursive: true, force: true });
  const known = new Map<string, { name: string; cpuSeconds: number }>();
  let peakMb = 0;
  const look = () => {
    const pid = Number(/\d+/.exec(textOf(`/proc/${process.pid}/task/${process.pid}/children`))?.[0] ?? 0);
    for (const [id, thread] of threadsOf(pid)) known.set(id, thread);
    peakMb = Math.max(peakMb, peakOf(pid));
  };
  const timer = setInterval(look, sampledEveryMs);
  const started = performance.now();
  try {
    await runLoader(
      { ...loadRequest({ dataDir, maxBadRows: 0.001 }, filesIn(join(root, 'files'))), threads },
      {},
    );
  } finally {
    clearInterval(timer);
  }
  const seconds = (performance.now() - started) / 1000;
  rmSync(dataDir, { recursive: true, force: true });
  const busiest = [...known.values()].sort((a, b) => b.cpuSeconds - a.cpuSeconds);
  return { seconds, peakMb, busiest };
}

function* threadsOf(pid: number) {
  const folder = `/proc/${pid}/task`;
  if (!existsSync(folder)) return;
  for (const id of readdirSync(folder)) {
    const stat = textOf(join(folder, id, 'stat'));
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const cpuSeconds = (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    if (cpuSeconds >= 0) yield [id, { name: Number(id) === pid ? 'loader' : name, cpuSeconds }] as const;
  }
}

function peakOf(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}

/** A thread may end after being listed and before being read. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function show(threads: number, { seconds, peakMb, busiest }: Taken): void {
  const all = busiest.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  const first = busiest.slice(0, 6).map(({ name, cpuSeconds }) => `${name} ${cpuSeconds.toFixed(1)}`);
  console.log(
    `${String(threads).padStart(3)} cores asked  ${seconds.toFixed(1).padStart(7)} s  ${all.toFixed(1).padStart(6)} s CPU  ` +
      `${peakMb.toFixed(0).padStart(5)} MB  busiest: ${first.join(', ')}`,
  );
}

if (!existsSync(join(root, 'files'))) {
  mkdirSync(root, { recursive: true });
  const options = { entities: Number(values.entities), seed: 7, delta: null, format: 'csv' } as const;
  await generate({ ...options, folder: join(root, 'files') }, () => undefined);
}
for (let round = 0; round < Number(values.rounds); round++) {
  for (const threads of values.threads.split(',').map(Number)) show(threads, await load(threads));
}
