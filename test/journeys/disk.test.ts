/** `lei serve` and `lei generate` on disks that take nothing. */
import { afterEach, describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { companies, momentFiles } from '../support/moments.ts';
import { leiJson } from '../support/run-lei.ts';
import { type Served, serve, tryServe } from '../support/serve.ts';
import { type SmallDisk, smallDisk } from '../support/small-disk.ts';

let disk: SmallDisk | null = null;
let served: Served | null = null;
afterEach(async () => {
  served?.kill('SIGKILL');
  await served?.exited;
  disk?.remove();
  served = null;
  disk = null;
});

async function load(dataDir: string): Promise<void> {
  const files = momentFiles(0);
  expect((await leiJson(dataDir, 'load', ...files)).code).toBe(0);
  rmSync(dirname(files[0] ?? ''), { recursive: true });
}

async function expectRefusal(dataDir: string): Promise<void> {
  const started = await tryServe(dataDir);
  served = started.served;
  expect(served).toBeNull();
  expect(await started.process.exited).toBe(1);
  const message = await new Response(started.process.stderr).text();
  expect(message).toStartWith('lei: The system refuses: EROFS: read-only file system');
  expect(message).toContain(dataDir);
  expect(message).not.toMatch(/\n\s+at /);
}

describe('lei serve', () => {
  test('ends with the reason and the path on a data folder that can only be read', async () => {
    disk = smallDisk(64);
    if (disk === null) return;
    await load(disk.folder);
    disk.makeReadOnly();
    await expectRefusal(disk.folder);
  }, 15_000);

  test('ends with the reason and the path where it can not make the data folder', async () => {
    disk = smallDisk(1);
    if (disk === null) return;
    disk.makeReadOnly();
    await expectRefusal(join(disk.folder, 'data'));
  }, 15_000);

  test('answers on with a full disk, says that counts are not saved, and saves them once there is room', async () => {
    disk = smallDisk(64);
    if (disk === null) return;
    await load(disk.folder);
    const limited = { LEI_LIMITS: 'enforce', LEI_LOG_LEVEL: 'info' };
    const first = await serve(disk.folder, limited);
    served = first;
    const ask = async (from: Served) => {
      const { status, headers } = await from.get(`/api/v1/lei/${companies.unchanged.lei}`);
      return { status, remaining: Number(headers.get('x-ratelimit-remaining')) };
    };
    const makeRoom = disk.fill();
    for (let asked = 1; asked <= 30; asked++) {
      expect(await ask(first)).toEqual({ status: 200, remaining: 100 - asked });
      if (asked === 15) while (!first.log().includes('saving the quota counts failed')) await Bun.sleep(20);
    }
    makeRoom();
    while (!first.log().includes('the state is read and written again')) await Bun.sleep(20);
    first.kill('SIGTERM');
    expect(await first.exited).toBe(0);
    const again = await serve(disk.folder, limited);
    served = again;
    expect(await ask(again)).toEqual({ status: 200, remaining: 69 });
  }, 30_000);
});

describe('lei generate', () => {
  test('ends with the reason and leaves nothing behind on a disk that fills up meanwhile', async () => {
    disk = smallDisk(1);
    if (disk === null) return;
    const out = join(disk.folder, 'set');
    const failed = await leiJson(disk.folder, 'generate', '--entities', '20000', '--out', out);
    expect(failed).toMatchObject({ code: 1, json: { error: { code: 'no-space' } } });
    expect(failed.stderr).not.toMatch(/\n\s+at /);
    expect(readdirSync(out)).toEqual([]);
  }, 30_000);

  test('leaves nothing behind on a full disk, so that it can be tried again once there is room', async () => {
    disk = smallDisk(1);
    if (disk === null) return;
    const out = join(disk.folder, 'set');
    mkdirSync(out);
    const makeRoom = disk.fill();
    const failed = await leiJson(disk.folder, 'generate', '--entities', '100', '--out', out);
    expect(failed).toMatchObject({ code: 1, json: { error: { code: 'no-space' } } });
    expect(readdirSync(out)).toEqual([]);
    makeRoom();
    expect((await leiJson(disk.folder, 'generate', '--entities', '100', '--out', out)).code).toBe(0);
  }, 15_000);
});
