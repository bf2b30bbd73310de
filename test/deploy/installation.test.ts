/**
 * Tests what deploy/ installs: the units of systemd and the image. root installs the packages of production once; then
 * both start without a network, as another user, from files that can't be written.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import packageLock from '../../package-lock.json' with { type: 'json' };
import { temporaryFolder } from '../support/folders.ts';
import { heard } from '../support/process-group.ts';
import { isInstalled, sayNotRun, titled } from '../support/programs.ts';
import { endOf } from '../support/run-lei.ts';
import { readText, root } from '../support/source-tree.ts';

/** Tens of thousands of files take their time on a busy machine. */
const removalTimeoutMs = 240_000;

/** Namespaces and mounting need a system administrator's rights; root in a container has them if it may mount. */
const mayIsolate = Bun.spawnSync(['unshare', '--mount', '--net', 'ip', 'link', 'set', 'lo', 'up']).success;
if (!mayIsolate)
  sayNotRun(
    'tests of installations, because this user may not mount and cut the network off; run them as root',
  );

/** Runs a program to its end. @returns its standard output @throws with its standard error if it fails */
async function run(environment: Readonly<Record<string, string>>, ...command: string[]): Promise<string> {
  const env = { ...process.env, ...environment };
  const { code, stdout, stderr } = await endOf(
    Bun.spawn(command, { env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' }),
  );
  if (code !== 0) throw new Error(`${command.join(' ')} failed: ${stderr}`);
  return stdout.trim();
}

const unitFile = (name: string) => readText(`deploy/systemd/${name}`);

/** All values that a unit gives for a name. */
const valuesOf = (unit: string, name: string) =>
  Array.from(unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm')), ([, value = '']) => value);

/** The folders of the packages of production that this project has installed for this machine, and their programs. */
function installedPackages(): string[] {
  const packages = Object.entries(packageLock.packages)
    .filter(([path, described]) => path !== '' && !('dev' in described) && existsSync(join(root, path)))
    .map(([path]) => path);
  return [...packages, 'node_modules/.bin'];
}

/**
 * Installs the program as the header of lei.service says. The packages lie there already, so that npm only checks them:
 * to fetch and unpack them takes it 17 seconds of processor time. In `npm run test:long` it does.
 * @returns the folder, or null if there is no npm or no network to fetch packages from
 */
async function install(): Promise<string | null> {
  const folder = join(temporaryFolder('installation'), 'lei');
  mkdirSync(folder);
  const packages = process.env['LONG_INSTALL'] === undefined ? installedPackages() : [];
  const program = ['package.json', 'package-lock.json', 'src', 'workers', 'docs', 'data/sample', 'deploy'];
  for (const each of [...program, ...packages])
    cpSync(join(root, each), join(folder, each), { recursive: true, verbatimSymlinks: true });
  const command = /once as root,.*?: (sh \S+ --version)\./s.exec(unitFile('lei.service'))?.[1] ?? '';
  const here = command.replace('/opt/lei', folder).split(' ');
  try {
    expect(await run({ npm_config_prefer_offline: 'true' }, ...here)).toBe(packageJson.version);
  } catch (error) {
    if (!/ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT/.test(String(error))) throw error;
    sayNotRun('tests of installations, because npm has no network to fetch the packages from');
    return null;
  }
  return folder;
}

const installation = mayIsolate && Bun.which('npm') !== null ? await install() : null;
if (installation !== null) afterAll(() => rm(installation, { recursive: true }), removalTimeoutMs);

/** A service in its own namespaces, to which only programs in the same namespaces can connect. */
interface Isolated {
  readonly pid: number;
  /** Its standard error. */
  readonly stderr: Promise<string>;
  /** @returns the body of an answer */
  ask(url: string): Promise<string>;
  stop(): Promise<number>;
}

/** Starts a service by a script that gives it its own view of the disk; resolves once it answers. */
async function startIsolated(
  script: string,
  env: Readonly<Record<string, string>>,
  folder: string,
  command: readonly string[],
): Promise<Isolated> {
  const started = Bun.spawn(
    ['unshare', '--mount', '--net', 'sh', join(import.meta.dir, script), folder, ...command],
    { env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
  );
  const stderr = started.stderr.text();
  await heard(started.stdout, /Listening/).catch(async () => {
    throw new Error(await stderr);
  });
  const fetching = (url: string) => `console.log(await (await fetch(${JSON.stringify(url)})).text())`;
  return {
    pid: started.pid,
    stderr,
    ask: (url) =>
      run({}, 'nsenter', `--net=/proc/${started.pid}/ns/net`, process.execPath, '-e', fetching(url)),
    async stop() {
      started.kill('SIGTERM');
      return await started.exited;
    },
  };
}

async function expectSample(service: Isolated): Promise<void> {
  const answer = JSON.parse(await service.ask('http://127.0.0.1:3000/api/v1/search?q=deutche+bank'));
  expect(answer).toMatchObject({ data: { items: [{ lei: '7LTWFZYICNSX8D621K86' }] } });
  expect(await service.ask('http://127.0.0.1:3001/readyz')).toBe('ok');
}

/** The four user ids of a process. */
const usersOf = ({ pid }: Isolated) =>
  /^Uid:\t(.*)$/m
    .exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    ?.split('\t')
    .map(Number);

/** The options of the last mount at a path, as a process sees it. */
function mountedAt(path: string, { pid }: Isolated): string {
  const mounts = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').split('\n');
  return mounts.findLast((line) => line.split(' ')[4] === path)?.split(' ')[5] ?? '';
}

describe.skipIf(installation === null)('the installation for systemd', () => {
  const folder = installation ?? '';
  /** What systemd gives the programs of a unit. */
  const environmentOf = (unit: string) => ({
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin',
    HOME: '/var/lib/lei',
    ...Object.fromEntries(
      valuesOf(unit, 'Environment').flatMap((line) =>
        line.split(' ').map((each) => each.split(/=(.*)/s).slice(0, 2)),
      ),
    ),
  });
  const commandOf = (unit: string) => valuesOf(unit, 'ExecStart').flatMap((line) => line.split(' '));
  const script = 'run-as-unit.sh';
  const unit = unitFile('lei.service');
  let service: Isolated;
  beforeAll(async () => {
    const environment = { ...environmentOf(unit), LEI_DRAIN_SECONDS: '0' };
    service = await startIsolated(script, environment, folder, commandOf(unit));
  });

  test('answers from the sample without a network, as another user than the one who installed it', async () => {
    await expectSample(service);
    expect(usersOf(service)).toEqual([10002, 10002, 10002, 10002]);
    expect(mountedAt('/opt/lei', service)).toStartWith('ro');
  });

  test('runs commands as the header of the unit shows', async () => {
    const command = /LEI_DATA_DIR=\/var\/lib\/lei (sh .*lei\.sh) doctor$/m.exec(unit)?.[1]?.split(' ') ?? [];
    const inside = [
      'nsenter',
      `--target=${service.pid}`,
      '--mount',
      '--net',
      '--setuid=10002',
      '--setgid=10002',
    ];
    const status = JSON.parse(await run(environmentOf(unit), ...inside, ...command, 'status', '--json'));
    expect(status).toMatchObject({ running: true, status: 'ok' });
  });

  test('installs nothing and stops cleanly at SIGTERM', async () => {
    expect(await service.stop()).toBe(0);
    expect(await service.stderr).not.toContain('Installing');
  });

  test('updates get as far as the publisher, and stop cleanly at SIGTERM', async () => {
    const update = unitFile('lei-update.service');
    const command = ['sh', join(import.meta.dir, script), folder, ...commandOf(update)];
    const updating = Bun.spawn(['unshare', '--mount', '--net', ...command], {
      env: environmentOf(update),
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [beginning, all] = updating.stderr.tee();
    // Without a network it would try for another 15 seconds.
    await heard(beginning, /goldencopy\.gleif\.org.* trying again/);
    updating.kill('SIGTERM');
    const [code, stderr] = await Promise.all([updating.exited, new Response(all).text()]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('interrupted') });
    expect(stderr).not.toContain('Installing');
  });
});

interface Image {
  /** Its files, in MB. */
  readonly megabytes: number;
  readonly user: string;
  readonly environment: readonly string[];
  readonly command: readonly string[];
  readonly volumes: readonly string[];
  /** The folder where the image's files are mounted. */
  readonly root: string;
  remove(): Promise<unknown>;
}

/** The network is cut off for the script that prepares the image, too: everything is installed. */
async function buildImage(installed: string): Promise<Image> {
  const folder = temporaryFolder('image');
  await run({}, 'unshare', '--net', 'sh', join(installed, 'deploy', 'prepare-image.sh'), folder);
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')];
  // It collects garbage so seldom that it has 65 MB instead of 45, and takes a tenth less time.
  const environment = { BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: 'vfs', GOGC: '800' };
  const buildah = (...words: readonly string[]) => run(environment, 'buildah', ...store, ...words);
  await buildah('build', '-t', 'lei', '-f', join(installed, 'deploy', 'Containerfile'), folder);
  const inspected = JSON.parse(await buildah('inspect', '--type', 'image', 'lei'));
  const { User, Env, Entrypoint, Cmd, Volumes } = inspected.OCIv1.config;
  const container = await buildah('from', 'lei');
  const mounted = await buildah('mount', container);
  const bytes = Number((await run({}, 'du', '-sb', mounted)).split('\t')[0]);
  return {
    ...{ megabytes: bytes / 1e6, root: mounted, user: User, environment: Env, volumes: Object.keys(Volumes) },
    command: [...Entrypoint, ...Cmd],
    async remove() {
      await buildah('rm', '--all');
      await rm(folder, { recursive: true });
    },
  };
}

const runsImage = isInstalled('buildah') && installation !== null;

describe.skipIf(!runsImage)(titled('the image', 'buildah'), () => {
  let image: Image;
  let service: Isolated;
  beforeAll(async () => {
    image = await buildImage(installation ?? '');
    const set = Object.fromEntries(image.environment.map((each) => each.split(/=(.*)/s).slice(0, 2)));
    const env = { PATH: process.env['PATH'] ?? '', ...set };
    service = await startIsolated('run-in-root.sh', env, image.root, image.command);
  }, 240_000);
  afterAll(() => image?.remove(), removalTimeoutMs);

  test('is as small as the page says, and has its own user and one volume', () => {
    const said = Number(/shell and package manager, (\d+) MB/.exec(readText('docs/run-the-service.md'))?.[1]);
    expect(image.megabytes).toBeWithin(said * 0.95, said * 1.05);
    expect([image.user, image.volumes]).toEqual(['10001:10001', ['/data']]);
  });

  test('answers from the sample without a network and reports ready', async () => {
    await expectSample(service);
    const metrics = await service.ask('http://127.0.0.1:3001/metrics');
    expect(metrics).toContain(`lei_build_info{version="${packageJson.version}"`);
    const guide = await service.ask('http://127.0.0.1:3000/docs/use-the-api');
    expect(guide).toContain('<h1>Use the API</h1>');
  });

  test('runs as an unprivileged user with a read-only root file system', () => {
    expect(usersOf(service)).toEqual([10001, 10001, 10001, 10001]);
    expect(mountedAt('/', service)).toStartWith('ro');
    expect(mountedAt('/data', service)).toStartWith('rw');
  });

  test('stops cleanly at SIGTERM', async () => {
    expect(await service.stop()).toBe(0);
  });
});
