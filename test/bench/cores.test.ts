/** Tests what the `cores` part of the bench measures on machines of different sizes, and how it tells threads apart. */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { generatorShare, generatorShareBeside, nameOf, rowsFor } from './cores/rows.ts';
import { busyBetween, busyCells, threadTimes } from './harness/busy-threads.ts';
import { moveTo, numbersIn, onCores, splitCores, usableCores } from './harness/cores.ts';
import type { Server } from './harness/processes.ts';

const nothingChosen = { fronts: undefined, workers: undefined };
const namesOn = (cores: number) => rowsFor(cores, nothingChosen).map(nameOf);

test('measures 1, 2, 4, … fronts up to half of the cores, and the machine’s default', () => {
  expect(namesOn(1)).toEqual(['1 + 1, the default', '2 + 2']);
  expect(namesOn(2)).toEqual(['1 + 1, the default', '2 + 2']);
  expect(namesOn(4)).toEqual(['1 + 1', '2 + 2', '2 + 3, the default']);
  expect(namesOn(16)).toEqual(['1 + 1', '2 + 2', '4 + 4', '8 + 8', '8 + 15, the default']);
});

test('measures only what the caller chose', () => {
  expect(rowsFor(16, { fronts: 3, workers: undefined }).map(nameOf)).toEqual(['3 + 15']);
  expect(rowsFor(16, { fronts: 3, workers: 5 }).map(nameOf)).toEqual(['3 + 5']);
});

const shares = [...Object.values(generatorShare), generatorShareBeside];

test.skipIf(Bun.which('taskset') === null)(
  'gives server and generator at least one core each, and shares none, on four cores or more',
  () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 256 }), fc.constantFrom(...shares), (count, share) => {
        const cores = Array.from({ length: count }, (_, core) => core);
        const { server, generator, apart } = splitCores(cores, share);
        expect(apart).toBe(true);
        expect([...server, ...generator]).toEqual(cores);
        expect(Math.min(server.length, generator.length)).toBeGreaterThan(0);
      }),
    );
  },
);

test('lets server and generator share fewer than four cores', () => {
  expect(splitCores([0, 1], 1 / 2)).toEqual({ server: [0, 1], generator: [0, 1], apart: false });
  expect(onCores([])).toEqual([]);
});

test('reads lists of cores in Linux notation', () => {
  expect(numbersIn('0-3,8,10-11')).toEqual([0, 1, 2, 3, 8, 10, 11]);
  expect(numbersIn('5')).toEqual([5]);
});

const allowedFor = (pid: number) =>
  numbersIn(/^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '');

test.skipIf(Bun.which('taskset') === null)(
  'pins generators to their cores, and moves running servers',
  async () => {
    const [core = 0] = usableCores();
    const child = Bun.spawn([...onCores([core]), 'sleep', '60']);
    const moved = Bun.spawn(['sleep', '60']);
    const server: Server = { name: 'sleep', url: '', pid: moved.pid, startMs: 0, stop: async () => {} };
    try {
      moveTo([core], server);
      expect(allowedFor(moved.pid)).toEqual([core]);
      while (allowedFor(child.pid).length > 1) await Bun.sleep(1);
    } finally {
      for (const each of [child, moved]) each.kill();
    }
  },
);

test('reports which threads of a process were busy, by role', async () => {
  // Services of earlier test files have left query threads in this process.
  const now = threadTimes(process.pid);
  const lent = busyBetween(now, now, 1)['query threads'].length;
  const spin = `postMessage('ready'); onmessage = () => { const end = Date.now() + 300; while (Date.now() < end); postMessage('done'); };`;
  const url = URL.createObjectURL(new Blob([spin]));
  const workers = ['front-1', 'front-2', 'query'].map((name) => new Worker(url, { name }));
  const heard = (worker: Worker) =>
    new Promise((resolve) => worker.addEventListener('message', resolve, { once: true }));
  try {
    await Promise.all(workers.map(heard));
    const before = threadTimes(process.pid);
    const busy = workers.slice(0, 1).map(heard);
    workers[0]?.postMessage('spin');
    await Promise.all(busy);
    const { fronts, 'query threads': query, main } = busyBetween(before, threadTimes(process.pid), 1);
    expect({ fronts: fronts.length, query: query.length, main: main.length }).toEqual({
      fronts: 2,
      query: lent + 1,
      main: 1,
    });
    expect(fronts[0]).toBeGreaterThan(0.005);
    expect(fronts[0]).toBeGreaterThan(3 * (fronts[1] ?? 0));
  } finally {
    for (const worker of workers) worker.terminate();
    URL.revokeObjectURL(url);
  }
});

test('shows the sum of each role, and the busiest thread of a role with several', () => {
  const busy = {
    fronts: [0.9, 0.5],
    'query threads': [0.25],
    main: [],
    collector: [0.1],
    compiler: [],
    others: [],
  };
  expect(busyCells(busy)).toEqual(['1.40 (0.90)', '0.25', '0.00', '0.10', '0.00', '0.00']);
});
