/**
 * Compares loads of one data set with different numbers of cores, in turn: seconds, processor time, memory, the
 * processor time of the busiest threads and of the loader's own, and how long one thread worked alone. The busiest
 * thread limits a load if there are cores for all of them, so at the end the medians are compared with those of the
 * first number.
 *
 *     sh src/with-bun.sh test/bench/load-threads.ts [--entities 300000] [--threads 1,2,4] [--rounds 3] [--root FOLDER]
 *       [--format csv|xml|json]
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formats } from '../../src/generate/files/golden-copy.ts';
import { generate } from '../../src/generate/generate.ts';
import { runLoader } from '../../src/loader/command/run-loader.ts';
import { loadRequest } from '../../src/loader/load-request.ts';
import { filesIn } from './harness/data.ts';
import { median } from './harness/median.ts';

const { values } = parseArgs({
  options: {
    entities: { type: 'string', default: '300000' },
    threads: { type: 'string', default: '1,2,4' },
    rounds: { type: 'string', default: '3' },
    root: { type: 'string', default: join(tmpdir(), 'lei-bench-load-threads') },
    format: { type: 'string', default: 'csv' },
  },
});
const format = formats.find((known) => known === values.format);
if (format === undefined)
  throw new Error(`--format is ${values.format}; it must be one of ${formats.join(', ')}.`);
const root = join(values.root, `${values.entities}-${format}`);

interface Thread {
  readonly name: string;
  readonly cpuSeconds: number;
}

/** The cost of one load. */
interface Taken {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMb: number;
  /** The threads that the load started and its starting thread, by processor time, the busiest first. */
  readonly busiest: readonly Thread[];
  /** Processor time of the starting thread. */
  readonly own: number;
  /** Time of a thread while hardly any other ran, in total and at a stretch. */
  readonly alone: number;
  readonly longestAlone: number;
}

const sampledEveryMs = 50;
/** A thread works alone from this share of all processor time on: the rest is the collector's and the compiler's. */
const aloneShare = 0.85;

async function load(threads: number): Promise<Taken> {
  const dataDir = join(root, 'data');
  rmSync(dataDir, { recursive: true, force: true });
  const watched = watch();
  const timer = setInterval(watched.look, sampledEveryMs);
  const started = performance.now();
  try {
    const request = loadRequest({ dataDir, maxBadRows: 0.001 }, filesIn(join(root, 'files')));
    await runLoader({ ...request, threads }, {});
  } finally {
    clearInterval(timer);
  }
  const seconds = (performance.now() - started) / 1000;
  rmSync(dataDir, { recursive: true, force: true });
  return { seconds, ...watched.seen() };
}

/** Samples the threads of the loader process, whose times are known to the nanosecond. */
function watch() {
  let known = new Map<string, Thread>();
  let peakMb = 0;
  let alone = 0;
  let stretch = 0;
  let longestAlone = 0;
  const look = () => {
    const pid = Number(/\d+/.exec(textOf(`/proc/${process.pid}/task/${process.pid}/children`))?.[0] ?? 0);
    peakMb = Math.max(peakMb, peakOf(pid));
    const now = new Map([...known, ...threadsOf(pid)]);
    const steps = [...now].map(([id, { cpuSeconds }]) => cpuSeconds - (known.get(id)?.cpuSeconds ?? 0));
    const most = Math.max(0, ...steps);
    const isAlone = most > aloneShare * steps.reduce((sum, step) => sum + step, 0);
    if (isAlone) alone += most;
    stretch = isAlone ? stretch + most : 0;
    longestAlone = Math.max(longestAlone, stretch);
    known = now;
  };
  const seen = () => {
    const threads = [...known.values()].sort((a, b) => b.cpuSeconds - a.cpuSeconds);
    const cpuSeconds = threads.reduce((sum, thread) => sum + thread.cpuSeconds, 0);
    const busiest = threads.filter(({ name }) => name === ownName || name === workerName);
    const own = busiest.find(({ name }) => name === ownName)?.cpuSeconds ?? 0;
    return { cpuSeconds, peakMb, busiest, own, alone, longestAlone };
  };
  return { look, seen };
}

const ownName = 'loader';
/** Other threads belong to the engine: its compilers and collectors share their work among all cores. */
const workerName = 'Worker';

function* threadsOf(pid: number): Generator<[id: string, thread: Thread]> {
  const folder = `/proc/${pid}/task`;
  if (!existsSync(folder)) return;
  for (const id of readdirSync(folder)) {
    const cpuSeconds = Number(textOf(join(folder, id, 'schedstat')).split(' ')[0]) / 1e9;
    const name = Number(id) === pid ? ownName : textOf(join(folder, id, 'comm')).trim();
    if (cpuSeconds > 0) yield [id, { name, cpuSeconds }];
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

function show(threads: number, taken: Taken): void {
  const first = taken.busiest.slice(0, 5).map(({ name, cpuSeconds }) => `${name} ${cpuSeconds.toFixed(1)}`);
  const { seconds, cpuSeconds, peakMb, own, alone, longestAlone } = taken;
  console.log(
    `${String(threads).padStart(3)} cores asked  ${seconds.toFixed(1)} s  ${cpuSeconds.toFixed(1)} s CPU  ` +
      `${peakMb.toFixed(0)} MB  own thread ${own.toFixed(1)}  alone ${alone.toFixed(1)}, at most ` +
      `${longestAlone.toFixed(1)} at a stretch  busiest: ${first.join(', ')}`,
  );
}

function summarise(all: ReadonlyMap<number, readonly Taken[]>): void {
  const medians = (value: (taken: Taken) => number) =>
    [...all.values()].map((rounds) => median(rounds.map(value)));
  const rows = {
    'busiest thread': medians(({ busiest }) => busiest[0]?.cpuSeconds ?? 0),
    'own thread': medians(({ own }) => own),
    'one thread alone': medians(({ alone }) => alone),
    'at a stretch': medians(({ longestAlone }) => longestAlone),
    'all threads': medians(({ cpuSeconds }) => cpuSeconds),
    'most memory, MB': medians(({ peakMb }) => peakMb),
  };
  console.log(
    `\nmedians of          ${[...all.keys()].map((threads) => `--threads ${threads}`.padStart(18)).join('')}`,
  );
  for (const [name, row] of Object.entries(rows)) {
    const cells = row.map((value) =>
      `${value.toFixed(1)} (${(value / (row[0] ?? 1)).toFixed(2)})`.padStart(18),
    );
    console.log(name.padEnd(20) + cells.join(''));
  }
}

if (!existsSync(join(root, 'files'))) {
  mkdirSync(root, { recursive: true });
  const options = { entities: Number(values.entities), seed: 7, delta: null, format } as const;
  await generate({ ...options, folder: join(root, 'files') }, () => undefined);
}
const all = new Map<number, Taken[]>(values.threads.split(',').map((threads) => [Number(threads), []]));
for (let round = 0; round < Number(values.rounds); round++) {
  for (const [threads, rounds] of all) {
    const taken = await load(threads);
    rounds.push(taken);
    show(threads, taken);
  }
}
summarise(all);
