import { expect, test } from 'bun:test';
import { CountingLedger } from '../../../../src/accounts/state/ledger/counting.ts';
import { LedgerMemory, ledgerMemory } from '../../../../src/accounts/state/ledger/memory.ts';
import { ShardRecords } from '../../../../src/accounts/state/ledger/records.ts';
import { ledgerLimits } from '../../../../src/accounts/state/limits.ts';
import { noon, Opened, rowsOf } from '../../../support/open-access.ts';

/** test/bench/access-memory.ts does the same with a million. */
const clients = 150_000;
/** A tick follows each second. */
const perSecond = 25_000;

function address(number: number): string {
  return `${(number >>> 16) + 20}.${(number >>> 8) & 255}.${number & 255}.9`;
}

test('many clients at once stay within bounded memory, and none gets a full quota again', async () => {
  const opened = await Opened.open();
  try {
    opened.askTimes(98, { peer: address(0) });
    for (let first = 0; first < clients; first += perSecond) {
      const now = noon + (first / perSecond) * 1_000;
      for (let number = first; number < first + perSecond; number++) {
        opened.ask({ peer: address(number), now });
      }
      await opened.access.tick(now);
    }
    const { ledger, counts } = opened.state;
    expect(ledger.size()).toBe(clients);
    expect(ledger.bytes() / clients).toBeLessThan(160);
    expect(rowsOf({ counts })).toBe(clients);
    expect(opened.askTimes(10, { peer: address(0), now: noon + 120_000 })).toMatchObject({ admitted: 1 });
  } finally {
    await opened.close();
  }
});

test('a returning client takes no more memory', async () => {
  const opened = await Opened.open();
  try {
    const minuteOf = async (minute: number) => {
      for (let second = 0; second < 60; second++) {
        for (let number = 0; number < 100; number++) {
          opened.ask({ peer: address(number), now: noon + minute * 60_000 + second * 1_000 });
        }
      }
      await opened.access.tick(noon + minute * 60_000 + 59_000);
      return opened.state.ledger.bytes();
    };
    const first = await minuteOf(0);
    for (let minute = 1; minute < 10; minute++) expect(await minuteOf(minute)).toBe(first);
  } finally {
    await opened.close();
  }
});

test('clients beyond the bound share counts instead of growing the memory', () => {
  const bounds = { ...ledgerLimits, callersMax: 20_000 };
  const records = new ShardRecords(new LedgerMemory(ledgerMemory(), 0), bounds);
  const counting = new CountingLedger(records, null);
  const demand = (number: number) =>
    ({
      caller: `ip_${number}`,
      policy: { daily: 1_000, lookup: 300, search: 60 },
      window: 'lookup',
      units: 1,
      countsForDay: true,
      refusable: true,
      now: noon,
    }) as const;
  for (let number = 0; number < 40_000; number++) expect(counting.take(demand(number)).outcome).toBe('taken');
  expect(records.memory.callers).toBe(bounds.callersMax + bounds.sharedRecords);
  // Clients that share a count also share its burst, and no request starts it afresh.
  let taken = 0;
  for (let ask = 0; ask < 400; ask++) if (counting.take(demand(20_001)).outcome === 'taken') taken++;
  expect(taken).toBeLessThan(300);
});
