/** The contract that every {@link Ledger} keeps, however it moves its counts. Time is a parameter. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { burstMs, type Demand, dayMs, type Ledger } from '../../src/ports/ledger.ts';
import { demandOf, type Installation } from './installation.ts';

/** 21 November 2026, 12:00 UTC. */
const noon = Date.UTC(2026, 10, 21, 12);
const midnight = noon + dayMs / 2;
const policy = { daily: 100, lookup: 60, search: 20 };

/**
 * @param install makes an empty installation
 * @param runs how many random clients are played
 */
export function ledgerContract(install: () => Installation, runs = 100): void {
  let installation: Installation;
  let ledger: Ledger;
  let close: () => Promise<void>;
  /** A new process over the same counts; `now` is the time of the old one's last save. */
  const restart = async (now: number) => {
    await ledger.save(now);
    await close();
    ({ ledger, close } = await installation.open());
  };

  beforeEach(async () => {
    installation = install();
    ({ ledger, close } = await installation.open());
  });
  afterEach(() => close());

  const demand = (given: Partial<Demand> = {}) => demandOf({ caller: 'ip_one', policy, now: noon }, given);
  const take = async (given: Partial<Demand> = {}) => ledger.take(demand(given));
  const takeTimes = async (times: number, given: Partial<Demand> = {}) => {
    let taken = 0;
    for (let i = 0; i < times; i++) if ((await take(given)).outcome === 'taken') taken++;
    return taken;
  };

  describe('taking', () => {
    test('returns the rest of both quotas and when each is restored', async () => {
      expect(await take({ units: 3, now: noon + 250 })).toEqual({
        outcome: 'taken',
        quota: {
          now: noon + 250,
          policy,
          window: 'lookup',
          dailyLeft: 97,
          burstLeft: 57,
          dailyReturnsAt: midnight,
          burstReturnsAt: noon + 250 + burstMs,
        },
      });
    });

    test('takes all units or none, and a refusal costs nothing', async () => {
      expect((await take({ units: 50 })).outcome).toBe('taken');
      expect(await take({ units: 11, now: noon + 1_000 })).toMatchObject({
        outcome: 'refused',
        violatedPolicies: ['lookup'],
        returnsAt: noon + burstMs,
        quota: { dailyLeft: 50, burstLeft: 10 },
      });
      expect(await take({ units: 10, now: noon + 1_000 })).toMatchObject({ quota: { burstLeft: 0 } });
    });

    test('says when a refused demand will fit, rather than when the first unit returns', async () => {
      for (const second of [0, 1, 2, 3]) await take({ units: 15, now: noon + second * 1_000 });
      const refused = await take({ units: 31, now: noon + 4_000 });
      expect(refused).toMatchObject({
        returnsAt: noon + 2_000 + burstMs,
        quota: { burstReturnsAt: noon + burstMs },
      });
      expect((await take({ units: 31, now: noon + 2_000 + burstMs - 1 })).outcome).toBe('refused');
      expect((await take({ units: 31, now: noon + 2_000 + burstMs })).outcome).toBe('taken');
    });

    test('refuses more units than the policy ever allows, and says when the whole quota is back', async () => {
      await take({ units: 5 });
      const returnsAt = noon + burstMs;
      expect(await take({ units: 61, now: noon + 10 })).toMatchObject({ outcome: 'refused', returnsAt });
      const untouched = { outcome: 'refused', returnsAt: noon + 10 + burstMs } as const;
      expect(await take({ caller: 'ip_two', units: 61, now: noon + 10 })).toMatchObject(untouched);
    });

    test('names the day before the minute, and the later of both times', async () => {
      const small = { daily: 5, lookup: 5, search: 5 };
      await take({ policy: small, units: 5 });
      expect(await take({ policy: small })).toMatchObject({
        violatedPolicies: ['daily', 'lookup'],
        returnsAt: midnight,
      });
    });

    test('counts callers separately, and the two kinds of requests of one caller', async () => {
      await takeTimes(60);
      expect(await takeTimes(100, { caller: 'acc_two' })).toBe(60);
      expect(await takeTimes(100, { window: 'search' })).toBe(20);
    });

    test('for a bad key charges the minute only, even if the day is used up', async () => {
      await take({ units: 60 });
      await take({ units: 40, now: noon + burstMs });
      const guess = { countsForDay: false, now: noon + 2 * burstMs };
      expect(await take(guess)).toMatchObject({ outcome: 'taken', quota: { dailyLeft: 0, burstLeft: 59 } });
      expect(await takeTimes(100, guess)).toBe(59);
      expect(await take(guess)).toMatchObject({ outcome: 'refused', violatedPolicies: ['lookup'] });
    });

    test('counts but refuses nothing in shadow mode', async () => {
      expect(await takeTimes(150, { refusable: false })).toBe(150);
      expect(await take({ refusable: false, units: 5 })).toMatchObject({
        outcome: 'taken',
        quota: { dailyLeft: 0, burstLeft: 0 },
      });
      expect((await take({ now: noon + 2 * burstMs })).outcome).toBe('refused');
    });
  });

  describe('giving back', () => {
    test('returns exactly what was taken', async () => {
      await take({ units: 7 });
      const batch = demand({ units: 30, now: noon + 400 });
      await ledger.take(batch);
      expect(ledger.giveBack(batch)).toMatchObject({ dailyLeft: 93, burstLeft: 53 });
      expect(await take({ units: 53, now: noon + 500 })).toMatchObject({ quota: { burstLeft: 0 } });
    });

    test('may return a part of what was taken', async () => {
      const batch = demand({ units: 50, now: noon });
      await ledger.take(batch);
      expect(ledger.giveBack(batch, 20)).toMatchObject({ dailyLeft: 70, burstLeft: 30 });
      expect(await take({ units: 30, now: noon + 500 })).toMatchObject({
        outcome: 'taken',
        quota: { dailyLeft: 40, burstLeft: 0 },
      });
    });

    test('leaves later takings in place', async () => {
      const failing = demand({ units: 59 });
      await ledger.take(failing);
      await take({ now: noon + 10_000 });
      ledger.giveBack(failing);
      expect((await take({ units: 60, now: noon + 10_000 + burstMs - 1 })).outcome).toBe('refused');
      expect((await take({ units: 60, now: noon + 10_000 + burstMs })).outcome).toBe('taken');
    });

    test('after midnight does not affect the new day', async () => {
      const late = demand({ units: 10, now: midnight - 1 });
      await ledger.take(late);
      await take({ now: midnight });
      expect(ledger.giveBack(late)).toMatchObject({ dailyLeft: 99, burstLeft: 59 });
    });
  });

  describe('a restart', () => {
    test('keeps the day’s count, and the minute’s by the second', async () => {
      await take({ units: 30 });
      await take({ units: 30, now: noon + 20_000 });
      await restart(noon + 21_000);
      expect((await take({ now: noon + burstMs - 1 })).outcome).toBe('refused');
      expect(await takeTimes(100, { now: noon + burstMs })).toBe(30);
      expect(await takeTimes(100, { now: noon + 20_000 + burstMs })).toBe(10);
    });

    test('keeps refunds', async () => {
      const failing = demand({ units: 60 });
      await ledger.take(failing);
      await ledger.save(noon);
      ledger.giveBack(failing);
      await restart(noon + 1_000);
      expect(await takeTimes(100, { now: noon + 1_000 })).toBe(60);
    });

    test('keeps the minute across midnight, and starts the new day in full', async () => {
      await take({ units: 60, now: midnight - 1_000 });
      await restart(midnight - 500);
      expect((await take({ now: midnight + burstMs - 1_001 })).outcome).toBe('refused');
      expect(await take({ units: 60, now: midnight + burstMs - 1_000 })).toMatchObject({
        outcome: 'taken',
        quota: { dailyLeft: 40 },
      });
    });

    test('starts a forgotten day afresh', async () => {
      await take({ units: 60 });
      await ledger.save(noon);
      await ledger.forgetBefore(noon / dayMs + 1);
      await close();
      ({ ledger, close } = await installation.open());
      expect((await take({ units: 60, now: noon + burstMs })).outcome).toBe('taken');
    });
  });

  describe('whatever a client does', () => {
    test('no 60 seconds and no UTC day admit more units than the policy allows', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 80, size: 'max' }), async (steps) => {
          const caller = `ip_${nextCaller++}`;
          const served = await play(steps, caller);
          expect(busiest(served, (first, at) => at < first + burstMs)).toBeLessThanOrEqual(tight.lookup);
          const sameDay = (first: number, at: number) => Math.floor(first / dayMs) === Math.floor(at / dayMs);
          expect(busiest(served, sameDay)).toBeLessThanOrEqual(tight.daily);
        }),
        { numRuns: runs },
      );
    });
  });

  const tight = { daily: 25, lookup: 10, search: 10 };
  let nextCaller = 0;

  /** Sends requests of one caller, some of which fail or survive a restart; returns those that were served. */
  async function play(steps: readonly Step[], caller: string): Promise<readonly Served[]> {
    // Close to midnight, so that the day ends during the run.
    let now = midnight - 90_437;
    const served: Served[] = [];
    const failing: Demand[] = [];
    for (const { gap, units, fate } of steps) {
      now += gap;
      for (const failed of failing.splice(0)) ledger.giveBack(failed);
      const asked = demand({ caller, policy: tight, units, now });
      if ((await ledger.take(asked)).outcome === 'refused') continue;
      if (fate === 'fails') failing.push(asked);
      else served.push({ at: now, units });
      if (fate === 'restart') await restart(now);
    }
    return served;
  }
}

interface Step {
  readonly gap: number;
  readonly units: number;
  readonly fate: 'served' | 'fails' | 'restart';
}

const step: fc.Arbitrary<Step> = fc.record({
  gap: fc.oneof(
    fc.integer({ min: 0, max: 40 }),
    fc.integer({ min: 0, max: 9_000 }),
    fc.constantFrom(0, 1, 437, 999, 1_000, 59_999, 60_000, 60_001),
  ),
  units: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.integer({ min: 1, max: 11 })),
  fate: fc.oneof(
    { weight: 50, arbitrary: fc.constant('served' as const) },
    { weight: 16, arbitrary: fc.constant('fails' as const) },
    { weight: 1, arbitrary: fc.constant('restart' as const) },
  ),
});

interface Served {
  readonly at: number;
  readonly units: number;
}

/** The most units in a span that begins at a served request; no other span holds more. */
function busiest(served: readonly Served[], within: (first: number, at: number) => boolean): number {
  const inSpan = (first: number) => served.filter(({ at }) => at >= first && within(first, at));
  const sums = served.map(({ at }) => inSpan(at).reduce((sum, { units }) => sum + units, 0));
  return Math.max(0, ...sums);
}
