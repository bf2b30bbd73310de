/** Makes the store count: all operations of a call at once, by count.lua. */
import type { Taking } from '../../ports/ledger.ts';
import type { CallerDay } from '../../ports/tally.ts';
import { type Caller, script } from '../connection.ts';
import source from './count.lua' with { type: 'text' };
import { type Operation, pack, readTakings } from './operations.ts';

/** The keys of callers' counts begin with it. */
export const callerKeys = 'lei:count:';

const count = script(`local callerKeys = '${callerKeys}'\n${source}`);

/** Executes all of them, in this order. @returns an answer for each `take` */
export async function carryOut(
  store: Caller,
  operations: readonly Operation[],
  deadlineMs?: number,
): Promise<readonly Taking[]> {
  return readTakings(operations, await store.exchange(count, [], pack(operations), deadlineMs));
}

/** Raises the counts of days that have fewer units. @returns how many were raised */
export async function raiseTo(store: Caller, days: readonly CallerDay[]): Promise<number> {
  const keys = days.map(({ caller }) => `${callerKeys}${caller}`);
  const bytes = pack(days.map((day) => ({ ...day, op: 'raise', now: 0 })));
  const raised = await store.exchange(count, keys, bytes);
  return raised.filter((each) => each === 1).length;
}
