/** Tests counting in the store against counting in memory. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Connection, script } from '../../../src/accounts/shared-state/connection.ts';
import { carryOut, type Operation } from '../../../src/accounts/shared-state/ledger/operations.ts';
import { openLocalState } from '../../../src/accounts/state/local-state.ts';
import { burstMs, type Demand, dayMs, type TakeOutcome } from '../../../src/ports/ledger.ts';
import { layout } from '../../../src/publication/layout.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { isInstalled, titled } from '../../support/programs.ts';
import { type RedisServer, startRedis } from '../../support/redis.ts';

/** Shortly before a midnight. */
const start = Date.UTC(2026, 10, 22) - 90_437;
const policy = { daily: 25, lookup: 10, search: 6 };

interface Step {
  readonly gap: number;
  readonly units: number;
  readonly window: 'lookup' | 'search';
  readonly kind: 'takes' | 'fails' | 'bad key' | 'shadow';
}

const step: fc.Arbitrary<Step> = fc.record({
  gap: fc.oneof(
    fc.integer({ min: 0, max: 9_000 }),
    fc.constantFrom(0, 1, 437, 999, 1_000, 59_999, 60_000, 60_001),
  ),
  units: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.integer({ min: 1, max: 11 })),
  window: fc.constantFrom('lookup' as const, 'search' as const),
  kind: fc.constantFrom(
    'takes' as const,
    'takes' as const,
    'fails' as const,
    'bad key' as const,
    'shadow' as const,
  ),
});

describe.if(isInstalled('redis-server'))(titled('counting in the store', 'redis-server'), () => {
  let redis: RedisServer;
  let store: Connection;
  let next = 0;

  beforeAll(async () => {
    redis = await startRedis();
    store = new Connection({ url: redis.url, deadlineMs: 20_000 });
    await store.start();
  });
  afterAll(async () => {
    store.close();
    await redis.stop();
  });

  const demandOf = ({ units, window, kind }: Step, caller: string, now: number): Demand => ({
    caller,
    policy,
    window,
    units,
    countsForDay: kind !== 'bad key',
    refusable: kind !== 'shadow',
    now,
  });

  test('gives the same answers as the ledger in memory, refunds and midnights included', async () => {
    const local = openLocalState(layout(temporaryFolder('count')), 'caller');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 80, size: 'max' }), async (steps) => {
        const caller = `ip_${next++}`;
        const operations: Operation[] = [];
        const expected: TakeOutcome[] = [];
        let now = start;
        for (const each of steps) {
          now += each.gap;
          const demand = demandOf(each, caller, now);
          const taking = local.ledger.take(demand);
          expected.push(taking);
          operations.push({ op: 'take', demand, now });
          if (each.kind !== 'fails' || taking.outcome !== 'taken') continue;
          local.ledger.giveBack(demand);
          operations.push({ op: 'give', demand, takenAt: now, now });
        }
        // In calls of several sizes, because the store keeps a caller's count during one call.
        const answers: TakeOutcome[] = [];
        for (let size = 1; operations.length > 0; size = (size % 7) + 1) {
          answers.push(...(await carryOut(store, operations.splice(0, size))));
        }
        expect(answers).toEqual(expected);
      }),
      { numRuns: 60 },
    );
    await local.close();
  });

  test('admits exactly the limit in every sliding minute of ten minutes, and exactly the day', async () => {
    const minutes = 10;
    const tight = { daily: 1_500, lookup: 300, search: 60 };
    const admitted: number[] = [];
    for (let second = 0; second < minutes * 60; second++) {
      // More than the limit allows, at moments that are not the beginning of a second.
      const operations: Operation[] = Array.from({ length: 10 }, (_, n) => {
        const now = Date.UTC(2026, 10, 21, 12) + second * 1_000 + n * 97;
        const demand = { caller: 'acc_replay', policy: tight, window: 'lookup', units: 1 } as const;
        return { op: 'take', demand: { ...demand, countsForDay: true, refusable: true, now }, now };
      });
      const answers = await carryOut(store, operations);
      for (const { outcome, quota } of answers) if (outcome === 'taken') admitted.push(quota.now);
    }
    const busiest = Math.max(
      ...admitted.map((from) => admitted.filter((at) => at >= from && at < from + burstMs).length),
    );
    expect(busiest).toBe(tight.lookup);
    expect(admitted).toHaveLength(tight.daily);
  });

  test('goes on for all callers if the values of some are damaged, and replaces these', async () => {
    const now = Date.now();
    const callers = ['short', 'cut', 'list', 'sound', 'acc_field', 'acc_list'].map(
      (name) => `${name}_${next++}`,
    );
    const [short = '', cut = '', list = '', sound = '', field = '', other = ''] = callers;
    const key = (caller: string) => `lei:count:${caller}`;
    const take = (caller: string) => {
      const demand = demandOf({ gap: 0, units: 1, window: 'lookup', kind: 'takes' }, caller, now);
      return { op: 'take', demand, now: 0 } as const;
    };
    await carryOut(store, callers.map(take));
    await redis.command('SET', key(short), 'x');
    await redis.command('SETRANGE', key(cut), 26, '\xff');
    await redis.command('DEL', key(list));
    await redis.command('RPUSH', key(list), 'x');
    const day = Math.floor(now / dayMs);
    await redis.command('HSET', `lei:usage:${field}`, `${day} lookup`, 'x', 'junk', 'x');
    await redis.command('DEL', `lei:usage:${other}`);
    await redis.command('SET', `lei:usage:${other}`, 'x');
    const left = (takings: readonly TakeOutcome[]) => takings.map(({ quota }) => quota.dailyLeft);
    const { daily } = policy;
    expect(left(await carryOut(store, callers.map(take)))).toEqual([
      daily - 1,
      daily - 1,
      daily - 1,
      daily - 2,
      daily - 2,
      daily - 2,
    ]);
    expect(left(await carryOut(store, [take(list), take(sound)]))).toEqual([daily - 2, daily - 3]);
    expect(store.isThere).toBe(true);
  });

  test('a call that meets a damaged value fails alone, and the store stays present', async () => {
    await redis.command('SET', 'lei:damaged', 'x');
    expect(await store.call('HGETALL', 'lei:damaged').catch(String)).toContain(
      'The shared state holds a damaged value: WRONGTYPE',
    );
    const failing = script("return cjson.decode('{')");
    expect(await store.run(failing, [], []).catch(String)).toContain(
      'holds a damaged value: ERR user_script',
    );
    expect(store.isThere).toBe(true);
  });

  test('keeps a caller no longer than its day and its minute need, in a bounded number of bytes', async () => {
    const demand = {
      caller: 'acc_kept',
      policy: { daily: 1e6, lookup: 1e6, search: 1e6 },
      units: 1,
      refusable: true,
    };
    for (let second = 0; second < 90; second++) {
      const now = start + second * 1_000;
      const rest = { countsForDay: true, now } as const;
      await carryOut(store, [
        { op: 'take', demand: { ...demand, ...rest, window: 'lookup' }, now },
        { op: 'take', demand: { ...demand, ...rest, window: 'search' }, now },
      ]);
    }
    expect(Number(await redis.command('STRLEN', 'lei:count:acc_kept'))).toBeLessThanOrEqual(
      26 + 2 + 2 * 61 * 10,
    );
    const keptMs = Number(await redis.command('PTTL', 'lei:count:acc_kept'));
    expect(keptMs).toBeGreaterThan(burstMs);
    expect(keptMs).toBeLessThanOrEqual(dayMs + 2 * burstMs);
  });

  test('gives callers over their limit exactly the units that they may have on three connections', async () => {
    const others = await Promise.all(
      [1, 2, 3].map(async () => {
        const other = new Connection({ url: redis.url, deadlineMs: 20_000 });
        await other.start();
        return other;
      }),
    );
    const tight = { daily: 1_000, lookup: 300, search: 60 };
    const ask = (connection: Connection) => {
      const demand = { caller: 'acc_shared', policy: tight, window: 'lookup', units: 1 } as const;
      const full = { ...demand, countsForDay: true, refusable: true, now: 0 };
      return carryOut(
        connection,
        Array.from({ length: 50 }, () => ({ op: 'take', demand: full, now: 0 }) as const),
      );
    };
    const answers = await Promise.all(others.flatMap((other) => Array.from({ length: 6 }, () => ask(other))));
    expect(answers.flat().filter(({ outcome }) => outcome === 'taken')).toHaveLength(300);
    for (const other of others) other.close();
  });
});
