/** When `lei update` last ended well: a time in a file of its own, for whoever watches how fresh the data is. */
import { readFileSync, writeFileSync } from 'node:fs';
import { timestamp } from '../lei/timestamp.ts';
import type { Layout } from './layout.ts';

/** A time that can't be noted changes nothing else, so failures are left alone. */
export function noteUpdate(layout: Layout, at: Date): void {
  try {
    writeFileSync(layout.lastUpdate, `${timestamp(at)}\n`);
  } catch {
    // The disk may be full by now. The update is done all the same.
  }
}

/** Epoch milliseconds; null where none is noted. */
export function lastUpdate(layout: Layout): number | null {
  try {
    const at = Date.parse(readFileSync(layout.lastUpdate, 'utf8').trim());
    return Number.isNaN(at) ? null : at;
  } catch {
    return null;
  }
}
