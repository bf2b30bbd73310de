import { describe, expect, test } from 'bun:test';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { CountRows } from '../../../../src/accounts/state/ledger/count-rows.ts';
import { Journal } from '../../../../src/accounts/state/ledger/journal.ts';
import { LocalLedger } from '../../../../src/accounts/state/ledger/local-ledger.ts';
import { ledgerLimits } from '../../../../src/accounts/state/limits.ts';
import { openLocalState } from '../../../../src/accounts/state/local-state.ts';
import { type Demand, dayMs } from '../../../../src/ports/ledger.ts';
import { layout } from '../../../../src/publication/layout.ts';
import { temporaryFolder } from '../../../support/folders.ts';

/** Shortly before midnight, so that a day ends during the run. */
const start = Date.UTC(2026, 10, 21, 23, 59, 55);
const policy = { daily: 1_000, lookup: 500, search: 500 };
const demandOf = (given: Partial<Demand>): Demand => ({
  caller: 'ip_one',
  policy,
  window: 'lookup',
  units: 1,
  countsForDay: true,
  refusable: true,
  now: start,
  ...given,
});

type Step =
  | {
      readonly does: 'take';
      readonly caller: string;
      readonly window: 'lookup' | 'search';
      readonly gap: number;
    }
  | { readonly does: 'refund' | 'save' | 'failing save' | 'crash' };

const steps = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        does: fc.constant('take' as const),
        caller: fc.constantFrom('ip_one', 'acc_two', 'ip_1234567890123456789012'),
        window: fc.constantFrom('lookup' as const, 'search' as const),
        gap: fc.integer({ min: 0, max: 1_500 }),
      }),
    },
    { weight: 4, arbitrary: fc.record({ does: fc.constantFrom('refund', 'save', 'failing save', 'crash') }) },
  ) satisfies fc.Arbitrary<Step>,
  { maxLength: 60, size: 'max' },
);

describe('counts of a process that is killed', () => {
  test('are all there at the next start, whatever was saved before and however often it is killed', async () => {
    const state = openLocalState(layout(temporaryFolder('journal')));
    const folder = temporaryFolder('journals');
    let run = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        // Each run has its own rows and journal: callers are identified by its number.
        run++;
        const counts: CountRows = {
          ...state.counts,
          *all() {
            for (const row of state.counts.all()) if (row.caller.startsWith(`${run} `)) yield row;
          },
        };
        await play(plan, counts, join(folder, String(run)), `${run} `);
      }),
      { numRuns: 60 },
    );
    await state.close();
  });

  test('are restored to the second of each window', () => {
    const path = join(temporaryFolder('journal'), 'counts');
    const rows: CountRows = noRows();
    const first = new LocalLedger(rows, new Journal(path));
    for (const later of [0, 100, 1_100, 1_200]) first.take(demandOf({ now: start + later, units: 125 }));
    const journal = new Journal(path);
    // Each second takes one, however many requests it had.
    expect([...journal.unsaved()].map(({ units }) => units)).toEqual([250, 250]);
    const next = new LocalLedger(rows, journal);
    expect(next.take(demandOf({ now: start + 60_099, units: 1 })).outcome).toBe('refused');
    expect(next.take(demandOf({ now: start + 60_100, units: 250 })).outcome).toBe('taken');
    expect(next.take(demandOf({ now: start + 60_100, units: 1 })).outcome).toBe('refused');
  });

  test('of more callers than the journal has room for are kept as far as they fit, and nobody is refused', () => {
    const path = join(temporaryFolder('journal'), 'counts');
    const rows = noRows();
    const first = new LocalLedger(rows, new Journal(path));
    const callers = ledgerLimits.journalEntriesMax + 10;
    for (let n = 0; n < callers; n++) {
      expect(first.take(demandOf({ caller: `ip_${n}` })).outcome).toBe('taken');
    }
    expect([...new Journal(path).unsaved()]).toHaveLength(ledgerLimits.journalEntriesMax);
  });
});

test('a journal of another format or length is started afresh', () => {
  const path = join(temporaryFolder('journal'), 'counts');
  const fresh = new Journal(path);
  expect([...fresh.unsaved()]).toEqual([]);
  const { size } = statSync(path);
  const oddGenerations = readFileSync(path);
  oddGenerations.writeUInt32LE(2 ** 31, 4);
  for (const content of ['something else', 'x'.repeat(size), oddGenerations]) {
    writeFileSync(path, content);
    expect([...new Journal(path).unsaved()]).toEqual([]);
    expect(statSync(path).size).toBe(size);
  }
});

function noRows(): CountRows {
  return {
    all: () => [],
    save: async () => {},
    forgetBefore: async () => {},
    unitsOn: () => null,
    forgetUsageBefore: async () => {},
  };
}

/** Runs the plan on a ledger that is killed repeatedly, beside one that never is, and compares them. */
async function play(plan: readonly Step[], counts: CountRows, path: string, prefix: string): Promise<void> {
  let full = false;
  const rows: CountRows = {
    ...counts,
    save: (some) => (full ? Promise.reject(new Error('no space left')) : counts.save(some)),
  };
  const reference = new LocalLedger(noRows(), null);
  let ledger = new LocalLedger(rows, new Journal(path));
  let last: Demand | null = null;
  let now = start;
  for (const step of plan) {
    if (step.does === 'take') {
      now += step.gap;
      last = demandOf({ caller: prefix + step.caller, window: step.window, now });
      const [taking, expected] = [ledger.take(last), reference.take(last)];
      expect(taking.quota.dailyLeft).toBe(expected.quota.dailyLeft);
      // A refund since the last save may be missing from the minute; then the unit counts longer.
      expect(taking.quota.burstLeft).toBeLessThanOrEqual(expected.quota.burstLeft);
    } else if (step.does === 'refund') {
      if (last !== null) expect(ledger.giveBack(last).dailyLeft).toBe(reference.giveBack(last).dailyLeft);
      last = null;
    } else if (step.does === 'crash') {
      ledger = new LocalLedger(rows, new Journal(path));
    } else {
      full = step.does === 'failing save';
      await ledger.save(now).catch(() => {});
    }
    const today = Math.floor(now / dayMs);
    for (const caller of [`${prefix}acc_two`, `${prefix}ip_one`]) {
      expect(ledger.usage(caller, today)).toEqual(reference.usage(caller, today));
    }
  }
}
