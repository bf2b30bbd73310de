/** Records when `lei update` last succeeded, in a separate file, so that operators can watch how fresh the data is. */
import { readFileSync, writeFileSync } from 'node:fs';
import { timestamp } from '../lei/dates.ts';
import type { Layout } from './layout.ts';

/** Records a time. Failures are ignored: the update itself has succeeded. */
export function noteUpdate(layout: Layout, at: Date): void {
  try {
    writeFileSync(layout.lastUpdate, `${timestamp(at)}\n`);
  } catch {
    // Ignore the failure: the disk may be full.
  }
}

/** Epoch milliseconds; null if no time is recorded. */
export function lastUpdate(layout: Layout): number | null {
  try {
    const at = Date.parse(readFileSync(layout.lastUpdate, 'utf8').trim());
    return Number.isNaN(at) ? null : at;
  } catch {
    return null;
  }
}
