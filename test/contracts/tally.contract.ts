/** The contract that every {@link Tally} keeps, with the ledger and the usage of the same state. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { dayMs } from '../../src/ports/ledger.ts';
import type { CallerDay, State } from '../../src/ports/state.ts';
import type { Installation } from './installation.ts';

/** The store's clock decides which days are over. */
const now = Date.now();
const today = Math.floor(now / dayMs);

/** @param install makes an empty installation */
export function tallyContract(install: () => Installation): void {
  let state: State;

  beforeEach(async () => {
    state = await install().open();
  });
  afterEach(() => state.close());

  const dayOf = (caller: string, day: number, lookup: number, search: number): CallerDay => ({
    caller,
    day,
    units: { lookup, search },
  });
  const days = async () => {
    const read: CallerDay[] = [];
    for await (const some of state.tally().read()) read.push(...some);
    return read;
  };
  const told = () => state.usage.of('acc_one', today);

  test('counts can be read by caller, day and kind', async () => {
    const policy = { daily: 1_000, lookup: 600, search: 200 };
    const demand = { policy, countsForDay: true, refusable: true, now } as const;
    await state.ledger.take({ ...demand, caller: 'acc_one', window: 'lookup', units: 30 });
    await state.ledger.take({ ...demand, caller: 'acc_one', window: 'search', units: 4 });
    await state.ledger.take({ ...demand, caller: 'ip_two', window: 'lookup', units: 5 });
    await state.ledger.save(now);
    const read = await days();
    expect(read).toContainEqual(dayOf('acc_one', today, 30, 4));
    expect(read).toContainEqual(dayOf('ip_two', today, 5, 0));
  });

  test('raising a count keeps the larger value whole, and raising it twice changes nothing', async () => {
    const tally = state.tally();
    expect(await tally.raise([dayOf('acc_one', today - 2, 10, 3), dayOf('acc_one', today - 1, 1, 1)])).toBe(
      2,
    );
    expect(await tally.raise([dayOf('acc_one', today - 2, 2, 9), dayOf('acc_one', today - 1, 0, 5)])).toBe(1);
    expect(await tally.raise([dayOf('acc_one', today - 2, 3, 10), dayOf('acc_one', today - 1, 5, 0)])).toBe(
      0,
    );
    expect(await told()).toEqual([
      { day: today - 2, lookup: 10, search: 3 },
      { day: today - 1, lookup: 0, search: 5 },
    ]);
  });

  test('very many days can be raised and read', async () => {
    const many = Array.from({ length: 2_500 }, (_, number) =>
      dayOf(`acc_${number}`, today - 1, number + 1, 2),
    );
    expect(await state.tally().raise(many)).toBe(many.length);
    expect(await state.tally().raise(many)).toBe(0);
    const read = await days();
    expect(new Set(read.map(text))).toEqual(new Set(many.map(text)));
  });
}

function text({ caller, day, units: { lookup, search } }: CallerDay): string {
  return `${caller} ${day} ${lookup} ${search}`;
}
