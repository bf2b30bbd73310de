/** Whole kinds of data that a full set ends without a word, because it has no file of them. */
import type { Counts } from '../lei/answers.ts';
import type { SourceKind } from '../publication/manifest.ts';
import type { Active } from './active.ts';
import type { LoadReport } from './load-request.ts';
import type { Reading } from './read-rows.ts';

/** Companies are the business of the gate `entity-count`. */
const countedKinds: readonly (readonly [keyof Counts, string])[] = [
  ['relationships', 'relationships'],
  ['reportingExceptions', 'reporting exceptions'],
  ['isin', 'ISINs'],
  ['bic', 'BICs'],
  ['mic', 'MICs'],
  ['gem', 'GEM identifiers'],
  ['qcc', 'QCC identifiers'],
];

/** Kept with the companies or beside them, so that only the time of their file tells of them. */
const uncountedKinds: readonly (readonly [SourceKind, string])[] = [
  ['ocid', 'OpenCorporates identifiers'],
  ['mic-list', 'an ISO 10383 list'],
];

/** A set without them is allowed: an operator may want no more than companies, but has to know. */
export function warnOfLosses(
  { manifest, base }: Active,
  counts: Counts,
  { files }: Pick<Reading, 'files'>,
  report: LoadReport,
): void {
  const counted = countedKinds
    .filter(([kind]) => manifest.counts[kind] > 0 && counts[kind] === 0)
    .map(([kind, what]) => `${what} (${manifest.counts[kind]})`);
  const uncounted = uncountedKinds
    .filter(
      ([kind]) => base.meta.contentDates[kind] !== undefined && !files.some((file) => file.kind === kind),
    )
    .map(([, what]) => what);
  const lost = [...counted, ...uncounted];
  if (lost.length === 0) return;
  report.message(
    `Warning: the active ${manifest.id} has ${lost.join(', ')}, of which this load has none; a full set holds only what its own files bring.`,
  );
}
