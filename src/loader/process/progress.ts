/** Computes the progress of a whole load: which share of it each step takes. */
import type { Load } from './plan.ts';
import { type LoadReading, readingShare, totalsOf } from './read-rows.ts';

/** Which part of a whole load each step after the reading takes, from 0 to 1. */
const finishingSpans = {
  /** Runs during the reading, so little of it is left. */
  indexing: [readingShare, readingShare],
  relationships: [readingShare, 0.62],
  companies: [0.62, 0.74],
  comparing: [0.74, 0.78],
  search: [0.78, 0.97],
  verifying: [0.97, 1],
} as const;

/** @param share of the step that is done, 0 to 1 */
export function reportFinishing(
  { sources, report }: Pick<Load, 'sources' | 'report'>,
  reading: LoadReading,
  phase: keyof typeof finishingSpans,
  share: number,
): void {
  const [from, to] = finishingSpans[phase];
  const bytes = sources.reduce((sum, source) => sum + source.bytes, 0);
  const { rows, rejected } = totalsOf(reading);
  const progress = from + (to - from) * Math.min(1, share);
  report.progress({ phase, progress, bytes, bytesTotal: bytes, rows: rows + rejected });
}
