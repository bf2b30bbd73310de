/**
 * Tests what goes wrong around a load, on the real programs: killed processes, full and read-only disks, flipped bits.
 */
import { beforeAll, describe, expect, spyOn, test } from 'bun:test';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { runLoader } from '../../src/loader/command/run-loader.ts';
import { verifySealed } from '../../src/loader/command/verify/verify-sealed.ts';
import type { LoadProgress } from '../../src/loader/load-request.ts';
import { spaceBytesMin } from '../../src/loader/process/disk.ts';
import { discardOnFailure, stage } from '../../src/loader/process/pipeline.ts';
import { clearStaging } from '../../src/loader/staging.ts';
import { serveControl } from '../../src/protocol/control-server.ts';
import { layout } from '../../src/publication/layout.ts';
import { movePointer, readPointer } from '../../src/publication/pointer.ts';
import { sealedIds } from '../../src/publication/sealed.ts';
import { childOf, endNow } from '../support/child-process.ts';
import { temporaryFolder } from '../support/folders.ts';
import { leiJson } from '../support/lei-here.ts';
import { loadHere, loadRequest } from '../support/load-here.ts';
import { smallDisk } from '../support/small-disk.ts';
import { killLoaders } from '../support/start-loader.ts';
import { company, operator, publish } from './publishing.ts';

const root = join(import.meta.dir, '..', '..');
const day = '2024-05-04T00:00:00Z';
/** So many that a load of them still runs when a test disturbs it after its first words. */
const companies = Array.from({ length: 800 }, (_, index) => company(index + 1));
const few = companies.slice(0, 150);

function startCommand(dataDir: string, ...args: readonly string[]) {
  return Bun.spawn([process.execPath, join(root, 'src', 'cli.ts'), ...args], {
    env: { ...process.env, LEI_DATA_DIR: dataDir },
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

/** Resolves once the process has written something. */
async function spoken(output: ReadableStream<Uint8Array>): Promise<void> {
  const reader = output.getReader();
  await reader.read();
  reader.releaseLock();
}

/** Every sealed publication is whole, and the active one is one of them. */
async function expectSound(dataDir: string): Promise<void> {
  const paths = layout(dataDir);
  for (const id of sealedIds(paths)) {
    expect(await verifySealed(paths, id, () => {})).toMatchObject({ sound: true, problems: [] });
  }
  expect(sealedIds(paths)).toContain(readPointer(paths)?.id ?? '');
}

/** `npm run test:long` tries more. */
const kills = Number(process.env['LONG_KILLS'] ?? 1);

describe('a loader that is killed', () => {
  test('at random moments changes nothing, and the next load cleans up after it', async () => {
    const someone = operator();
    await someone.load({ at: day, companies: few });
    const active = readPointer(layout(someone.dataDir));
    const files = publish(someone.dataDir, { at: '2024-05-05T00:00:00Z', companies: few });
    const loading = loadRequest(someone.dataDir, files);
    await killLoaders(loading, kills, () => expect(readPointer(layout(someone.dataDir))).toEqual(active));
    await expectSound(someone.dataDir);
    await someone.loadFiles(files);
    expect(readdirSync(layout(someone.dataDir).staging)).toEqual([]);
  });

  const endings = [
    // A signal that also went to its command.
    ['SIGINT', 'interrupted', /nothing was changed\.$/],
    // The system does the same when memory runs out.
    ['SIGKILL', 'loader-died', /ended \(SIGKILL\) .* nothing was changed\. .* ran out of memory/],
    // A lack of memory never does that.
    ['SIGSEGV', 'loader-died', /ended \(SIGSEGV\) before it had finished; nothing was changed\.$/],
  ] as const;

  test.each(endings)(
    'by %s ends its load with a message, and leaves no lock',
    async (name, code, message) => {
      const dataDir = temporaryFolder('loading');
      const files = publish(dataDir, { at: day, companies });
      let isEnded = false;
      const progress = () => {
        if (!isEnded) endNow(childOf(process.pid), name);
        isEnded = true;
      };
      await expect(runLoader(loadRequest(dataDir, files), { progress })).rejects.toMatchObject({
        code,
        message: expect.stringMatching(message),
      });
      expect(existsSync(layout(dataDir).loadLock)).toBe(false);
      expect(readPointer(layout(dataDir))).toBeNull();
    },
  );

  test.each(endings)(
    'before it received its request, by %s, is reported as at any other time',
    async (name, code, message) => {
      const someone = operator();
      const files = publish(someone.dataDir, { at: day, companies: [company(1)] });
      const { signal } = new AbortController();
      // The callback runs when the loader has started and before anything is sent.
      spyOn(signal, 'addEventListener').mockImplementationOnce(() => endNow(childOf(process.pid), name));
      const ending = runLoader(loadRequest(someone.dataDir, files), {}, { besideService: false, signal });
      await expect(ending).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    },
  );

  test('together with its command does not block the next load', async () => {
    const dataDir = temporaryFolder('loading');
    const command = startCommand(dataDir, 'load', ...publish(dataDir, { at: day, companies }));
    await spoken(command.stderr);
    command.kill('SIGKILL');
    await command.exited;
    expect(existsSync(layout(dataDir).loadLock)).toBe(true);
    const next = publish(dataDir, { at: day, companies: [company(1)] });
    expect((await leiJson(dataDir, 'load', ...next)).code).toBe(0);
    await expectSound(dataDir);
  });

  test('by Ctrl-C during a swap does not wait for the service, and says that nothing was lost', async () => {
    const dataDir = temporaryFolder('loading');
    const paths = layout(dataDir);
    const files = publish(dataDir, { at: day, companies: [company(1)] });
    const command = startCommand(dataDir, 'load', ...files, '--json');
    // A service that hangs once it is told to swap.
    const service = serveControl(paths.controlSocket, ({ op }) => {
      if (op !== 'activate') return Promise.resolve({ ok: true, value: null });
      command.kill('SIGINT');
      return new Promise(() => {});
    });
    try {
      const printed = JSON.parse(await new Response(command.stdout).text());
      const [id] = sealedIds(paths);
      expect({ code: await command.exited, error: printed.error }).toMatchObject({
        code: 1,
        error: {
          code: 'interrupted',
          message: expect.stringContaining(`complete and sound; lei activate ${id} activates it`),
        },
      });
    } finally {
      service.stop();
    }
  });

  test('by Ctrl-C says that nothing was changed', async () => {
    const dataDir = temporaryFolder('loading');
    const command = startCommand(dataDir, 'load', ...publish(dataDir, { at: day, companies }), '--json');
    await spoken(command.stderr);
    command.kill('SIGINT');
    const printed = JSON.parse(await new Response(command.stdout).text());
    expect({ code: await command.exited, error: printed.error.code }).toEqual({
      code: 1,
      error: 'interrupted',
    });
    expect(readdirSync(layout(dataDir).staging)).toEqual([]);
    expect(readPointer(layout(dataDir))).toBeNull();
  });
});

test('a loader whose parent was killed ends silently', async () => {
  const dataDir = temporaryFolder('loading');
  const loader = Bun.spawn([process.execPath, join(root, 'workers', 'loader.ts')], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  loader.stdin.write(`${JSON.stringify(loadRequest(dataDir, publish(dataDir, { at: day, companies })))}\n`);
  await loader.stdin.flush();
  const output = loader.stdout.getReader();
  await output.read();
  await output.cancel();
  expect(await new Response(loader.stderr).text()).toBe('');
  expect(await loader.exited).toBe(3);
});

test('a load that is interrupted while it waits for a slow service does not start', async () => {
  const dataDir = temporaryFolder('loading');
  const files = publish(dataDir, { at: day, companies: companies.slice(0, 10) });
  let command: ReturnType<typeof startCommand> | null = null;
  const service = serveControl(layout(dataDir).controlSocket, async ({ op }) => {
    if (op === 'ping') command?.kill('SIGTERM');
    return { ok: true, value: null };
  });
  try {
    command = startCommand(dataDir, 'load', ...files, '--json');
    expect(await command.exited).toBe(1);
    const message = 'The load was interrupted; nothing was changed.';
    const told: unknown = await new Response(command.stdout).json();
    expect(told).toEqual({ error: { code: 'interrupted', message } });
    expect(sealedIds(layout(dataDir))).toEqual([]);
    expect(existsSync(layout(dataDir).loadLock)).toBe(false);
  } finally {
    service.stop();
  }
});

describe('two loads at once', () => {
  test('are refused: the second names the first, which succeeds', async () => {
    const dataDir = temporaryFolder('loading');
    const paths = layout(dataDir);
    const files = publish(dataDir, { at: day, companies: [company(1)] });
    const secondLoad = () => leiJson(dataDir, 'load', ...files);
    let second: ReturnType<typeof secondLoad> | undefined;
    // The second begins in the middle of the first, which then keeps the lock until the second was answered.
    await runLoader(
      loadRequest(dataDir, files),
      {
        progress() {
          second ??= secondLoad();
        },
      },
      {
        besideService: false,
        activate: async ({ manifest }) => {
          await second;
          movePointer(paths, manifest.id, new Date(), null);
        },
      },
    );
    const refused = await second;
    expect(refused).toMatchObject({ code: 1, json: { error: { code: 'load-running' } } });
    expect(JSON.stringify(refused?.json)).toContain(`process ${process.pid}`);
    expect(existsSync(paths.loadLock)).toBe(false);
    expect(sealedIds(paths)).toHaveLength(1);
    await expectSound(dataDir);
  });
});

describe('a damaged publication', () => {
  let dataDir = '';
  beforeAll(async () => {
    const someone = operator();
    dataDir = someone.dataDir;
    await someone.load({ at: day, companies: companies.slice(0, 100) });
  });

  test('has other counts in its manifest than in its environment: verify names each kind with both', async () => {
    const paths = layout(dataDir);
    const id = readPointer(paths)?.id ?? '';
    const sealed = readFileSync(paths.manifest(id), 'utf8');
    writeFileSync(
      paths.manifest(id),
      sealed.replace('"entities": 100', '"entities": 99').replace('"bic": 0', '"bic": 7'),
    );
    const { problems } = await verifySealed(paths, id, () => {});
    expect(problems).toEqual([
      'The manifest states 99 entities, but the environment has 100.',
      'The manifest states 7 bic, but the environment has 0.',
    ]);
    writeFileSync(paths.manifest(id), sealed);
  });

  test('is found by verify even if it is a single bit, with both digests', async () => {
    const paths = layout(dataDir);
    const id = readPointer(paths)?.id ?? '';
    flipBit(paths.environment(id), 50_003);
    const { code, json } = await leiJson(dataDir, 'verify');
    expect({ code, json }).toMatchObject({ code: 1, json: { error: { code: 'not-sound' } } });
    expect(JSON.stringify(json)).toMatch(/has SHA-256 [0-9a-f]{64}, not the [0-9a-f]{64} it was sealed with/);
    flipBit(paths.environment(id), 50_003);
    expect(await leiJson(dataDir, 'verify', id)).toMatchObject({
      code: 0,
      json: { sound: true, checked: { companies: 100 } },
    });
  });

  test('that is cut short is neither built upon nor activated', async () => {
    const someone = operator();
    const { manifest } = await someone.load({ at: day, companies: companies.slice(0, 100) });
    const paths = layout(someone.dataDir);
    writeFileSync(
      paths.environment(manifest.id),
      readFileSync(paths.environment(manifest.id)).subarray(0, 8192),
    );
    const delta = publish(someone.dataDir, {
      at: '2024-05-05T00:00:00Z',
      since: day,
      companies: [company(1)],
    });
    await expect(someone.loadFiles(delta, { delta: true })).rejects.toMatchObject({
      code: 'active-unreadable',
    });
    const activated = await leiJson(someone.dataDir, 'activate', manifest.id);
    expect(activated).toMatchObject({ code: 1, json: { error: { code: 'publication-damaged' } } });
    const full = { at: '2024-05-05T00:00:00Z', companies: companies.slice(0, 10) };
    const { id } = (await someone.load(full)).manifest;
    expect(await verifySealed(paths, id, () => {})).toMatchObject({ sound: true });
  });

  test.each([
    ['cut short', () => '{"id": "2024'],
    ['of no moment', (text: string) => text.replace(/"activatedAt": "[^"]*"/, '"activatedAt": "yesterday"')],
  ])('pointer, %s, is replaced by the next full load', async (_how, damage) => {
    const someone = operator();
    await someone.load({ at: day, companies: companies.slice(0, 10) });
    const { pointer } = layout(someone.dataDir);
    writeFileSync(pointer, damage(readFileSync(pointer, 'utf8')));
    const full = publish(someone.dataDir, {
      at: '2024-05-05T00:00:00Z',
      companies: companies.slice(0, 10),
    });
    const { code, json, stderr } = await leiJson(someone.dataDir, 'load', ...full);
    expect({ code, json }).toMatchObject({ code: 0, json: { publication: { active: true } } });
    expect(stderr).toContain('active.json is damaged');
    await expectSound(someone.dataDir);
  });
});

function flipBit(path: string, at: number): void {
  const file = openSync(path, 'r+');
  const byte = new Uint8Array(1);
  readSync(file, byte, 0, 1, at);
  byte[0] = (byte[0] ?? 0) ^ 0b100;
  writeSync(file, byte, 0, 1, at);
  closeSync(file);
}

describe('the folder of publications', () => {
  test('on another disk is refused before anything is read', async () => {
    const disk = smallDisk(20);
    if (disk === null) return;
    try {
      const dataDir = temporaryFolder('loading');
      symlinkSync(disk.folder, layout(dataDir).publications);
      const files = publish(temporaryFolder('loading'), { at: day, companies: companies.slice(0, 10) });
      const phases: string[] = [];
      const progress = ({ phase }: LoadProgress) => void phases.push(phase);
      const message = expect.stringContaining('lie on different disks or mounts');
      await expect(loadHere(dataDir, files, {}, { progress })).rejects.toMatchObject({
        code: 'not-one-disk',
        message,
      });
      expect(phases.filter((phase) => phase.startsWith('reading'))).toEqual([]);
      expect(readdirSync(layout(dataDir).staging)).toEqual([]);
    } finally {
      disk.remove();
    }
  });

  test('that is no folder is refused before anything is read, without a stack trace', async () => {
    const dataDir = temporaryFolder('loading');
    writeFileSync(layout(dataDir).publications, '');
    const files = publish(temporaryFolder('loading'), { at: day, companies: companies.slice(0, 10) });
    const { code, json, stderr } = await leiJson(dataDir, 'load', ...files);
    const message = expect.stringMatching(/publications is a file, but must be a folder\. Move it away/);
    expect({ code, json }).toMatchObject({
      code: 1,
      json: { error: { code: 'not-a-folder', message } },
    });
    expect(stderr).not.toContain('reading');
  });
});

describe('a disk', () => {
  test('that fills up during a load fails it, and the active publication stays', async () => {
    const disk = smallDisk(20);
    if (disk === null) return;
    const dataDir = disk.folder;
    try {
      const elsewhere = temporaryFolder('loading');
      await loadHere(dataDir, publish(elsewhere, { at: day, companies: companies.slice(0, 10) }));
      const active = readPointer(layout(dataDir));
      const files = publish(elsewhere, { at: '2024-05-05T00:00:00Z', companies });
      const progress = ({ phase }: LoadProgress) => {
        if (phase.startsWith('reading')) disk.fill();
      };
      await expect(loadHere(dataDir, files, {}, { progress })).rejects.toMatchObject({ code: 'no-space' });
      expect(readPointer(layout(dataDir))).toEqual(active);
      expect(readdirSync(layout(dataDir).staging)).toEqual([]);
      await expectSound(dataDir);
    } finally {
      disk.remove();
    }
  });

  test('that is full is named if a short write is an input/output error; with room the error stays as it is', async () => {
    const disk = smallDisk(20);
    if (disk === null) return;
    const cutShort = new Error('MDB_EIO: Input/output error');
    const buildOf = (dataDir: string, bytes: number) => {
      const [paths, id] = [layout(dataDir), '20240504T000000Z-00000000'];
      const building = discardOnFailure(paths, async () => {
        writeFileSync(join(stage(paths, id, null).folder, 'data.mdb'), Buffer.alloc(bytes));
        throw cutShort;
      });
      return building.finally(() => expect(readdirSync(paths.staging)).toEqual([]));
    };
    try {
      const message = expect.stringMatching(/ is full; nothing was changed\. Make room/);
      const full = 14 * 2 ** 20;
      await expect(buildOf(disk.folder, full)).rejects.toMatchObject({ code: 'no-space', message });
      await expect(buildOf(disk.folder, 1)).rejects.toBe(cutShort);
    } finally {
      disk.remove();
    }
  });

  test('that becomes read-only during a load does not hide why the load failed, and the next load cleans up', async () => {
    const disk = smallDisk(20);
    if (disk === null) return;
    const [paths, id] = [layout(disk.folder), '20240504T000000Z-00000000'];
    const reason = new Error('A page of the environment is damaged.');
    try {
      const building = discardOnFailure(paths, async () => {
        writeFileSync(join(stage(paths, id, null).folder, 'data.mdb'), 'half of it');
        disk.makeReadOnly();
        throw reason;
      });
      await expect(building).rejects.toBe(reason);
      expect(readdirSync(paths.staging)).toEqual([id]);
      disk.makeWritable();
      await clearStaging(paths);
      expect(readdirSync(paths.staging)).toEqual([]);
    } finally {
      disk.remove();
    }
  });

  test('with room for a publication is enough for uncompressed files of several times its size', async () => {
    const disk = smallDisk(20);
    if (disk === null) return;
    const files = publish(temporaryFolder('loading'), { at: day, companies });
    try {
      const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
      // With as much room per byte as for compressed files, this disk would be too small.
      expect(5.5 * bytes + spaceBytesMin).toBeGreaterThan(20 * 2 ** 20);
      await loadHere(disk.folder, files);
    } finally {
      disk.remove();
    }
  });

  test('that is read-only is named as the reason', async () => {
    const disk = smallDisk(64);
    if (disk === null) return;
    const dataDir = disk.folder;
    try {
      const files = publish(temporaryFolder('loading'), { at: day, companies: companies.slice(0, 10) });
      await loadHere(dataDir, files);
      disk.makeReadOnly();
      const refused = await leiJson(dataDir, 'load', ...files);
      expect(refused).toMatchObject({ code: 1, json: { error: { code: 'not-writable' } } });
      expect(await leiJson(dataDir, 'verify')).toMatchObject({ code: 0, json: { sound: true } });
      expect(await leiJson(dataDir, 'publications')).toMatchObject({
        code: 0,
        json: [{ active: true, state: 'sound' }],
      });
    } finally {
      disk.remove();
    }
  });
});
