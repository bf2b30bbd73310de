/** What the store is asked to count, as count.lua reads it, and what it answers. */
import {
  type BurstWindow,
  burstMs,
  type Demand,
  dayMs,
  type Taking,
  type ViolatedPolicy,
} from '../../ports/ledger.ts';
import type { CallerDay } from '../../ports/tally.ts';
import { type Caller, script } from '../connection.ts';
import source from './count.lua' with { type: 'text' };

const count = script(source);
const numbersPerTaking = 6;
const windows = { lookup: 1, search: 2 } as const;
const flag = { countsForDay: 1, refusable: 2 } as const;

/** `now` is epoch milliseconds, 0 for the store's own clock. */
export type Operation =
  | { readonly op: 'take'; readonly demand: Demand; readonly now: number }
  /** Gives back what was taken at a moment of the store's clock. */
  | { readonly op: 'give'; readonly demand: Demand; readonly takenAt: number; readonly now: number }
  /** Adds what was admitted without the store. */
  | ({ readonly op: 'add'; readonly now: number } & Addition);

export interface Addition {
  readonly caller: string;
  readonly window: BurstWindow;
  /** For the window, at that moment: epoch milliseconds. */
  readonly units: number;
  readonly at: number;
  /** For that day: days since 1970-01-01 UTC. */
  readonly dayUnits: number;
  readonly day: number;
}

/** The key of a caller's counts. */
const keyOfCaller = (caller: string): string => `${callerKeys}${caller}`;
export const callerKeys = 'lei:count:';

/** Carries all of them out, in this order. @returns an answer for each `take` */
export async function carryOut(
  store: Caller,
  operations: readonly Operation[],
  deadlineMs?: number,
): Promise<readonly Taking[]> {
  const keys: string[] = [];
  const words: (string | number)[] = [];
  for (const operation of operations) {
    keys.push(keyOfCaller(operation.op === 'add' ? operation.caller : operation.demand.caller));
    put(operation, words);
  }
  const numbers = await store.run(count, keys, [words.join(' ')], deadlineMs);
  return Array.isArray(numbers) ? takings(operations, numbers) : [];
}

/** Raises the counts of days that have fewer units. @returns how many of them had */
export async function raiseTo(store: Caller, days: readonly CallerDay[]): Promise<number> {
  const keys = days.map(({ caller }) => keyOfCaller(caller));
  const words = days.flatMap(({ day, units }) => ['r', 0, units.lookup, units.search, day, 0, 0]);
  const raised = await store.run(count, keys, [words.join(' ')]);
  return Array.isArray(raised) ? raised.filter((each) => each === 1).length : 0;
}

function put(operation: Operation, words: (string | number)[]): void {
  const { now } = operation;
  if (operation.op === 'add') {
    const { window, units, at, dayUnits, day } = operation;
    words.push('a', windows[window], units, at, dayUnits, day, now);
    return;
  }
  const { window, units, policy, countsForDay, refusable } = operation.demand;
  const flags = (countsForDay ? flag.countsForDay : 0) + (refusable ? flag.refusable : 0);
  if (operation.op === 'give') words.push('g', windows[window], units, operation.takenAt, 0, flags, now);
  else words.push('t', windows[window], units, policy.daily, policy[window], flags, now);
}

function takings(operations: readonly Operation[], numbers: readonly number[]): readonly Taking[] {
  const found: Taking[] = [];
  let at = 0;
  for (const operation of operations) {
    if (operation.op !== 'take') continue;
    found.push(readTaking(operation.demand, numbers, at));
    at += numbersPerTaking;
  }
  return found;
}

function readTaking({ policy, window }: Demand, numbers: readonly number[], at: number): Taking {
  const exceeded = numbers[at] ?? 0;
  const now = numbers[at + 5] ?? 0;
  const quota = {
    now,
    policy,
    window,
    dailyLeft: numbers[at + 1] ?? 0,
    burstLeft: numbers[at + 2] ?? 0,
    dailyReturnsAt: (Math.floor(now / dayMs) + 1) * dayMs,
    burstReturnsAt: numbers[at + 3] ?? now + burstMs,
  };
  if (exceeded === 0) return { outcome: 'taken', quota };
  const violatedPolicies: ViolatedPolicy[] = [];
  if (exceeded % 2 === 1) violatedPolicies.push('daily');
  if (exceeded >= 2) violatedPolicies.push(window);
  return { outcome: 'refused', quota, violatedPolicies, returnsAt: numbers[at + 4] ?? now + burstMs };
}
