/** Notes when `lei update` last ended well, in a file of its own, so that operators can watch how fresh the data is. */
import { readFileSync, writeFileSync } from 'node:fs';
import { timestamp } from '../lei/timestamp.ts';
import type { Layout } from './layout.ts';

/** Notes a time. Failures are ignored: the update itself has succeeded. */
export function noteUpdate(layout: Layout, at: Date): void {
  try {
    writeFileSync(layout.lastUpdate, `${timestamp(at)}\n`);
  } catch {
    // Ignore the failure: the disk may be full.
  }
}

/** Epoch milliseconds; null where no time is noted. */
export function lastUpdate(layout: Layout): number | null {
  try {
    const at = Date.parse(readFileSync(layout.lastUpdate, 'utf8').trim());
    return Number.isNaN(at) ? null : at;
  } catch {
    return null;
  }
}
