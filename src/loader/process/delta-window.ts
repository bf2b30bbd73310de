/** Checks that a delta continues the active publication: it must restate every change since then. */

import { isOutdated, laterOf } from '../../lei/dates.ts';
import { deltaWindows } from '../../lei/golden-copy.ts';
import type { SourceKind } from '../../publication/manifest.ts';
import type { Meta } from '../../store/meta-schema.ts';
import { LoadFailure, type LoadReport } from '../load-request.ts';
import { families } from '../parse/tree/tree.ts';
import type { Source } from '../source.ts';

const hourMs = 3_600_000;

/** Kinds that have deltas. A file of another kind is a whole table, even in a load that is a delta. */
export const deltaKinds: ReadonlySet<SourceKind> = new Set(families.map(({ kind }) => kind));

/** @throws LoadFailure `delta-window` if changes between the active publication and the delta would be missed */
export function checkWindows(
  sources: readonly Source[],
  active: Pick<Meta, 'contentDates' | 'sourcePublishedAt'>,
  report: Pick<LoadReport, 'message'>,
): void {
  // Sources come in order of their content, so a delta may also continue the delta before it.
  const reached = new Map<string, string>();
  for (const source of sources) {
    const { kind, header } = source;
    if (!deltaKinds.has(kind)) continue;
    const published = active.contentDates[kind] ?? active.sourcePublishedAt;
    checkWindow(source, published, reached.get(kind) ?? null, report);
    if (header.contentDate !== null) reached.set(kind, header.contentDate);
  }
}

/** @param before time of the delta of the same kind that this load applies before this one; null if there is none */
function checkWindow(
  source: Source,
  published: string,
  before: string | null,
  report: Pick<LoadReport, 'message'>,
): void {
  const start = windowStart(source);
  const known = laterOf(published, before) ?? published;
  if (start === null) {
    report.message(
      `Warning: ${source.name} does not state when its window starts; it is applied without checking that.`,
    );
  } else if (isOutdated(known, start)) {
    const holder = known === published ? 'the active publication' : 'the one to be applied before it';
    throw new LoadFailure(
      'delta-window',
      `${source.name} holds the changes since ${start}, but ${holder} is of ${known}: the changes in between would be lost. Load a delta with a longer window, or the full set.`,
    );
  }
}

function windowStart({ name, header }: Source): string | null {
  if (header.deltaStart !== null) return header.deltaStart;
  const windowMs = windowInName(name);
  if (windowMs === null || header.contentDate === null) return null;
  return new Date(Date.parse(header.contentDate) - windowMs).toISOString().replace('.000Z', 'Z');
}

/** Milliseconds of the window in a delta's name; null if the name is not a delta's. */
export function windowInName(name: string): number | null {
  const window = deltaWindows.find(({ inFile }) => new RegExp(`-${inFile}\\b`).test(name));
  return window === undefined ? null : window.hours * hourMs;
}
