/** What one caller has used, the day's count and two burst windows, and its packed form on disk. */
import { type BurstWindow, dayMs } from '../../ports/ledger.ts';
import { SlidingWindow } from './sliding-window.ts';

/** The part of a bucket that outlives the memory. */
export interface Usage {
  /** Units of the day. */
  readonly used: number;
  readonly lookup: SlidingWindow;
  readonly search: SlidingWindow;
}

export function unused(): Usage {
  return { used: 0, lookup: new SlidingWindow(), search: new SlidingWindow() };
}

/** Epoch ms of the last arrival that a burst window holds; 0 where none holds any. */
export function lastArrival({ lookup, search }: Usage): number {
  return Math.max(lookup.lastAt(), search.lastAt());
}

export class Bucket {
  readonly caller: string;
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

  constructor(caller: string, day: number, usage: Usage, now: number) {
    this.caller = caller;
    this.day = day;
    this.used = usage.used;
    this.lookup = usage.lookup;
    this.search = usage.search;
    this.lastAsked = now;
  }

  window(name: BurstWindow): SlidingWindow {
    return name === 'lookup' ? this.lookup : this.search;
  }
}

/** Days since 1970-01-01 UTC. */
export function dayOf(now: number): number {
  return Math.floor(now / dayMs);
}

/** Count (f64), number of seconds with look-ups (u8), then pairs of arrival (f64) and units (f64): look-ups, searches. */
export function pack(usage: Usage, now: number): Buffer {
  // Asking drops the seconds that are over, which need not be kept.
  usage.lookup.used(now);
  usage.search.used(now);
  const seconds = [...usage.lookup.seconds(), ...usage.search.seconds()];
  const bytes = Buffer.alloc(9 + seconds.length * 8);
  bytes.writeDoubleLE(usage.used, 0);
  bytes.writeUInt8(usage.lookup.seconds().length / 2, 8);
  seconds.forEach((value, index) => {
    bytes.writeDoubleLE(value, 9 + index * 8);
  });
  return bytes;
}

/** Null where the bytes are not a packed bucket. */
export function unpack(bytes: Buffer): Usage | null {
  if (bytes.length < 9 || (bytes.length - 9) % 16 !== 0) return null;
  const seconds: number[] = [];
  for (let at = 9; at < bytes.length; at += 8) seconds.push(bytes.readDoubleLE(at));
  const lookups = bytes.readUInt8(8) * 2;
  if (lookups > seconds.length) return null;
  return {
    used: bytes.readDoubleLE(0),
    lookup: SlidingWindow.from(seconds.slice(0, lookups)),
    search: SlidingWindow.from(seconds.slice(lookups)),
  };
}
