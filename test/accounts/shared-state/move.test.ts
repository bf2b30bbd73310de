/** Tests that counts move with the accounts, through the operator's commands. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { openSharedState } from '../../../src/accounts/shared-state/open-shared-state.ts';
import { openLocalState } from '../../../src/accounts/state/local-state.ts';
import { type BurstWindow, dayMs } from '../../../src/ports/ledger.ts';
import type { State } from '../../../src/ports/state.ts';
import { layout } from '../../../src/publication/layout.ts';
import { holdLock } from '../../../src/publication/lock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { leiHere } from '../../support/lei-here.ts';
import { isInstalled, titled } from '../../support/programs.ts';
import { type RedisServer, startRedis } from '../../support/redis.ts';

const policy = { daily: 1_000, lookup: 300, search: 300 };
const client = 'ip_AAAAAAAAAAAAAAAAAAAAAA';
const ada = { email: 'ada@example.com', company: 'C', use: 'Tests' };
const noLimits = { daily: null, burstLookup: null, burstSearch: null };

describe.if(isInstalled('redis-server'))(titled('counts move', 'redis-server'), () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  const address = (database: number) => `${redis.url}/${database}`;
  const move = async (folder: string, ...args: readonly string[]) => {
    const ran = await leiHere({ LEI_DATA_DIR: folder }, ['accounts', 'move', ...args, '--json']);
    return { code: ran.code, json: Object(JSON.parse(ran.stdout)), stderr: ran.stderr };
  };
  /** The content of the store, except what lasts a second. */
  const everything = async () => {
    const names = await redis.command('KEYS', '*');
    const kept = (Array.isArray(names) ? names.map(String) : [])
      .sort()
      .filter((name) => name !== 'lei:probe');
    return Promise.all(kept.map(async (name) => [name, await redis.command('DUMP', name)]));
  };

  test('to a shared state and back keeps the larger count of a day, and a second run changes nothing', () =>
    withinOneDay(async (today) => {
      await redis.command('FLUSHDB');
      const [first, second] = [temporaryFolder('first'), temporaryFolder('second')];
      const id = await usedFolder(first, today);
      expect(await move(first, '--to', address(0))).toMatchObject({
        code: 0,
        json: { accounts: 1, days: 4 },
      });
      const there = await everything();
      expect(await move(first, '--to', address(0))).toMatchObject({ json: { accounts: 0, days: 0 } });
      expect(await everything()).toEqual(there);

      const days = [
        { day: today - 10, lookup: 10, search: 0 },
        { day: today - 1, lookup: 20, search: 2 },
      ];
      await inFleet(address(0), async (state) => {
        expect(await state.usage.of(id, today)).toEqual([...days, { day: today, lookup: 70, search: 5 }]);
        expect(await left(state, id, 'search', 15)).toBe(1_000 - 75 - 15);
        expect(await left(state, client, 'lookup', 10)).toBe(1_000 - 40 - 10);
      });

      // A killed service leaves unsaved counts; at the next start they must not replace the moved ones.
      const killed = openLocalState(layout(first), 'caller');
      expect(await left(killed, client, 'lookup', 1)).toBe(1_000 - 41);
      await killed.close();
      for (const [folder, raised] of [
        [first, 2],
        [second, 4],
      ] as const) {
        expect(await move(folder, '--from', address(0))).toMatchObject({ code: 0, json: { days: raised } });
        expect(await move(folder, '--from', address(0))).toMatchObject({ json: { days: 0 } });
        const state = openLocalState(layout(folder), 'caller');
        expect(await state.usage.of(id, today)).toEqual([...days, { day: today, lookup: 70, search: 20 }]);
        expect(await left(state, id, 'lookup', 1)).toBe(1_000 - 91);
        expect(await left(state, client, 'search', 1)).toBe(1_000 - 51);
        await state.close();
      }
    }));

  test('completes a move that an earlier run interrupted', () =>
    withinOneDay(async (today) => {
      await redis.command('FLUSHDB');
      const folder = temporaryFolder('interrupted');
      const id = await usedFolder(folder, today);
      // This user may not count clients, so the run ends after the past days.
      const rights = ['on', '>part', '~lei:[^c]*', '~lei:count:acc_*', '&*', '+@all'];
      await redis.command('ACL', 'SETUSER', 'half', ...rights);
      const halfway = address(0).replace('redis://', 'redis://half:part@');
      expect(await move(folder, '--to', halfway)).toMatchObject({ code: 1 });
      expect(await redis.command('HGETALL', `lei:usage:${id}`)).toEqual([
        `${today - 10} lookup`,
        '10',
        `${today - 10} search`,
        '0',
      ]);
      expect(await move(folder, '--to', address(0))).toMatchObject({
        code: 0,
        json: { accounts: 0, alreadyThere: 1, days: 3 },
      });
      await inFleet(address(0), async (state) => {
        expect(await state.usage.of(id, today)).toHaveLength(3);
        expect(await left(state, id, 'lookup', 1)).toBe(1_000 - 76);
        expect(await left(state, client, 'lookup', 1)).toBe(1_000 - 41);
      });
    }));

  test('leaves out the counts of clients if the other state identifies clients by another secret', () =>
    withinOneDay(async (today) => {
      await redis.command('FLUSHDB');
      await inFleet(address(0), async () => {});
      const folder = temporaryFolder('stranger');
      await usedFolder(folder, today);
      expect(await move(folder, '--to', address(0))).toMatchObject({ json: { days: 3 } });
      expect(await redis.command('EXISTS', `lei:count:${client}`)).toBe(0);
    }));

  test('takes the saved counts while a service runs, and tells the operator so', () =>
    withinOneDay(async (today) => {
      await redis.command('FLUSHDB');
      const folder = temporaryFolder('running');
      await usedFolder(folder, today);
      const free = holdLock(layout(folder).serviceLock, 'service');
      const moved = await move(folder, '--to', address(0));
      free();
      // Only the client's units are not saved yet.
      expect(moved).toMatchObject({ code: 0, json: { days: 3 } });
      expect(moved.stderr).toContain('a service is running on this data folder');
      const again = await move(folder, '--to', address(0));
      expect(again).toMatchObject({ json: { days: 1 }, stderr: '' });
    }));

  async function inFleet(url: string, work: (state: State) => Promise<void>): Promise<void> {
    const state = await openSharedState({
      url,
      down: 'share',
      node: 'node',
      version: '1.2.3',
      layout: layout(temporaryFolder('node')),
      user: 'service',
      // A store that is slow because the machine is busy must not count as away.
      deadlineMs: 10_000,
    });
    await work(state);
    await state.close();
  }
});

/** A data folder with an account's days, one of them long past, and a client's days, of which today's is not saved. */
async function usedFolder(folder: string, today: number): Promise<string> {
  const state = openLocalState(layout(folder), 'caller');
  const made = await state.accounts.create(ada, noLimits, new Date());
  if (made.outcome !== 'created') throw new Error(`No account was made: ${made.outcome}`);
  const { id } = made.account;
  const use = async (day: number, caller: string, window: BurstWindow, units: number) => {
    const now = day === today ? Date.now() : day * dayMs;
    take(state, caller, window, units, now);
    if (day !== today || caller === id) await state.ledger.save(now);
  };
  await use(today - 10, id, 'lookup', 10);
  await use(today - 1, id, 'lookup', 20);
  await use(today - 1, id, 'search', 2);
  await use(today - 1, client, 'lookup', 30);
  await use(today, id, 'lookup', 70);
  await use(today, id, 'search', 5);
  await state.ledger.forgetBefore(today - 1);
  await use(today, client, 'lookup', 40);
  await state.close();
  return id;
}

/** What a caller has left of the day after so many more units. */
async function left(state: State, caller: string, window: BurstWindow, units: number): Promise<number> {
  const taking = await take(state, caller, window, units, Date.now());
  return taking.quota.dailyLeft;
}

function take({ ledger }: State, caller: string, window: BurstWindow, units: number, now: number) {
  return ledger.take({ caller, policy, window, units, countsForDay: true, refusable: true, now });
}

/** Repeats the test if midnight came in between. */
async function withinOneDay(work: (today: number) => Promise<void>): Promise<void> {
  const today = () => Math.floor(Date.now() / dayMs);
  for (;;) {
    const day = today();
    try {
      return await work(day);
    } catch (error) {
      if (today() === day) throw error;
    }
  }
}
