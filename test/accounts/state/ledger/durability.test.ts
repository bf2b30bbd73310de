import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { openLocalState } from '../../../../src/accounts/state/local-state.ts';
import { bytesTable, openState } from '../../../../src/lmdb.ts';
import { layout } from '../../../../src/publication/layout.ts';
import { noon, Opened, rowsOf } from '../../../support/open-access.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const midnight = noon + day / 2;

let opened: Opened;

beforeEach(async () => {
  opened = await Opened.open();
});
afterEach(() => opened.close());

/** Makes the ledger save to a disk that refuses everything until it is told otherwise. */
function overFullDisk() {
  const disk = { full: true };
  const { counts } = opened.state;
  opened.restartOver({
    save: (rows) => (disk.full ? Promise.reject(new Error('no space left on device')) : counts.save(rows)),
  });
  return disk;
}

/** Makes the ledger save to a disk that delays it until it is told otherwise. */
function overSlowDisk() {
  const asked = Promise.withResolvers<void>();
  const waited = Promise.withResolvers<void>();
  const disk = { atOnce: 0, mostAtOnce: 0, asked: asked.promise, takes: waited.resolve };
  const { counts } = opened.state;
  opened.restartOver({
    async save(rows) {
      disk.mostAtOnce = Math.max(disk.mostAtOnce, ++disk.atOnce);
      asked.resolve();
      await waited.promise;
      await counts.save(rows);
      disk.atOnce--;
    },
  });
  return disk;
}

describe('counts', () => {
  test('survive a restart, the minute as well as the day', async () => {
    const { header } = await opened.account();
    opened.askTimes(60);
    opened.askTimes(50, { authorization: header, window: 'search' });
    await opened.access.stop(noon + 1_000);
    await opened.reopen();
    expect(opened.askTimes(100)).toMatchObject({ admitted: 40 });
    const later = { authorization: header, window: 'search', now: noon + minute - 1 } as const;
    expect(opened.askTimes(100, later)).toMatchObject({ admitted: 10 });
    expect(opened.askTimes(100, { ...later, now: noon + minute })).toMatchObject({ admitted: 50 });
  });

  test('of the minute survive a restart over midnight', async () => {
    opened.askTimes(60, { window: 'search', now: midnight - 1_000 });
    await opened.access.tick(midnight - 1);
    await opened.reopen();
    expect(opened.ask({ window: 'search', now: midnight + 58_999 }).outcome).toBe('exhausted');
    expect(opened.askTimes(200, { window: 'search', now: midnight + 59_000 })).toMatchObject({
      admitted: 60,
    });
    expect(opened.askTimes(200, { now: midnight + 59_000 })).toMatchObject({ admitted: 40 });
  });

  test('of bad keys survive a restart, so that a restart allows nobody more guesses', async () => {
    const guess = { authorization: 'Bearer nonsense', now: noon + 1_000 } as const;
    expect(opened.askTimes(200, guess)).toMatchObject({ unauthorized: 200 });
    await opened.access.tick(noon + 2_000);
    await opened.reopen();
    expect(opened.askTimes(200, guess)).toEqual({ admitted: 0, unauthorized: 100, exhausted: 100 });
  });

  test('that were refunded after they were saved stay refunded across a restart', async () => {
    const failing = opened.ask();
    await opened.access.tick(noon);
    if (failing.outcome !== 'admitted') throw new Error('It was not admitted.');
    failing.refund();
    await opened.access.tick(noon + 1_000);
    await opened.reopen();
    expect(opened.askTimes(200)).toMatchObject({ admitted: 100 });
  });

  test('survive a kill -9, those of the last second too', async () => {
    const service = Bun.spawn(
      [process.execPath, join(import.meta.dir, '../../../support/count-until-killed.ts'), opened.folder],
      { stdout: 'pipe', stderr: 'inherit' },
    );
    let said = '';
    for await (const piece of service.stdout) {
      said += Buffer.from(piece).toString();
      if (said.includes('one more\n')) break;
    }
    service.kill('SIGKILL');
    await service.exited;
    expect(said).toBe('70 saved\none more\n');
    await opened.reopen();
    const { client } = opened.access.signupOrigin('198.51.100.7', null, noon);
    const today = Math.floor(noon / day);
    expect(await opened.state.usage.of(client, today)).toEqual([{ day: today, lookup: 71, search: 0 }]);
    expect(opened.askTimes(100)).toMatchObject({ admitted: 29 });
  });

  test('that the disk refused fail no request, are logged, and are saved once it accepts them', async () => {
    const disk = overFullDisk();
    expect(opened.askTimes(30)).toMatchObject({ admitted: 30 });
    // Long enough for an idle client to leave the memory, if its counts were on disk.
    for (let second = 1; second <= 130; second++) await opened.access.tick(noon + second * 1_000);
    expect(opened.logged.map(({ level }) => level)).toEqual(['error', 'error', 'error']);
    expect(opened.logged[0]?.message).toContain('Saving the quota counts failed');
    expect(opened.askTimes(20)).toMatchObject({ admitted: 20 });
    disk.full = false;
    await opened.access.tick(noon + 131_000);
    await opened.access.tick(noon + 132_000);
    expect(opened.logged.slice(3)).toEqual([
      { level: 'info', message: 'The state can be read and written again.' },
    ]);
    await opened.reopen();
    expect(opened.askTimes(200)).toMatchObject({ admitted: 50 });
  });

  test('of more clients than are saved at once are all saved once the disk accepts them', async () => {
    const disk = overFullDisk();
    for (let client = 0; client < 2_500; client++)
      opened.ask({ peer: `198.18.${client >> 8}.${client & 255}` });
    await opened.access.tick(noon);
    disk.full = false;
    await opened.access.tick(noon + 1_000);
    expect(rowsOf(opened.state)).toBe(2_500);
  });

  test('that changed while they were being saved are saved again', async () => {
    opened.askTimes(10);
    const saving = opened.access.tick(noon);
    opened.askTimes(10);
    await saving;
    await opened.access.tick(noon + 1_000);
    await opened.reopen();
    expect(opened.askTimes(200)).toMatchObject({ admitted: 80 });
  });

  test('wait for a slow disk in one round, and the last of them are saved at the stop', async () => {
    const disk = overSlowDisk();
    opened.ask();
    const rounds = [opened.access.tick(noon)];
    await disk.asked;
    opened.ask({ peer: '198.51.100.8' });
    rounds.push(opened.access.tick(noon + 1_000), opened.access.stop(noon + 2_000));
    disk.takes();
    await Promise.all(rounds);
    expect(rowsOf(opened.state)).toBe(2);
    expect(disk.mostAtOnce).toBe(1);
  });

  test('stay in their minute however long the disk takes to save', async () => {
    const disk = overSlowDisk();
    // More clients than are saved at once, so that some wait until the disk has taken the others.
    for (let client = 0; client <= 1_000; client++) {
      opened.ask({ peer: `198.18.${client >> 8}.${client & 255}`, window: 'search' });
    }
    const last = { peer: '198.18.3.232', window: 'search' } as const;
    const saving = opened.access.tick(noon);
    expect(opened.askTimes(59, { ...last, now: noon + 20_000 })).toMatchObject({ admitted: 59 });
    disk.takes();
    await saving;
    expect(opened.askTimes(100, { ...last, now: noon + minute })).toMatchObject({ admitted: 1 });
    expect(opened.ask({ ...last, now: noon + minute + 19_999 }).outcome).toBe('exhausted');
  });

  test('of a client that went away are there when it comes back', async () => {
    opened.askTimes(70);
    for (let second = 0; second <= 125; second++) await opened.access.tick(noon + second * 1_000);
    expect(opened.askTimes(200, { now: noon + 3 * minute })).toMatchObject({ admitted: 30 });
  });

  test('are refunded even after their minute is over', async () => {
    opened.askTimes(70);
    const admission = opened.ask();
    if (admission.outcome !== 'admitted') throw new Error('It was not admitted.');
    for (let second = 0; second <= 125; second++) await opened.access.tick(noon + second * 1_000);
    opened.askTimes(9);
    expect(admission.refund()?.dailyLeft).toBe(21);
    await opened.access.tick(noon + 126_000);
    await opened.reopen();
    expect(opened.askTimes(200)).toMatchObject({ admitted: 21 });
  });

  test('are forgotten after two days', async () => {
    for (const later of [0, day, 2 * day]) {
      opened.ask({ now: noon + later });
      await opened.access.tick(noon + later);
    }
    const rows = async (now: number) => {
      opened.access = opened.accessOver(opened.state);
      for (let tick = 0; tick <= 60; tick++) await opened.access.tick(now);
      return rowsOf(opened.state);
    };
    expect(rowsOf(opened.state)).toBe(3);
    expect(await rows(noon + 2 * day)).toBe(2);
    expect(await rows(noon + 4 * day)).toBe(0);
  });

  test('are stored under keyed hashes: no address is in the files', async () => {
    opened.ask({ peer: '203.0.113.77' });
    opened.ask({ peer: '2001:db8:77::1' });
    await opened.access.tick(noon);
    const data = await Bun.file(join(layout(opened.folder).state, 'data.mdb')).bytes();
    const text = Buffer.from(data).toString('latin1');
    expect(text).toContain('ip_');
    expect(text).not.toContain('203.0.113');
    expect(text).not.toContain('2001:db8');
  });
});

describe('damage', () => {
  test('of a count on disk affects nothing but that count', async () => {
    const { client: caller } = opened.access.signupOrigin('198.51.100.7', null, noon);
    for (const value of [Buffer.from([1, 2, 3]), Buffer.alloc(9 + 3)]) {
      const environment = openState(layout(opened.folder).state);
      const dayKey = Buffer.alloc(4);
      dayKey.writeUInt32BE(Math.floor(noon / day));
      const key = Buffer.concat([dayKey, Buffer.from(caller)]);
      await bytesTable(environment, 'counters', 'binary').put(key, value);
      await environment.close();
      opened.restartOver();
      expect(opened.askTimes(200)).toMatchObject({ admitted: 100 });
    }
  });

  test('of the folder is reported when it is opened', () => {
    expect(() => openLocalState(layout('/dev/null/lei'))).toThrow('/dev/null');
  });
});
