/** The ledger of one service: counts in its memory, journalled at once and saved to the local state each second. */
import {
  burstMs,
  type Demand,
  dayMs,
  type Ledger,
  type QuotaState,
  type Taking,
  type ViolatedPolicy,
} from '../../ports/ledger.ts';
import { type Bucket, dayOf } from './bucket.ts';
import { BucketBook } from './bucket-book.ts';
import type { CountRows } from './count-rows.ts';
import type { Journal } from './journal.ts';

export interface LocalLedger extends Ledger {
  take(demand: Demand): Taking;
}

/** Reads every count of the rows and the journal. Nobody else may write them while the ledger is used. */
export function createLocalLedger(rows: CountRows, journal: Journal | null): LocalLedger {
  const book = new BucketBook(rows, journal);
  return {
    take(demand) {
      const bucket = book.open(demand.caller, demand.now);
      const refusal = demand.refusable ? refusalOf(bucket, demand) : null;
      if (refusal !== null) return refusal;
      if (demand.countsForDay) bucket.used += demand.units;
      bucket.window(demand.window).take(demand.now, demand.units);
      book.changed(bucket, demand.window);
      return { outcome: 'taken', quota: stateOf(bucket, demand, demand.now) };
    },
    giveBack: (demand) => refund(book, demand),
    save: (now) => book.save(now),
    forgetBefore: (day) => book.forgetBefore(day),
    size: () => book.size,
  };
}

function refusalOf(bucket: Bucket, demand: Demand): Taking | null {
  const { policy, window, units, now, countsForDay } = demand;
  const burst = bucket.window(window);
  const dailyOver = countsForDay && bucket.used + units > policy.daily;
  const burstOver = burst.used(now) + units > policy[window];
  if (!dailyOver && !burstOver) return null;
  const quota = stateOf(bucket, demand, now);
  const violatedPolicies: ViolatedPolicy[] = [];
  let returnsAt = 0;
  if (dailyOver) {
    violatedPolicies.push('daily');
    returnsAt = quota.dailyReturnsAt;
  }
  if (burstOver) {
    violatedPolicies.push(window);
    returnsAt = Math.max(returnsAt, burst.fallsTo(policy[window] - units) ?? now + burstMs);
  }
  return { outcome: 'refused', quota, violatedPolicies, returnsAt };
}

function refund(book: BucketBook, demand: Demand): QuotaState {
  // Use the latest time: an older one rewinds the windows, and what was taken since would count too short.
  const now = Math.max(demand.now, book.lastAsked(demand.caller, demand.now));
  const bucket = book.open(demand.caller, now);
  // Past midnight the day that was charged is over, and its count with it.
  if (demand.countsForDay && bucket.day === dayOf(demand.now)) bucket.used -= demand.units;
  bucket.window(demand.window).refund(demand.now, demand.units);
  book.changed(bucket, demand.window);
  return stateOf(bucket, demand, now);
}

/** Of a bucket that is open at this moment. */
function stateOf(bucket: Bucket, { policy, window }: Demand, now: number): QuotaState {
  const burst = bucket.window(window);
  const burstUsed = burst.used(now);
  return {
    now,
    policy,
    window,
    dailyLeft: Math.max(0, policy.daily - bucket.used),
    burstLeft: Math.max(0, policy[window] - burstUsed),
    dailyReturnsAt: (bucket.day + 1) * dayMs,
    burstReturnsAt: burst.returnsAt() ?? now + burstMs,
  };
}
