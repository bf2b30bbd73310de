import { afterAll, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { endingSignals } from '../../src/protocol/ending-signals.ts';
import { layout } from '../../src/publication/layout.ts';
import { readPointer } from '../../src/publication/pointer.ts';
import { temporaryFolder } from '../support/folders.ts';
import { smallDisk } from '../support/small-disk.ts';
import { positive } from './harness/arguments.ts';
import { busyBetween } from './harness/busy-threads.ts';
import { type ClosedLoopResult, ratioAmong, ratioOf, typical } from './harness/closed-loop.ts';
import { filesIn, lei, once, prepareData } from './harness/data.ts';
import { median } from './harness/median.ts';
import { runToEnd, undoAtEnd, watchPeak } from './harness/processes.ts';
import { barPlot, figure, linePlot, Report } from './harness/report.ts';

function turn(perSecond: number, more: Partial<ClosedLoopResult> = {}): ClosedLoopResult {
  const nothing = { p50Ms: 0, p99Ms: 0, cpuMicrosPerRequest: 0, diskWaits: 0, failures: 0, generatorBusy: 0 };
  const busy = busyBetween(new Map(), new Map(), 1);
  return { ...nothing, busy, perSecond, ...more };
}

test('figures are medians over the rounds, failures are sums, and ratios are taken within each round', () => {
  // The machine slows down tenfold, for both servers of a round alike.
  const rounds = [
    [turn(1000, { p99Ms: 1, failures: 2 }), turn(2000)],
    [turn(90, { p99Ms: 30, diskWaits: 4 }), turn(100)],
    [turn(100, { p99Ms: 5, failures: 1 }), turn(400)],
  ];
  expect(typical(rounds, 0)).toMatchObject({ perSecond: 100, p99Ms: 5, failures: 3, diskWaits: 4 });
  expect(ratioOf(rounds, 0, 1)).toEqual({ median: 0.5, least: 0.25, most: 0.9 });
});

test('the median of an even number of values is the mean of the middle two, and is missing if a value is missing', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([7])).toBe(7);
  expect(median([1, Number.NaN, 3])).toBeNaN();
  expect(ratioAmong([Number.NaN]).median).toBeNaN();
});

test('figures keep their number of digits when rounding adds a digit', () => {
  const shown = [1234.5, 999.7, 1000, 99.96, 99.94, 9.996, 9.994, 0, null, Number.NaN].map(figure);
  expect(shown).toEqual(['1,235', '1,000', '1,000', '100', '99.9', '10.0', '9.99', '0.00', '–', '–']);
});

/** The texts of an XML document. @throws for malformed XML */
function textsOf(svg: string): string[] {
  const texts: string[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('text', (text) => texts.push(text));
  parser.write(svg).close();
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  return texts.filter((text) => text.trim() !== '');
}

const seconds = { label: 'seconds', logarithmic: false };

test('plots of no, one, equal, missing and extreme values are well-formed and name each value', () => {
  expect(textsOf(barPlot('None', '/s', []))).toContain('None');
  const bars = ['<a> & "b"', 'missing', 'nothing'].map((label, index) => ({
    label,
    value: [2, Number.NaN, 0][index] ?? 0,
  }));
  expect(textsOf(barPlot('A & B', '/s', bars))).toEqual(
    expect.arrayContaining(['A & B', '<a> & "b"', '2.00 /s', 'missing', '– /s', 'nothing', '0.00 /s']),
  );
  expect(textsOf(linePlot('None', 'MB', seconds, []))).toContain('seconds');
  const one = [[3000, 479]] as const;
  const lines = ['wall', 'CPU'].map((label) => ({ label, points: one }));
  const svg = linePlot('One', 'µs', { label: 'entities', logarithmic: true }, lines);
  expect(textsOf(svg)).toEqual(expect.arrayContaining(['wall', 'CPU', '3,000', 'entities']));
  const heights = ['wall', 'CPU'].map((label) =>
    Number(new RegExp(`y="([\\d.]+)"[^>]*>${label}<`).exec(svg)?.[1]),
  );
  expect(Math.abs((heights[0] ?? 0) - (heights[1] ?? 0))).toBeGreaterThanOrEqual(15);
});

test('the values along a plot do not overlap', () => {
  const points = Array.from({ length: 40 }, (_, n) => [n * 6.107, n] as const);
  const svg = linePlot('Memory', 'MB', seconds, [{ label: 'service', points }]);
  textsOf(svg);
  const ticks = [...svg.matchAll(/x="([\d.]+)" y="308" text-anchor/g)].map(([, x]) => Number(x));
  expect(ticks.length).toBeGreaterThan(5);
  ticks.forEach((x, index) => {
    if (index > 0) expect(x - (ticks[index - 1] ?? 0)).toBeGreaterThanOrEqual(70);
  });
});

test('a report is written in one step, with its plots and aligned tables', () => {
  const folder = temporaryFolder('report');
  const report = new Report(folder, 'part', 'Title');
  report.table(
    ['Question', '/s'],
    [
      ['look-up', '1,234'],
      ['–', 5],
    ],
  );
  report.plot('picture', 'Picture', barPlot('Picture', '/s', []));
  expect(readdirSync(folder)).toEqual([]);
  report.save();
  expect(readdirSync(folder).sort()).toEqual(['part.md', 'picture.svg']);
  const lines = readFileSync(join(folder, 'part.md'), 'utf8').split('\n');
  expect(lines.slice(2, 6)).toEqual([
    '| Question |    /s |',
    '| -------- | ----: |',
    '| look-up  | 1,234 |',
    '| –        |     5 |',
  ]);
});

const disk = smallDisk(1);
afterAll(() => disk?.remove());

test.skipIf(disk === null)(
  'a result that did not fit on the disk is measured again in the next run',
  async () => {
    if (disk === null) return;
    const path = join(disk.folder, 'measured.json');
    let runs = 0;
    const run = async () => ({ seconds: ++runs, cpuSeconds: 1, peakMb: 1, peakPrivateMb: 1, output: '' });
    const makeRoom = disk.fill();
    await expect(once(path, run)).rejects.toThrow('ENOSPC');
    makeRoom();
    expect(await once(path, run)).toMatchObject({ seconds: 2 });
    expect(await once(path, run)).toMatchObject({
      seconds: 2,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/),
    });
  },
);

test('the next bench activates the full set again after an interrupted swap', async () => {
  const root = temporaryFolder('bench');
  const { dataDir, seed, entities } = await prepareData(60, 3, root);
  const active = () => readPointer(layout(dataDir))?.id;
  const loaded = active();
  const delta = join(root, 'delta');
  await runToEnd(
    lei('generate', '--entities', String(entities), '--seed', String(seed), '--delta', '--out', delta),
  );
  await runToEnd(lei('load', '--delta', ...filesIn(delta)), { LEI_DATA_DIR: dataDir });
  expect(active()).not.toBe(loaded);
  await prepareData(60, 3, root);
  expect(active()).toBe(loaded);
});

test('the peak of a command counts all its processes, and nothing of the bench that started it', async () => {
  const ofBench = Buffer.alloc(400e6, 1);
  const holding = 'const held = Buffer.alloc(100e6, 1); await Bun.stdin.text(); console.log(held.length);';
  const child = Bun.spawn(['sh', '-c', '"$0" -e "$1"; echo over', process.execPath, holding], {
    stdin: 'pipe',
    stdout: 'pipe',
  });
  const peak = watchPeak(child.pid);
  while (peak.seen().privateMb < 95) await Bun.sleep(20);
  child.stdin.end();
  expect(await child.stdout.text()).toBe('100000000\nover\n');
  peak.end();
  expect(peak.seen().residentMb * 1e6).toBeLessThan(ofBench.length);
});

test('a process listens for its end only while a bench has something to undo', () => {
  const listening = () => ['exit', ...endingSignals].map((event) => process.listenerCount(event));
  const before = listening();
  const registered = [undoAtEnd(() => {}), undoAtEnd(() => {})];
  for (const ended of registered) {
    expect(listening()).toEqual(before.map((count) => count + 1));
    ended();
  }
  expect(listening()).toEqual(before);
});

/** A bench that starts a server and prints its process number. */
const holding = `
import { startServer } from ${JSON.stringify(join(import.meta.dir, 'harness/processes.ts'))};
const { pid } = await startServer('bare', [process.execPath, ...process.argv.slice(1)]);
console.log(pid);
setInterval(() => {}, 1000);
`;

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} ends a bench and the server that it started`, async () => {
    const captured = join(temporaryFolder('captured'), 'captured.json');
    writeFileSync(captured, '{"bodies":{}}');
    const bare = join(import.meta.dir, 'servers/bare.ts');
    const bench = Bun.spawn([process.execPath, '-e', holding, bare, captured], { stdout: 'pipe' });
    const reader = bench.stdout.getReader();
    const pid = Number(new TextDecoder().decode((await reader.read()).value));
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    bench.kill(signal);
    expect(await bench.exited).toBe(signal === 'SIGTERM' ? 143 : 130);
    // The bench no longer waits for it.
    while (existsSync(`/proc/${pid}`)) await Bun.sleep(5);
  });
}

test.each(['0', '1.5', '-3', 'all', ''])('an option that takes a whole number above 0 refuses %j', (text) => {
  const message = `--rounds must be a whole number above 0, not ${JSON.stringify(text)}`;
  expect(() => positive('rounds', text)).toThrow(message);
});

const wrongCalls: readonly (readonly [args: readonly string[], message: string])[] = [
  [['--entities', 'many'], '--entities must be a whole number above 0, not "many"'],
  [['--fronts', '0'], '--fronts must be a whole number above 0, not "0"'],
  [['--only', 'lookup,toString'], '--only knows lookup, cost, load, beside, scenarios, cores, not toString'],
  [['--only', ''], '--only knows lookup, cost, load, beside, scenarios, cores, not .'],
  [['lookup'], "Unexpected argument 'lookup'"],
];
for (const [args, message] of wrongCalls) {
  test(`bun run bench ${args.join(' ')} prepares nothing and exits 2`, async () => {
    const data = join(temporaryFolder('none'), 'data');
    const bench = Bun.spawn([process.execPath, join(import.meta.dir, 'run.ts'), '--data', data, ...args], {
      stderr: 'pipe',
    });
    const stderr = await bench.stderr.text();
    expect(await bench.exited).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain('Usage: bun run bench');
    expect(existsSync(data)).toBe(false);
  });
}

test.each([
  ['swap', ['3450000'], "Unexpected argument '3450000'"],
  ['dispatch', ['--question', '5'], "Unknown option '--question'"],
  ['parse', ['--records', 'all'], '--records must be a whole number above 0, not "all"'],
  ['parse', ['--records'], 'argument missing'],
])('the %s bench refuses %j with a sentence before it begins', async (name, args, why) => {
  const script = join(import.meta.dir, name, 'run.ts');
  const refused = Bun.spawn([process.execPath, script, ...args], { stdout: 'pipe', stderr: 'pipe' });
  const told = [refused.stdout, refused.stderr].map((stream) => new Response(stream).text());
  const [output, reason = ''] = await Promise.all(told);
  expect({ status: await refused.exited, output }).toEqual({ status: 2, output: '' });
  expect(reason).toContain(why);
  expect(reason).not.toContain('at ');
});
