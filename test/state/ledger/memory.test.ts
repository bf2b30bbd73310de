import { expect, test } from 'bun:test';
import { ledgerLimits } from '../../../src/state/ledger/limits.ts';
import { noon, Opened } from '../../support/open-access.ts';

/** More than may be in memory; test/bench/access-memory.ts does the same with a million. */
const clients = 300_000;
/** About as fast as one thread could answer them; each second is followed by its tick. */
const perSecond = 50_000;

function address(number: number): string {
  return `${(number >>> 16) + 20}.${(number >>> 8) & 255}.${number & 255}.9`;
}

test('many clients at once stay within bounded memory, and none gets a full quota again', async () => {
  const opened = await Opened.open();
  try {
    opened.askTimes(98, { peer: address(0) });
    Bun.gc(true);
    const before = process.memoryUsage().heapUsed;
    let most = 0;
    let heapAtMost = 0;
    for (let first = 0; first < clients; first += perSecond) {
      const now = noon + (first / perSecond) * 1_000;
      for (let number = first; number < first + perSecond; number++) {
        opened.ask({ peer: address(number), now });
      }
      await opened.access.tick(now);
      if (opened.state.ledger.size() > most) {
        most = opened.state.ledger.size();
        Bun.gc(true);
        heapAtMost = process.memoryUsage().heapUsed - before;
      }
    }
    expect(most).toBeLessThanOrEqual(ledgerLimits.bucketsMax);
    expect(heapAtMost / most).toBeLessThan(1_500);
    expect(opened.state.counts.size()).toBe(clients);
    expect(opened.askTimes(10, { peer: address(0), now: noon + 120_000 })).toMatchObject({ admitted: 1 });
  } finally {
    await opened.close();
  }
}, 60_000);

test('clients beyond the bound share buckets while the disk takes no counts, rather than grow the memory', async () => {
  const opened = await Opened.open({ LEI_ANONYMOUS_DAILY: '1000' });
  try {
    opened.restartOver({ save: () => Promise.reject(new Error('disk full')) });
    for (let number = 0; number < ledgerLimits.bucketsMax + 20_000; number++) {
      expect(opened.ask({ peer: address(number) }).outcome).toBe('admitted');
    }
    await opened.access.tick(noon);
    expect(opened.state.ledger.size()).toBe(ledgerLimits.bucketsMax + ledgerLimits.sharedBuckets);
    // The burst of one that shares is used by others too, and none of it is new at each request.
    const latecomer = { peer: address(ledgerLimits.bucketsMax) };
    expect(opened.askTimes(400, latecomer).admitted).toBeLessThan(300);
  } finally {
    await opened.close();
  }
}, 60_000);
