/** What one caller (an account, or a client address) has used: the day's count and its two burst windows. */
import type { BurstWindow } from '../contracts.ts';
import { burstMs } from './limits.ts';
import { SlidingWindow } from './sliding-window.ts';

export class Bucket {
  /** Account id, or the keyed hash of a client address. */
  readonly subject: string;
  /** Days since 1970-01-01 UTC that `used` belongs to. */
  day: number;
  used: number;
  readonly lookup: SlidingWindow;
  readonly search: SlidingWindow;
  /** Epoch ms of the last request. */
  lastAsked: number;
  /** Changed since it was last handed to the disk. */
  dirty = false;
  /** Handed to the disk, which has not confirmed. */
  saving = false;

  constructor(subject: string, day: number, kept: Kept, now: number) {
    this.subject = subject;
    this.day = day;
    this.used = kept.used;
    this.lookup = kept.lookup;
    this.search = kept.search;
    this.lastAsked = now;
  }

  window(name: BurstWindow): SlidingWindow {
    return name === 'lookup' ? this.lookup : this.search;
  }
}

/** The part of a bucket that is kept on disk. */
export interface Kept {
  readonly used: number;
  readonly lookup: SlidingWindow;
  readonly search: SlidingWindow;
}

export function unused(): Kept {
  return { used: 0, lookup: new SlidingWindow(), search: new SlidingWindow() };
}

/** Count (f64), number of look-up slots (u8), then pairs of arrival (f64) and count (f64): look-ups, searches. */
export function pack(bucket: Kept, now: number): Buffer {
  // Asking drops the slots that are over, which need not be kept.
  bucket.lookup.used(now);
  bucket.search.used(now);
  const slots = [...bucket.lookup.slots(), ...bucket.search.slots()];
  const bytes = Buffer.alloc(9 + slots.length * 8);
  bytes.writeDoubleLE(bucket.used, 0);
  bytes.writeUInt8(bucket.lookup.slots().length / 2, 8);
  slots.forEach((value, index) => {
    bytes.writeDoubleLE(value, 9 + index * 8);
  });
  return bytes;
}

/** Null where the bytes are not a packed bucket. */
export function unpack(bytes: Buffer): Kept | null {
  if (bytes.length < 9 || (bytes.length - 9) % 16 !== 0) return null;
  const slots: number[] = [];
  for (let at = 9; at < bytes.length; at += 8) slots.push(bytes.readDoubleLE(at));
  const lookups = bytes.readUInt8(8) * 2;
  if (lookups > slots.length) return null;
  return {
    used: bytes.readDoubleLE(0),
    lookup: SlidingWindow.from(slots.slice(0, lookups)),
    search: SlidingWindow.from(slots.slice(lookups)),
  };
}

/** Just after midnight the row of the day before still knows what the burst windows hold. */
export function burstsReachIntoDay(now: number, dayStart: number): boolean {
  return now - dayStart < burstMs;
}
