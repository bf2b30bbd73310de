/** Tests one ledger with several threads of one process: real workers, one memory, one journal. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import type { CountRows } from '../../../../src/accounts/state/ledger/count-rows.ts';
import { Journal } from '../../../../src/accounts/state/ledger/journal.ts';
import { LocalLedger } from '../../../../src/accounts/state/ledger/local-ledger.ts';
import type { Usage } from '../../../../src/accounts/state/ledger/records.ts';
import type { Demand } from '../../../../src/ports/ledger.ts';
import { temporaryFolder } from '../../../support/folders.ts';

const noon = Date.UTC(2026, 10, 21, 12);
const demandOf = (caller: string, daily: number): Demand => ({
  caller,
  policy: { daily, lookup: 1_000_000, search: 1_000_000 },
  window: 'lookup',
  units: 1,
  countsForDay: true,
  refusable: true,
  now: noon,
});

let lastThread = 0;

function start(ledger: LocalLedger, order: object) {
  const thread = ++lastThread;
  const worker = new Worker(new URL('../../../support/counting-worker.ts', import.meta.url).href);
  const said = new Promise<unknown>((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<unknown>) => resolve(data);
  });
  worker.postMessage({ share: ledger.share, thread, ...order });
  return { thread, worker, said };
}

function ledgerIn(path: string, rows: CountRows = noRows): LocalLedger {
  return new LocalLedger(rows, new Journal(path));
}

const noRows: CountRows = {
  all: () => [],
  save: async () => {},
  forgetBefore: async () => {},
  unitsOn: () => null,
  forgetUsageBefore: async () => {},
};

async function takenBy(ledger: LocalLedger, threads: number, demands: readonly Demand[], times: number) {
  const all = Array.from({ length: threads }, () => start(ledger, { demands, times }));
  const taken = await Promise.all(all.map(({ said }) => said));
  for (const { worker } of all) worker.terminate();
  return taken.reduce<number>((sum, each) => sum + Number(each), 0);
}

test('four threads take exactly the quota of one caller, and of each of a thousand, and lose nothing in a crash', async () => {
  const path = join(temporaryFolder('shared'), 'counts');
  const ledger = ledgerIn(path);
  expect(await takenBy(ledger, 4, [demandOf('ip_one', 50_000)], 20_000)).toBe(50_000);
  const many = Array.from({ length: 1_000 }, (_, number) => demandOf(`ip_${number}`, 30));
  expect(await takenBy(ledger, 4, many, 15)).toBe(30_000);
  // No save: the process ends here, and only the journal has the counts.
  const next = ledgerIn(path);
  expect(next.take(demandOf('ip_one', 50_000)).outcome).toBe('refused');
  expect(many.filter((demand) => next.take(demand).outcome === 'taken')).toEqual([]);
});

test('a save during counting in other threads misses nothing', async () => {
  const saved = new Map<string, Usage>();
  const rows: CountRows = {
    ...noRows,
    all: () =>
      Array.from(saved, ([caller, usage]) => ({ caller, day: Math.floor(noon / 86_400_000), usage })),
    async save(some) {
      await Bun.sleep(1);
      for (const { caller, usage } of some) saved.set(caller, usage);
    },
  };
  const path = join(temporaryFolder('shared'), 'counts');
  const ledger = ledgerIn(path, rows);
  const many = Array.from({ length: 200 }, (_, number) => demandOf(`ip_${number}`, 400));
  let counting = true;
  const counted = takenBy(ledger, 3, many, 60).finally(() => {
    counting = false;
  });
  while (counting) await ledger.save(noon);
  const taken = await counted;
  // As after a kill -9: the last confirmed save, and the journal.
  const next = ledgerIn(path, rows);
  const left = many.reduce((sum, demand) => {
    const { quota } = next.take({ ...demand, units: 400 });
    return sum + quota.dailyLeft;
  }, 0);
  expect(200 * 400 - left).toBe(taken);
});

test('a lock opens when its thread has ended, and the counts behind it can be changed and saved again', async () => {
  const ledger = ledgerIn(join(temporaryFolder('shared'), 'counts'));
  for (let unit = 0; unit < 7; unit++) ledger.take(demandOf('ip_held', 10));
  const holder = start(ledger, { hold: 'ip_held' });
  expect(await holder.said).toBe('held');
  // The main thread must not block: it has to learn that the thread has ended.
  await expect(ledger.save(noon)).rejects.toThrow('locked');
  const waiting = start(ledger, { demands: [demandOf('ip_held', 10)], times: 3 });
  const ended = new Promise((resolve) => holder.worker.addEventListener('close', resolve));
  holder.worker.terminate();
  await ended;
  ledger.free(holder.thread);
  await waiting.said;
  waiting.worker.terminate();
  await ledger.save(noon);
  expect(ledger.take(demandOf('ip_held', 10)).quota.dailyLeft).toBeLessThan(3);
});
