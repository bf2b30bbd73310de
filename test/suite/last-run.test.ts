import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folders.ts';
import { costsIn, filesOf } from './last-run.ts';

test('the files of a run are read with their times and the names of their tests, groups included', async () => {
  const path = join(temporaryFolder('junit'), 'junit.xml');
  await Bun.write(
    path,
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="bun test" tests="3" time="0.4">
  <testsuite name="test/a.test.ts" file="test/a.test.ts" time="0.25">
    <testcase name="alone" classname="" time="0.2" />
    <testsuite name="A &amp; B" file="test/a.test.ts" time="0">
      <testsuite name="inside" file="test/a.test.ts" time="0"><testcase name="&quot;deep&quot;" /></testsuite>
      <testcase name="fails"><failure message="no" /></testcase>
    </testsuite>
  </testsuite>
  <testsuite name="test/b.test.ts" file="test/b.test.ts" time="0.125"><testcase name="alone" /></testsuite>
</testsuites>`,
  );
  expect([...filesOf(path)]).toEqual([
    [
      'test/a.test.ts',
      {
        seconds: 0.25,
        tests: ['alone', 'A & B > inside > "deep"', 'A & B > fails'],
        failed: ['A & B > fails'],
        messages: ['no'],
      },
    ],
    ['test/b.test.ts', { seconds: 0.125, tests: ['alone'], failed: [], messages: [] }],
  ]);
});

test('a file costs what its process took since its file before', () => {
  const lines = [
    { pid: 1, file: 'test/a.test.ts', ticks: 150 },
    { pid: 2, file: 'test/b.test.ts', ticks: 30 },
    { pid: 1, file: 'test/c.test.ts', ticks: 175 },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  expect([...costsIn(text)]).toEqual([
    ['test/a.test.ts', 1.5],
    ['test/b.test.ts', 0.3],
    ['test/c.test.ts', 0.25],
  ]);
});

test('a file of the run that goes on costs its children too', async () => {
  const folder = temporaryFolder('costs');
  const costs = join(folder, 'costs.jsonl');
  // Work of a child that nobody can optimise away: a fifth of a second or more. Each look at the clock costs as well.
  const works =
    'while (process.cpuUsage().user < 200_000) for (let turn = 0; turn < 1_000_000; turn++) globalThis.done = turn;';
  const busy = `Bun.spawnSync([process.execPath, '-e', '${works}'])`;
  await Bun.write(
    join(folder, 'busy.test.ts'),
    `import { test } from 'bun:test';\ntest('works', () => void ${busy});\n`,
  );
  const preload = join(import.meta.dir, '..', 'support', 'file-cost.ts');
  const ran = Bun.spawn([process.execPath, 'test', '--preload', preload, './busy.test.ts'], {
    cwd: folder,
    env: { ...process.env, TESTS_COSTS: costs },
    stdout: 'ignore',
    stderr: 'ignore',
  });
  expect(await ran.exited).toBe(0);
  const [[file = '', cost] = []] = costsIn(await Bun.file(costs).text());
  expect(file).toEndWith('busy.test.ts');
  expect(cost).toBeGreaterThanOrEqual(process.platform === 'linux' ? 0.2 : 0);
});
