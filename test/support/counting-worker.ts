/**
 * Runs a thread that joins a ledger and counts there, until it is told to end or is terminated while it holds a lock.
 */
import { joinLocalLedger } from '../../src/accounts/state/ledger/local-ledger.ts';
import { LedgerMemory } from '../../src/accounts/state/ledger/memory.ts';
import { ShardRecords } from '../../src/accounts/state/ledger/records.ts';
import type { Demand } from '../../src/ports/ledger.ts';
import type { LedgerShare } from '../../src/ports/state.ts';

declare const self: Worker;

export type CountingOrder =
  /** Takes these units so many times, and returns how many were taken. */
  | {
      readonly share: LedgerShare;
      readonly thread: number;
      readonly demands: readonly Demand[];
      readonly times: number;
    }
  /** Locks the record of a caller and never lets go. */
  | { readonly share: LedgerShare; readonly thread: number; readonly hold: string };

self.onmessage = ({ data }: MessageEvent<CountingOrder>) => {
  if ('hold' in data) {
    new ShardRecords(new LedgerMemory(data.share.memory, data.thread)).open(data.hold);
    self.postMessage('held');
    return;
  }
  const ledger = joinLocalLedger(data.share, data.thread);
  let taken = 0;
  for (let time = 0; time < data.times; time++) {
    for (const demand of data.demands) {
      if (ledger.take({ ...demand, now: demand.now + time }).outcome === 'taken') taken++;
      // Every third is refunded, as after a 503, and asked for again.
      if (time % 3 === 0 && taken > 0) {
        ledger.giveBack({ ...demand, now: demand.now + time });
        taken--;
      }
    }
  }
  self.postMessage(taken);
};
