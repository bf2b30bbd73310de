import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folders.ts';
import { root } from './last-run.ts';

const steady = `test('holds', () => {});`;
const failing = `test('fails', () => expect(1).toBe(2));`;
/** Fails in the first run, and passes in the second. */
const unsteady = `describe('group', () => {
  test('fails once', async () => {
    const mark = Bun.file(import.meta.path + '.ran');
    const ranBefore = await mark.exists();
    await Bun.write(mark, '');
    expect(ranBefore).toBe(true);
  });
});`;
/** Fails without a test that fails. */
const broken = `throw new Error('outside of any test');`;
/** Says what a failed property says. */
const property = unsteady.replace(
  'expect(ranBefore).toBe(true)',
  "if (!ranBefore) throw new Error('Property failed after 4 tests')",
);
const crashing = unsteady.replace(
  'expect(ranBefore).toBe(true)',
  "if (!ranBefore) process.kill(process.pid, 'SIGKILL')",
);

/** Runs test/run.sh over files with these contents. */
async function run(files: Readonly<Record<string, string>>, ...args: string[]) {
  const folder = temporaryFolder('again');
  for (const [name, content] of Object.entries(files))
    await Bun.write(
      join(folder, `${name}.test.ts`),
      `import { describe, expect, test } from 'bun:test';\n${content}\n`,
    );
  const results = join(folder, 'results');
  // Colours must not hide the summary of a run.
  const env = { ...process.env, TESTS_RESULTS: results, TESTS_AGAIN: 'on', FORCE_COLOR: '1' };
  const ran = Bun.spawn(['sh', join(root, 'test', 'run.sh'), ...args], {
    cwd: folder,
    env,
    stderr: 'pipe',
  });
  return { printed: await ran.stdout.text(), status: await ran.exited, env };
}

const mendIt = `1 file failed beside others and passed alone: a fault of the test, mend it:
  unsteady.test.ts: group > fails once`;

test('a file that fails beside others and passes alone is named, and does not fail the run', async () => {
  const { status, printed, env } = await run({ steady, unsteady });
  expect(printed).toContain(mendIt);
  expect(printed).not.toContain('Failed beside others and alone');
  expect(status).toBe(0);
  const times = Bun.spawnSync([process.execPath, join(root, 'test', 'suite', 'times.ts')], { env });
  expect(times.stdout.toString()).toContain(mendIt);
});

test('a file that fails beside others and alone fails the run', async () => {
  const { status, printed } = await run({ steady, unsteady, failing });
  expect(printed).toContain(mendIt);
  expect(printed).toContain('Failed beside others and alone:\n  failing.test.ts');
  expect(status).toBe(1);
});

const six = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`unsteady-${index}`, unsteady]));

test.each([
  ['more files fail than a starved moment explains', { steady, ...six }, []],
  ['a file breaks outside of its tests', { steady, unsteady, broken }, []],
  ['a property does not hold', { steady, property }, []],
  ['a process crashes', { steady, crashing }, []],
  ['only one file ran', { unsteady }, []],
  ['options are given', { steady, unsteady }, ['--bail=9']],
])('the first result stands if %s', async (_, files, args) => {
  const { status, printed } = await run(files, ...args);
  expect(printed).not.toContain('passed alone');
  expect(status).toBe(1);
});

test('a file whose process ends is named behind the summary, with how it ended', async () => {
  const { printed } = await run({ steady, leaving: `test('leaves', () => process.exit(129));` });
  const [, behind = ''] = Bun.stripANSI(printed).split(/^Ran .*/m);
  expect(behind).toContain('leaving.test.ts (worker crashed: exit code 129)');
});

test('a run without failures runs nothing again', async () => {
  const { status, printed } = await run({ steady, other: steady });
  expect(printed).not.toContain('again');
  expect(status).toBe(0);
});
