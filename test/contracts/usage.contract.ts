/** The contract that every {@link UsageHistory} keeps, with the ledger of the same state. Time is a parameter. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { burstMs, type Demand, dayMs } from '../../src/ports/ledger.ts';
import type { State } from '../../src/ports/state.ts';
import { usageDays } from '../../src/ports/state.ts';
import { demandOf, type Installation } from './installation.ts';

/** 21 November 2026, 12:00 UTC. */
const noon = Date.UTC(2026, 10, 21, 12);
const midnight = noon + dayMs / 2;
const today = Math.floor(noon / dayMs);
const policy = { daily: 1_000, lookup: 600, search: 200 };

/** @param install makes an empty installation */
export function usageContract(install: () => Installation): void {
  let installation: Installation;
  let state: State;

  const demand = (given: Partial<Demand> = {}) => demandOf({ caller: 'acc_one', policy, now: noon }, given);
  const take = async (given: Partial<Demand> = {}) => state.ledger.take(demand(given));
  const restart = async (now: number) => {
    await state.ledger.save(now);
    await state.close();
    state = await installation.open();
  };

  beforeEach(async () => {
    installation = install();
    state = await installation.open();
  });
  afterEach(() => state.close());

  test('units are reported by day and kind, for the asked account only', async () => {
    expect(await state.usage.of('acc_one', today)).toEqual([]);
    await take({ units: 100 });
    await take({ units: 5, now: noon + 2_000 });
    await take({ window: 'search', units: 7 });
    await take({ caller: 'acc_two' });
    expect(await state.usage.of('acc_one', today)).toEqual([{ day: today, lookup: 105, search: 7 }]);
    expect(await state.usage.of('acc_two', today)).toEqual([{ day: today, lookup: 1, search: 0 }]);
    expect(await state.usage.of('acc_nobody', today)).toEqual([]);
  });

  test('refused and refunded units are not reported', async () => {
    const failing = demand({ window: 'search', units: 30 });
    await take({ units: 10 });
    await state.ledger.take(failing);
    expect((await take({ units: 1_000 })).outcome).toBe('refused');
    state.ledger.giveBack(failing);
    await state.ledger.save(noon);
    expect(await state.usage.of('acc_one', today)).toEqual([{ day: today, lookup: 10, search: 0 }]);
  });

  test('days end at midnight UTC, with or without a restart between', async () => {
    await take({ units: 10, now: midnight - 1 });
    await restart(midnight - 1);
    await take({ window: 'search', units: 3, now: midnight - 1 });
    await take({ window: 'search', units: 5, now: midnight });
    await restart(midnight + 1_000);
    await take({ units: 2, now: midnight + burstMs });
    expect(await state.usage.of('acc_one', today + 1)).toEqual([
      { day: today, lookup: 10, search: 3 },
      { day: today + 1, lookup: 2, search: 5 },
    ]);
    // Future days are not reported.
    expect(await state.usage.of('acc_one', today)).toEqual([{ day: today, lookup: 10, search: 3 }]);
  });

  test('days are kept longer than quotas need, across restarts, and are deleted after the last of them', async () => {
    for (let day = 0; day < usageDays + 3; day++) {
      const now = noon + day * dayMs;
      await take({ units: day + 1, now });
      await take({ window: 'search', units: 1, now });
      await state.ledger.save(now);
      await state.ledger.forgetBefore(today + day - 1);
      await state.usage.forgetBefore(today + day - usageDays + 1);
      if (day % 10 === 0) await restart(now);
    }
    const last = today + usageDays + 2;
    const told = await state.usage.of('acc_one', last);
    expect(told).toEqual(
      Array.from({ length: usageDays }, (_, n) => ({ day: today + 3 + n, lookup: n + 4, search: 1 })),
    );
    await state.usage.forgetBefore(last - 5);
    expect((await state.usage.of('acc_one', last)).map(({ day }) => day)).toEqual(
      [5, 4, 3, 2, 1, 0].map((before) => last - before),
    );
  });
}
