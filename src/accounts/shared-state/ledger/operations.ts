/**
 * Makes the store count: all operations of a call at once, by count.lua. They and their answers travel as bytes, which
 * cost the front and the store less than text; count.lua describes the layout.
 */
import {
  type BurstWindow,
  type Demand,
  dayMs,
  dayOf,
  type TakeOutcome,
  type ViolatedPolicy,
} from '../../../ports/ledger.ts';
import type { CallerDay } from '../../../ports/state.ts';
import { type StoreCalls, script } from '../connection.ts';
import source from './count.lua' with { type: 'text' };

/** `now` is epoch milliseconds, 0 for the store's own clock. */
export type Operation =
  | { readonly op: 'take'; readonly demand: Demand; readonly now: number }
  /** Refunds what was taken at a moment of the store's clock. */
  | { readonly op: 'give'; readonly demand: Demand; readonly takenAt: number; readonly now: number }
  /** Adds what was admitted without the store. */
  | {
      readonly op: 'add';
      readonly caller: string;
      readonly window: BurstWindow;
      /** For the window, at that moment: epoch milliseconds. */
      readonly units: number;
      readonly at: number;
      /** For that day: days since 1970-01-01 UTC. */
      readonly dayUnits: number;
      readonly day: number;
      readonly now: number;
    };

/** Raises the count of a day to at least these units. */
type Raise = { readonly op: 'raise'; readonly now: number } & CallerDay;

/** The keys of callers' counts begin with it. */
export const callerKeys = 'lei:count:';

const count = script(`local callerKeys = '${callerKeys}'\n${source}`);

/** Executes all of them, in this order. @returns an answer for each `take` */
export async function carryOut(
  store: StoreCalls,
  operations: readonly Operation[],
  deadlineMs?: number,
): Promise<readonly TakeOutcome[]> {
  return readTakings(operations, await store.exchange(count, [], pack(operations), deadlineMs));
}

/** Raises the counts of days that have fewer units. @returns how many were raised */
export async function raiseTo(store: StoreCalls, days: readonly CallerDay[]): Promise<number> {
  const keys = days.map(({ caller }) => `${callerKeys}${caller}`);
  const bytes = pack(days.map((day) => ({ ...day, op: 'raise', now: 0 })));
  const raised = await store.exchange(count, keys, bytes);
  return raised.filter((each) => each === 1).length;
}

const windows = { lookup: 1, search: 2 } as const;
const flag = { countsForDay: 1, refusable: 2 } as const;
/** Numbers are unsigned and little-endian. */
const numberBytes = 6;
const twoTo32 = 2 ** 32;
/** Letter, window, five numbers, and the length of the caller's name. */
const headBytes = 3 + 5 * numberBytes;
/** The exceeded quotas, and five numbers. */
const takingBytes = 1 + 5 * numberBytes;

/** @param operations whose callers have names of at most 255 bytes, all of them ASCII */
function pack(operations: readonly (Operation | Raise)[]): Buffer {
  let size = 0;
  for (const operation of operations) size += headBytes + callerOf(operation).length;
  const packing = new OperationPacker(size);
  for (const operation of operations) {
    put(packing, operation);
    packing.name(callerOf(operation));
  }
  return packing.bytes;
}

function callerOf(operation: Operation | Raise): string {
  return operation.op === 'take' || operation.op === 'give' ? operation.demand.caller : operation.caller;
}

function put(packing: OperationPacker, operation: Operation | Raise): void {
  const { now } = operation;
  if (operation.op === 'add') {
    const { window, units, at, dayUnits, day } = operation;
    packing.head('a', window, [units, at, dayUnits, day, now]);
  } else if (operation.op === 'raise') {
    const { day, units } = operation;
    packing.head('r', 'lookup', [units.lookup, units.search, day, 0, now]);
  } else {
    const { window, units, policy, countsForDay, refusable } = operation.demand;
    const flags = (countsForDay ? flag.countsForDay : 0) + (refusable ? flag.refusable : 0);
    if (operation.op === 'give') packing.head('g', window, [units, operation.takenAt, 0, flags, now]);
    else packing.head('t', window, [units, policy.daily, policy[window], flags, now]);
  }
}

type HeadNumbers = readonly [units: number, number, number, number, now: number];

class OperationPacker {
  readonly bytes: Buffer;
  readonly #view: DataView;
  #at = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size);
    this.#view = new DataView(this.bytes.buffer, this.bytes.byteOffset, size);
  }

  /** @param letter of the operation, on which the meaning of the numbers depends */
  head(letter: 'a' | 'g' | 'r' | 't', window: BurstWindow, numbers: HeadNumbers): void {
    this.bytes[this.#at++] = letter.charCodeAt(0);
    this.bytes[this.#at++] = windows[window];
    for (const number of numbers) this.#number(number);
  }

  name(text: string): void {
    this.bytes[this.#at++] = text.length;
    this.#at += this.bytes.write(text, this.#at, 'latin1');
  }

  #number(value: number): void {
    this.#view.setUint32(this.#at, value, true);
    this.#view.setUint16(this.#at + 4, value / twoTo32, true);
    this.#at += numberBytes;
  }
}

/** Reads an answer for each `take`. */
function readTakings(operations: readonly Operation[], { buffer, byteOffset, length }: Uint8Array) {
  const view = new DataView(buffer, byteOffset, length);
  const found: TakeOutcome[] = [];
  let at = 0;
  for (const operation of operations) {
    if (operation.op !== 'take') continue;
    found.push(readTaking(operation.demand, view, at));
    at += takingBytes;
  }
  return found;
}

function readTaking({ policy, window }: Demand, view: DataView, at: number): TakeOutcome {
  const exceeded = view.getUint8(at);
  const now = numberAt(view, at + 25);
  const quota = {
    now,
    policy,
    window,
    dailyLeft: numberAt(view, at + 1),
    burstLeft: numberAt(view, at + 7),
    dailyReturnsAt: (dayOf(now) + 1) * dayMs,
    burstReturnsAt: numberAt(view, at + 13),
  };
  if (exceeded === 0) return { outcome: 'taken', quota };
  const violatedPolicies: ViolatedPolicy[] = [];
  if (exceeded % 2 === 1) violatedPolicies.push('daily');
  if (exceeded >= 2) violatedPolicies.push(window);
  return { outcome: 'refused', quota, violatedPolicies, returnsAt: numberAt(view, at + 19) };
}

function numberAt(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint16(at + 4, true) * twoTo32;
}
