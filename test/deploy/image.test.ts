/** Tests the image: built by buildah from the prepared folder, run read-only as its own user, and asked over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { temporaryFolder } from '../support/folders.ts';
import { isInstalled, sayNotRun, titled } from '../support/programs.ts';
import { freePort } from '../support/proxies.ts';

const project = join(import.meta.dir, '..', '..');
const imageBytesMax = 250e6;

/** Building and mounting need a system administrator's rights; root in a container has them if it may mount. */
const mayMount = Bun.spawnSync(['unshare', '--mount', 'true']).success;
if (!mayMount) sayNotRun('tests of the image, because this user may not mount; run them as root');
const runs = isInstalled('buildah') && Bun.which('npm') !== null && mayMount;

/** Runs a program to its end. @returns its standard output @throws with its standard error if it fails */
async function run(...command: readonly string[]): Promise<string> {
  const running = Bun.spawn([...command], {
    env: { ...process.env, BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: 'vfs' },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [text, complaint] = await Promise.all([running.stdout.text(), running.stderr.text()]);
  if ((await running.exited) !== 0) throw new Error(`${command.join(' ')} failed: ${complaint}`);
  return text.trim();
}

interface Image {
  readonly bytes: number;
  readonly user: string;
  readonly environment: readonly string[];
  readonly command: readonly string[];
  readonly volumes: readonly string[];
  /** The folder where the image's files are mounted. */
  readonly root: string;
  remove(): Promise<unknown>;
}

async function buildImage(): Promise<Image> {
  const folder = temporaryFolder('image');
  await run('sh', join(project, 'deploy', 'prepare-image.sh'), folder);
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')];
  const buildah = (...words: readonly string[]) => run('buildah', ...store, ...words);
  await buildah('build', '-t', 'lei', '-f', join(project, 'deploy', 'Containerfile'), folder);
  const inspected = JSON.parse(await buildah('inspect', '--type', 'image', 'lei'));
  const { User, Env, Entrypoint, Cmd, Volumes } = inspected.OCIv1.config;
  const container = await buildah('from', 'lei');
  const root = await buildah('mount', container);
  const bytes = Number((await run('du', '-sb', root)).split('\t')[0]);
  return {
    ...{ bytes, root, user: User, environment: Env, volumes: Object.keys(Volumes) },
    command: [...Entrypoint, ...Cmd],
    remove: () => buildah('rm', '--all'),
  };
}

describe.skipIf(!runs)(titled('the image', 'buildah'), () => {
  let image: Image;
  let service: Bun.Subprocess<'ignore', 'pipe', 'pipe'>;
  const [port, admin] = [freePort(), freePort()];
  beforeAll(async () => {
    image = await buildImage();
    const own = { LEI_PORT: String(port), LEI_HOST: '127.0.0.1', LEI_ADMIN: `127.0.0.1:${admin}` };
    const set = Object.fromEntries(image.environment.map((each) => each.split(/=(.*)/s).slice(0, 2)));
    const runner = join(import.meta.dir, 'run-in-root.sh');
    service = Bun.spawn(['unshare', '--mount', 'sh', runner, image.root, ...image.command], {
      env: { PATH: process.env['PATH'] ?? '', ...set, ...own },
      ...({ stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' } as const),
    });
    await listening(service);
  }, 240_000);
  afterAll(async () => {
    service?.kill();
    await service?.exited;
    await image?.remove();
  }, 60_000);

  test('is small, and has its own user and one volume', () => {
    expect(image.bytes).toBeLessThan(imageBytesMax);
    expect([image.user, image.volumes]).toEqual(['10001:10001', ['/data']]);
  });

  test('answers from the sample and reports ready', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/search?q=deutche+bank`);
    expect(await answer.json()).toMatchObject({ data: { items: [{ lei: '7LTWFZYICNSX8D621K86' }] } });
    expect(await (await fetch(`http://127.0.0.1:${admin}/readyz`)).text()).toBe('ok\n');
    const metrics = await (await fetch(`http://127.0.0.1:${admin}/metrics`)).text();
    expect(metrics).toContain(`lei_build_info{version="${packageJson.version}"`);
  });

  test('runs as an unprivileged user with a read-only root file system', () => {
    const processFolder = `/proc/${service.pid}`;
    expect(readFileSync(`${processFolder}/status`, 'utf8')).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m);
    const mounts = readFileSync(`${processFolder}/mountinfo`, 'utf8').split('\n');
    const optionsOf = (path: string) =>
      mounts.findLast((line) => line.split(' ')[4] === path)?.split(' ')[5] ?? '';
    expect(optionsOf('/')).toStartWith('ro');
    expect(optionsOf('/data')).toStartWith('rw');
  });

  test('stops cleanly at SIGTERM', async () => {
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
  });
});

/** Resolves once the service says where it listens. @throws with its output if it does not */
async function listening(service: Bun.Subprocess<'ignore', 'pipe', 'pipe'>): Promise<void> {
  const reader = service.stdout.getReader();
  const { value } = await reader.read();
  reader.releaseLock();
  const said = new TextDecoder().decode(value);
  if (!said.startsWith('Listening')) throw new Error(`${said} ${await service.stderr.text()}`);
}
