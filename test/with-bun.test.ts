/** with-bun.sh, the script before everything else, with package managers that note how they are called. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string;
let project: string;
let elsewhere: string;
let path: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'lei-with-bun-')));
  project = join(folder, 'a project');
  elsewhere = join(folder, 'elsewhere');
  path = join(folder, 'path');
  for (const each of [join(project, 'src'), elsewhere, path]) mkdirSync(each, { recursive: true });
  for (const name of ['with-bun.sh', 'lei.sh']) {
    cpSync(join(import.meta.dir, '../src', name), join(project, 'src', name));
  }
  writeFileSync(join(project, 'package-lock.json'), '{"lockfileVersion":3}');
  for (const tool of ['sh', 'cmp', 'cp', 'dirname', 'readlink', 'mkdir', 'cat', 'chmod']) {
    symlinkSync(Bun.which(tool) ?? tool, join(path, tool));
  }
});
afterEach(() => rm(folder, { recursive: true }));

function script(file: string, ...lines: readonly string[]): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, ['#!/bin/sh', ...lines, ''].join('\n'));
  chmodSync(file, 0o755);
}

/** A pinned Bun that prints its path, its folder and its arguments. */
const bunLines = [
  '[ "$1" = --version ] && { echo 1.4.5; exit; }',
  '[ "$1" = -p ] && { echo 2; exit; }',
  'echo "$0|$PWD|$*"',
  'exit 7',
];

/** A package manager that "installs" the pinned Bun. */
function packageManager(name: string): void {
  script(
    join(path, name),
    `echo "${name} $*" >> "${folder}/calls"`,
    'mkdir -p node_modules/.bin',
    `cp "${folder}/bun" node_modules/.bin/bun`,
  );
  script(join(folder, 'bun'), ...bunLines);
}

const calls = () =>
  existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n') : [];

const run = (command: string, ...args: readonly string[]) => runWith({}, command, ...args);

async function runWith(
  environment: Readonly<Record<string, string>>,
  command: string,
  ...args: readonly string[]
) {
  const ran = Bun.spawn(['/bin/sh', join(project, 'src', command), ...args], {
    cwd: elsewhere,
    env: { PATH: path, ...environment },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr] = await Promise.all([
    new Response(ran.stdout).text(),
    new Response(ran.stderr).text(),
  ]);
  return { code: await ran.exited, stdout: stdout.trim(), stderr: stderr.trim() };
}

const bun = () => join(project, 'node_modules/.bin/bun');

test('installs the locked packages with npm, then runs the pinned Bun from the caller’s folder', async () => {
  packageManager('npm');
  packageManager('bun');
  const { code, stdout, stderr } = await run('with-bun.sh', 'run', 'a file.ts');
  expect({ code, stdout }).toEqual({ code: 7, stdout: `${bun()}|${elsewhere}|run a file.ts` });
  expect(stderr).toBe('Installing the packages of package-lock.json ...');
  expect(calls()).toEqual(['npm install --no-save --include=dev --no-fund --no-audit --loglevel=error']);
});

test('installs once, and again when the lock file changes', async () => {
  packageManager('npm');
  await run('with-bun.sh');
  expect((await run('with-bun.sh')).stderr).toBe('');
  expect(calls()).toHaveLength(1);
  writeFileSync(join(project, 'package-lock.json'), '{"lockfileVersion":3,"changed":true}');
  await run('with-bun.sh');
  expect(calls()).toHaveLength(2);
});

test('installs with any Bun on a machine without npm', async () => {
  packageManager('bun');
  expect((await run('with-bun.sh')).code).toBe(7);
  expect(calls()).toEqual(['bun install --frozen-lockfile']);
});

test('says what is missing on a machine with neither npm nor Bun', async () => {
  const { code, stderr } = await run('with-bun.sh');
  expect(code).toBe(1);
  expect(stderr).toEndWith(
    'lei: neither npm nor bun was found; install Node.js 20 or later, or Bun 1.4 or later.',
  );
});

/** A Bun that prints its setting for the growth of heaps; a file holds the number of usable cores. */
function bunThatTellsGrowth() {
  packageManager('npm');
  writeFileSync(join(folder, 'cores'), '2');
  script(
    join(folder, 'bun'),
    'case $1 in',
    '--version) ;;',
    // Bun fails where this setting is empty.
    `-p) [ -n "\${BUN_JSC_heapGrowthMaxIncrease-unset}" ] && cat "${folder}/cores" ;;`,
    '*) echo "$BUN_JSC_heapGrowthMaxIncrease" ;;',
    'esac',
  );
}

test('lets heaps grow by a share of their size that shrinks with the number of query threads, unless the caller sets it', async () => {
  bunThatTellsGrowth();
  const growth = async (environment: Record<string, string>) =>
    (await runWith(environment, 'with-bun.sh')).stdout;
  expect(await growth({ LEI_WORKERS: '1' })).toBe('1');
  expect(await growth({ LEI_WORKERS: '2' })).toBe('0.400');
  expect(await growth({ LEI_WORKERS: '8' })).toBe('0.100');
  expect(await growth({ LEI_WORKERS: '256' })).toBe('0.003');
  expect(await growth({ LEI_WORKERS: '2', BUN_JSC_heapGrowthMaxIncrease: '2' })).toBe('2');
  for (const [cores, share] of [
    [1, '1'],
    [2, '1'],
    [5, '0.200'],
  ] as const) {
    writeFileSync(join(folder, 'cores'), String(cores));
    expect(await growth({})).toBe(share);
    expect(await growth({ BUN_JSC_heapGrowthMaxIncrease: '' })).toBe(share);
  }
});

test('leaves the refusal of a wrong number of query threads to the settings', async () => {
  bunThatTellsGrowth();
  for (const workers of ['08', '0', '-1', 'many', '1e3', '99999999999999999999', '']) {
    const { code, stdout, stderr } = await runWith({ LEI_WORKERS: workers }, 'lei.sh');
    expect({ code, stdout: /^(1|0\.\d{3})$/.test(stdout) }).toEqual({ code: 0, stdout: true });
    expect(stderr).not.toContain('expression');
  }
});

test('tries again after a failed installation', async () => {
  script(join(path, 'npm'), 'exit 1');
  expect((await run('with-bun.sh')).code).toBe(1);
  packageManager('npm');
  expect((await run('with-bun.sh')).code).toBe(7);
});

test('runs the binary of the platform’s package where blocked install scripts left a placeholder', async () => {
  script(join(folder, 'placeholder'), 'echo "postinstall was not run" >&2', 'exit 1');
  script(join(folder, 'bun'), ...bunLines);
  script(
    join(path, 'npm'),
    'mkdir -p node_modules/.bin node_modules/@oven/bun-linux-x64/bin',
    `cp "${folder}/placeholder" node_modules/.bin/bun`,
    `cp "${folder}/bun" node_modules/@oven/bun-linux-x64/bin/bun`,
  );
  const { stdout } = await run('with-bun.sh');
  expect(stdout).toStartWith(`${join(project, 'node_modules/@oven/bun-linux-x64/bin/bun')}|`);
});

test('says so when the pinned Bun does not start', async () => {
  script(join(path, 'npm'), 'mkdir -p node_modules');
  const { code, stderr } = await run('with-bun.sh');
  expect(code).toBe(1);
  expect(stderr).toContain('the pinned Bun in node_modules does not start');
});

test('runs behind a link to lei.sh with unchanged arguments', async () => {
  packageManager('npm');
  const link = join(path, 'lei');
  symlinkSync(join(project, 'src/lei.sh'), link);
  const ran = Bun.spawn(['/bin/sh', link, 'load', 'a file.zip'], {
    cwd: elsewhere,
    env: { PATH: path },
    stdout: 'pipe',
    stderr: 'ignore',
  });
  expect((await new Response(ran.stdout).text()).trim()).toBe(
    `${bun()}|${elsewhere}|${join(project, 'src/cli.ts')} load a file.zip`,
  );
});
