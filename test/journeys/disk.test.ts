/** Tests commands and the service on disks that cannot be written. */
import { afterEach, describe, expect, spyOn, test } from 'bun:test';
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { withLoadLock } from '../../src/loader/command/load-lock.ts';
import { runLoader } from '../../src/loader/command/run-loader.ts';
import { layout } from '../../src/publication/layout.ts';
import { sealedIds } from '../../src/publication/sealed.ts';
import { company, publish } from '../loader/publishing.ts';
import { temporaryFolder } from '../support/folders.ts';
import { createAccount as createHere, leiJson as leiHere, runLei as runHere } from '../support/lei-here.ts';
import { loadHere, loadRequest } from '../support/load-here.ts';
import { momentFiles } from '../support/moments.ts';
import { createAccount, leiJson, runLei, runLeiIn } from '../support/run-lei.ts';
import { type Served, serve, tryServe } from '../support/serve.ts';
import { copySample } from '../support/service.ts';
import { type SmallDisk, smallDisk } from '../support/small-disk.ts';
import { until } from '../support/steady-load.ts';
import { setVariables } from '../support/variables.ts';

let disk: SmallDisk | null = null;
let served: Served | null = null;
afterEach(async () => {
  served?.kill('SIGKILL');
  await served?.exited;
  disk?.remove();
  served = null;
  disk = null;
});

async function expectRefusal(dataDir: string): Promise<void> {
  const started = await tryServe(dataDir);
  served = started.served;
  expect(served).toBeNull();
  expect(await started.process.exited).toBe(1);
  const message = await new Response(started.process.stderr).text();
  expect(message).toStartWith('lei: The operating system refused: EROFS: read-only file system');
  expect(message).toContain(dataDir);
  expect(message).not.toMatch(/\n\s+at /);
}

describe('lei serve', () => {
  test('ends with the reason and the path on a read-only data folder', async () => {
    disk = smallDisk(64);
    if (disk === null) return;
    await copySample(disk.folder);
    disk.makeReadOnly();
    await expectRefusal(disk.folder);
  });

  test('ends with the reason and the path if it cannot create the data folder', async () => {
    disk = smallDisk(1);
    if (disk === null) return;
    disk.makeReadOnly();
    await expectRefusal(join(disk.folder, 'data'));
  });

  test('keeps answering with a full disk, says that counts are not saved, and saves them once there is room', async () => {
    disk = smallDisk(64);
    if (disk === null) return;
    await copySample(disk.folder);
    const limited = { LEI_LIMITS: 'enforce', LEI_LOG_LEVEL: 'info' };
    const first = await serve(disk.folder, limited);
    served = first;
    const ask = async (from: Served) => {
      const { status, headers } = await from.get('/api/v1/lei/7LTWFZYICNSX8D621K86');
      return { status, remaining: Number(headers.get('x-ratelimit-remaining')) };
    };
    const makeRoom = disk.fill();
    for (let asked = 1; asked <= 30; asked++) {
      expect(await ask(first)).toEqual({ status: 200, remaining: 100 - asked });
      if (asked === 15) await until(() => first.log().includes('Saving the quota counts failed'));
    }
    makeRoom();
    await until(() => first.log().includes('The state can be read and written again'));
    first.kill('SIGTERM');
    expect(await first.exited).toBe(0);
    const again = await serve(disk.folder, limited);
    served = again;
    expect(await ask(again)).toEqual({ status: 200, remaining: 69 });
  });
});

describe('a first start', () => {
  test.each([
    [0, 'state'],
    [2 * 2 ** 20, 'state/counts.journal'],
  ])(
    'with %i bytes free says that the disk is full, leaves a sound data folder, and starts once there is room',
    async (freeBytes, refused) => {
      disk = smallDisk(8);
      if (disk === null) return;
      const { folder } = disk;
      const makeRoom = disk.fill(freeBytes);
      const environment = { ...process.env, LEI_DATA_DIR: folder, LEI_PORT: '0', LEI_LOG_LEVEL: 'error' };
      expect(await runLeiIn(folder, environment, ['serve'])).toEqual({
        code: 1,
        stdout: '',
        stderr: `lei: The operating system refused: ENOSPC: no space left on device, write '${join(folder, refused)}'. Make room on that disk, and try again.\n`,
      });
      const { json } = await leiJson(folder, 'doctor');
      expect(json).toMatchObject({
        checks: expect.arrayContaining([{ name: 'disk', grade: 'wrong', message: expect.any(String) }]),
      });
      expect(json).not.toMatchObject({
        checks: expect.arrayContaining([{ name: 'state', grade: 'wrong', message: expect.any(String) }]),
      });
      makeRoom();
      served = await serve(folder);
    },
  );

  test('recovers from the empty files that an earlier version left on a full disk', async () => {
    disk = smallDisk(8);
    if (disk === null) return;
    const { folder } = disk;
    mkdirSync(join(folder, 'state'));
    writeFileSync(join(folder, 'state', 'data.mdb'), '');
    const file = openSync(join(folder, 'state', 'lock.mdb'), 'w');
    ftruncateSync(file, 32_976);
    closeSync(file);
    const makeRoom = disk.fill();
    expect((await leiJson(folder, 'accounts', 'list')).json).toMatchObject({ error: { code: 'no-space' } });
    makeRoom();
    served = await serve(folder);
  });
});

test('a lock file that was restored as a hole is refused on a full disk, and does not end the process', async () => {
  disk = smallDisk(8);
  if (disk === null) return;
  const { folder } = disk;
  await createAccount(folder, 'ada@example.com');
  const lock = join(folder, 'state', 'lock.mdb');
  const { size } = statSync(lock);
  truncateSync(lock, 0);
  truncateSync(lock, size);
  const makeRoom = disk.fill();
  expect((await leiJson(folder, 'accounts', 'list')).json).toMatchObject({ error: { code: 'no-space' } });
  makeRoom();
  expect((await leiJson(folder, 'accounts', 'list')).json).toMatchObject([{ email: 'ada@example.com' }]);
});

test('lei doctor calls a disk large enough on which a load has room but an update has none', async () => {
  disk = smallDisk(64);
  if (disk === null) return;
  const { json } = await leiJson(disk.folder, 'doctor');
  const message = expect.stringMatching(/ enough for lei load, .* lei update stops where less than 268 MB /);
  expect(json).toMatchObject({ checks: expect.arrayContaining([{ name: 'disk', grade: 'note', message }]) });
});

describe('a load whose disk fills up', () => {
  // More than a delta changes without a thread for the search index.
  const companies = Array.from({ length: 2_100 }, (_, index) => company(index + 1));
  const day = '2024-05-04T00:00:00Z';
  const next = { at: '2024-05-05T00:00:00Z', since: day };

  test.each([
    ['full set', 'comparing', false],
    ['full set', 'verifying', false],
    ['delta', 'relationships', true],
    ['delta', 'comparing', true],
  ])(
    'says so in words alone, changes nothing, and goes through once there is room: %s, %s',
    async (_, phase, delta) => {
      disk = smallDisk(64);
      if (disk === null) return;
      const { folder, fillAt, makeRoom } = disk;
      const files = temporaryFolder('files');
      await loadHere(
        folder,
        publish(files, { at: day, companies: companies.slice(0, delta ? companies.length : 10) }),
      );
      const sealed = sealedIds(layout(folder));
      const renamed = companies.map((each) => ({
        ...each,
        entity: { ...each.entity, creationDate: '2001-02-03' },
      }));
      const request = loadRequest(folder, publish(files, { ...next, companies: renamed }), { delta });
      const written: string[] = [];
      const stderr = spyOn(process.stderr, 'write').mockImplementation(
        (text) => written.push(String(text)) > 0,
      );
      const restore = setVariables(fillAt(phase));
      try {
        await expect(runLoader(request, {})).rejects.toMatchObject({
          code: 'no-space',
          message: `The disk of ${layout(folder).staging} is full; nothing was changed. Make room: lei prune --keep 1 deletes publications that are no longer needed. Then load again.`,
        });
      } finally {
        restore();
        stderr.mockRestore();
      }
      expect(written).toEqual([]);
      expect(readdirSync(layout(folder).staging)).toEqual([]);
      expect(sealedIds(layout(folder))).toEqual(sealed);
      makeRoom();
      const { manifest } = await runLoader(request, {});
      expect(sealedIds(layout(folder))).toEqual([manifest.id, ...sealed]);
    },
  );
});

describe('lei generate', () => {
  test('ends with the reason and leaves nothing behind on a disk that fills up', async () => {
    disk = smallDisk(1);
    if (disk === null) return;
    const out = join(disk.folder, 'set');
    const failed = await leiHere(disk.folder, 'generate', '--entities', '20000', '--out', out);
    expect(failed).toMatchObject({ code: 1, json: { error: { code: 'no-space' } } });
    expect(failed.stderr).not.toMatch(/\n\s+at /);
    expect(readdirSync(out)).toEqual([]);
  });

  test.each(['1', '3'])(
    'leaves nothing behind on a full disk with %s cores, so that it can be run again once there is room',
    async (cores) => {
      disk = smallDisk(1);
      if (disk === null) return;
      const out = join(disk.folder, 'set');
      mkdirSync(out);
      const makeRoom = disk.fill();
      const command = ['generate', '--entities', '100', '--threads', cores, '--out', out] as const;
      const failed = await leiHere(disk.folder, ...command);
      expect(failed).toMatchObject({ code: 1, json: { error: { code: 'no-space' } } });
      expect(readdirSync(out)).toEqual([]);
      makeRoom();
      expect((await leiHere(disk.folder, ...command)).code).toBe(0);
    },
  );
});

const another = ['--email', 'bob@example.com', '--company', 'Journeys', '--use', 'Tests'];

async function standing(dataDir: string) {
  const [accounts, keys] = [
    await leiHere(dataDir, 'accounts', 'list'),
    await leiHere(dataDir, 'keys', 'list'),
  ];
  return { accounts: accounts.json, keys: keys.json };
}

function noRoomIn(folder: string): string {
  const { state } = layout(folder);
  return `lei: The operating system refused: ENOSPC: no space left on device, write '${state}'. Make room on that disk, and try again.\n`;
}

describe('on a full disk', () => {
  test('pruning still works, and what fails says where and leaves nothing behind', async () => {
    disk = smallDisk(64);
    if (disk === null) return;
    const { folder } = disk;
    await copySample(folder);
    await loadHere(folder, momentFiles(0));
    const [active, before] = sealedIds(layout(folder));
    const names = () => readdirSync(folder).filter((name) => name !== 'filling');
    const earlierNames = names();
    disk.fill();
    const refused = async (...command: readonly string[]) => {
      const { code, json } = await leiHere(folder, ...command);
      expect({ code, json }).toMatchObject({ code: 1, json: { error: { code: 'no-space' } } });
      return JSON.stringify(json);
    };
    expect(await refused('activate', before ?? '')).toContain(`, write '${layout(folder).pointer}'.`);
    expect(await refused('load', '/dev/null')).toContain(`, write '${layout(folder).loadLock}'.`);
    expect(names()).toEqual(earlierNames);
    const pruned = await leiHere(folder, 'prune', '--keep', '1');
    expect(pruned).toMatchObject({ code: 0, json: { deleted: [before] } });
    expect(sealedIds(layout(folder))).toEqual([active ?? '']);
  });

  test('pruning does not run during a load', async () => {
    disk = smallDisk(8);
    if (disk === null) return;
    const paths = layout(disk.folder);
    await withLoadLock(paths, async () => {
      disk?.fill();
      const { code, json } = await leiHere(paths.dataDir, 'prune');
      expect({ code, json }).toMatchObject({ code: 1, json: { error: { code: 'load-running' } } });
    });
  });

  test('commands that change accounts end with the system’s error, and change nothing', async () => {
    disk = smallDisk(8);
    if (disk === null) return;
    const { account, key } = await createHere(disk.folder, 'ada@example.com');
    const before = await standing(disk.folder);
    const makeRoom = disk.fill();
    const commands = [
      ['accounts', 'suspend', account.id],
      ['accounts', 'create', ...another],
      ['accounts', 'delete', account.id],
      ['keys', 'create', account.id],
      ['keys', 'revoke', key.id],
    ];
    for (const command of commands) {
      const { code, stdout, stderr } = await runHere(disk.folder, ...command);
      expect({ command, code, stdout }).toEqual({ command, code: 1, stdout: '' });
      expect(stderr).toBe(noRoomIn(disk.folder));
    }
    // lmdb prints past the captured output of this process.
    const alone = await runLei(disk.folder, 'keys', 'create', account.id);
    expect(alone).toEqual({ code: 1, stdout: '', stderr: noRoomIn(disk.folder) });
    const revoked = await leiHere(disk.folder, 'keys', 'revoke', key.id);
    expect(revoked.json).toMatchObject({ error: { code: 'no-space' } });
    expect(await standing(disk.folder)).toEqual(before);
    makeRoom();
    expect((await runHere(disk.folder, 'keys', 'revoke', key.id)).code).toBe(0);
  });

  test('a service refuses sign-ups, accepts them once there is room, and stops when it is told to', async () => {
    disk = smallDisk(8);
    if (disk === null) return;
    const running = await serve(disk.folder, { LEI_LIMITS: 'enforce' });
    served = running;
    const { folder } = disk;
    const signUp = async (email: string) => {
      const body = new URLSearchParams({ email, company: 'Journeys', use: 'Tests' });
      const headers = { Origin: running.url };
      return (await running.get('/signup', { method: 'POST', body, headers })).status;
    };
    expect(await signUp('ada@example.com')).toBe(200);
    const makeRoom = disk.fill();
    expect(await signUp('bob@example.com')).toBe(503);
    makeRoom();
    expect(await signUp('bob@example.com')).toBe(200);
    disk.fill();
    expect(await signUp('eve@example.com')).toBe(503);
    running.kill('SIGTERM');
    expect(await running.exited).toBe(0);
    const { accounts } = await standing(folder);
    expect(accounts).toHaveLength(2);
    expect(JSON.stringify(accounts)).not.toContain('eve@example.com');
  });
});
