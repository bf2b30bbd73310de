/** Tests the scripts that run before everything else, with package managers that record how they are called. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sayNotRun } from './support/programs.ts';
import { endOf } from './support/run-lei.ts';

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
  for (const name of ['with-bun.sh', 'lei.sh', 'as-caller.sh']) {
    cpSync(join(import.meta.dir, '../src', name), join(project, 'src', name));
  }
  writeFileSync(join(project, 'package-lock.json'), '{"lockfileVersion":3}');
  for (const tool of ['sh', 'cmp', 'cp', 'dirname', 'readlink', 'mkdir', 'cat', 'chmod', 'rm', 'printenv']) {
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
const bunLines = ['[ "$1" = --version ] && { echo 1.4.5; exit; }', 'echo "$0|$PWD|$*"', 'exit 7'];

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
  const { code, stdout, stderr } = await endOf(ran);
  return { code, stdout: stdout.trim(), stderr: stderr.trim() };
}

/** The package whose presence tells src/with-bun.sh that packages for development are installed. */
const developmentOnly =
  /^development="\$root\/node_modules\/(.+)"$/m.exec(
    readFileSync(join(import.meta.dir, '../src/with-bun.sh'), 'utf8'),
  )?.[1] ?? '';

const bun = () => join(project, 'node_modules/.bin/bun');

test('installs the locked packages with npm, then runs the pinned Bun from the caller’s folder', async () => {
  packageManager('npm');
  packageManager('bun');
  const { code, stdout, stderr } = await run('with-bun.sh', 'run', 'a file.ts');
  expect({ code, stdout }).toEqual({ code: 7, stdout: `${bun()}|${elsewhere}|run a file.ts` });
  expect(stderr).toBe('Installing the packages of package-lock.json ...');
  expect(calls()).toEqual(['npm install --no-save --include=dev --no-fund --no-audit --loglevel=error']);
});

test('installs for lei without development packages, and adds those once something else needs them', async () => {
  packageManager('npm');
  const flags = '--no-fund --no-audit --loglevel=error';
  await run('lei.sh', 'status');
  await run('lei.sh', 'status');
  expect(calls()).toEqual([`npm install --no-save --omit=dev ${flags}`]);
  await run('with-bun.sh', 'test');
  expect(calls().slice(1)).toEqual([`npm install --no-save --include=dev ${flags}`]);
});

test('keeps development packages that are there', async () => {
  packageManager('npm');
  mkdirSync(join(project, 'node_modules', developmentOnly), { recursive: true });
  await run('lei.sh', 'status');
  expect(calls()).toEqual(['npm install --no-save --include=dev --no-fund --no-audit --loglevel=error']);
});

test('takes a package that an installation for the service has, too, for no sign of development', async () => {
  packageManager('npm');
  mkdirSync(join(project, 'node_modules/typescript'), { recursive: true });
  await run('lei.sh', 'status');
  expect(calls()).toEqual(['npm install --no-save --omit=dev --no-fund --no-audit --loglevel=error']);
});

test('knows development by a package that the lock file leaves to development alone', () => {
  const lock = JSON.parse(readFileSync(join(import.meta.dir, '../package-lock.json'), 'utf8'));
  expect(lock.packages[`node_modules/${developmentOnly}`]).toMatchObject({ dev: true });
});

test('tells a user who may not write who has to install the packages', async () => {
  packageManager('npm');
  mkdirSync(join(project, 'node_modules'));
  for (const each of [folder, join(folder, 'bun')]) chmodSync(each, 0o755);
  chmodSync(join(project, 'node_modules'), 0o555);
  const command = ['/bin/sh', join(project, 'src/lei.sh'), 'serve'];
  const asOther =
    process.getuid?.() === 0 ? [Bun.which('setpriv') ?? 'setpriv', '--reuid=65534', '--clear-groups'] : [];
  const ran = Bun.spawn([...asOther, ...command], { env: { PATH: path }, stdout: 'pipe', stderr: 'pipe' });
  expect(await endOf(ran)).toEqual({
    code: 1,
    stdout: '',
    stderr: `lei: The packages of package-lock.json are not all installed, and this user can't write to ${project}/node_modules. Run this as the user who owns that folder: sh ${project}/src/lei.sh --version\n`,
  });
  expect(calls()).toEqual([]);
});

test('installs packages that every user can read', async () => {
  packageManager('npm');
  const command = 'umask 077; exec /bin/sh "$0" status';
  const ran = Bun.spawn(['/bin/sh', '-c', command, join(project, 'src/lei.sh')], {
    env: { PATH: path },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  await endOf(ran);
  for (const each of [join(project, 'node_modules'), bun()]) expect(statSync(each).mode & 0o777).toBe(0o755);
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

test('installs for lei with any Bun without development packages', async () => {
  packageManager('bun');
  await run('lei.sh', 'status');
  expect(calls()).toEqual(['bun install --frozen-lockfile --production']);
});

test('says what is missing on a machine with neither npm nor Bun', async () => {
  const { code, stderr } = await run('with-bun.sh');
  expect(code).toBe(1);
  expect(stderr).toEndWith(
    'lei: neither npm nor bun was found; install Node.js with npm, or Bun 1.4.5 or later.',
  );
});

const memorySettings = [
  'BUN_JSC_heapGrowthMaxIncrease',
  'BUN_JSC_heapGrowthFunctionThresholdInMB',
  'MIMALLOC_PURGE_DELAY',
];

/** A Bun that prints its settings for memory: the growth of heaps, its threshold, and when freed memory is given back. */
function bunThatTellsMemory() {
  packageManager('npm');
  script(
    join(folder, 'bun'),
    'case $1 in',
    '--version) ;;',
    `*) echo $(for name in ${memorySettings.join(' ')}; do printenv $name || echo unset; done) ;;`,
    'esac',
  );
}

test('limits the growth of the service’s heaps and keeps freed memory, unless the caller sets it', async () => {
  bunThatTellsMemory();
  const memory = async (environment: Record<string, string>) =>
    (await runWith(environment, 'lei.sh', 'serve')).stdout;
  expect(await memory({})).toBe('0.6 0 -1');
  expect(await memory({ LEI_WORKERS: '16' })).toBe('0.6 0 -1');
  expect(await memory({ BUN_JSC_heapGrowthMaxIncrease: '2', MIMALLOC_PURGE_DELAY: '100' })).toBe('2 0 100');
  expect(await memory({ BUN_JSC_heapGrowthMaxIncrease: '', MIMALLOC_PURGE_DELAY: '' })).toBe('0.6 0 -1');
  const image = readFileSync(join(import.meta.dir, '../deploy/Containerfile'), 'utf8');
  const inImage = (name: string) => new RegExp(`${name}=(\\S+)`).exec(image)?.[1];
  expect(memorySettings.map(inImage)).toEqual(['0.6', '0', '-1']);
});

test('lets every command keep freed memory, and gives none a setting of the service’s', async () => {
  bunThatTellsMemory();
  const unset = 'unset unset -1';
  for (const command of ['generate', 'load', 'update', 'status']) {
    expect((await runWith({}, 'lei.sh', command)).stdout).toBe(unset);
  }
  expect((await runWith({}, 'with-bun.sh', 'test')).stdout).toBe(unset);
  expect((await runWith({ BUN_JSC_heapGrowthMaxIncrease: '' }, 'lei.sh', 'load')).stdout).toBe(unset);
  const own = { BUN_JSC_heapGrowthMaxIncrease: '2' };
  expect((await runWith(own, 'lei.sh', 'load')).stdout).toBe('2 unset -1');
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

/** The real package manager runs a script of the real package.json; the pinned Bun prints its folder and arguments. */
async function runScript(from: string, command: readonly string[], environment: Record<string, string> = {}) {
  cpSync(join(import.meta.dir, '../package.json'), join(project, 'package.json'));
  mkdirSync(from, { recursive: true });
  script(bun(), ...bunLines.slice(0, 1), 'echo "$LEI_DATA_DIR|$PWD|$*"');
  for (const stamp of ['.installed-lock.json', '.installed-lock.service.json'])
    cpSync(join(project, 'package-lock.json'), join(project, 'node_modules', stamp));
  const ran = Bun.spawn([...command], {
    cwd: from,
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  return (await new Response(ran.stdout).text()).trim();
}

test("lei.sh runs in the caller's folder, wherever in the project that is", async () => {
  const command = ['/bin/sh', join(project, 'src/lei.sh'), 'load', 'a file.zip'];
  for (const from of ['.', 'data', 'data/sample'].map((each) => join(project, each))) {
    const shown = await runScript(from, command);
    expect(shown).toBe(`|${from}|${join(project, 'src/cli.ts')} load a file.zip`);
  }
});

const scripts = {
  npm: [Bun.which('npm') ?? '', 'run', '-s', 'lei', '--'],
  bun: [process.execPath, 'run', '--silent', 'lei'],
} as const;

if (scripts.npm[0] === '')
  sayNotRun('tests of npm run lei: npm is not in the PATH; apt-get install npm brings it');

for (const [name, command] of Object.entries(scripts)) {
  test.skipIf(command[0] === '')(
    `${name} run lei runs in the caller's folder, on the project's data`,
    async () => {
      const inProject = ['.', 'data', 'data/sample'].map((each) => join(project, each));
      for (const from of inProject) {
        expect(await runScript(from, [...command, 'load', 'a file.zip'])).toBe(
          `${join(project, 'data')}|${from}|${join(project, 'src/cli.ts')} load a file.zip`,
        );
      }
    },
  );
}

test.skipIf(scripts.npm[0] === '')('npm run lei runs in a folder outside of the project, too', async () => {
  const [npm, ...rest] = scripts.npm;
  const outside = [npm, '--prefix', project, ...rest, 'load', 'x.zip'];
  expect(await runScript(elsewhere, outside)).toBe(
    `${join(project, 'data')}|${elsewhere}|${join(project, 'src/cli.ts')} load x.zip`,
  );
});

test.skipIf(scripts.npm[0] === '')(
  'npm run lei does not change a data folder that the caller chose',
  async () => {
    const written = await runScript(join(project, 'src'), [...scripts.npm, 'status'], {
      LEI_DATA_DIR: '../mine',
    });
    expect(written).toStartWith(`../mine|${join(project, 'src')}|`);
  },
);
