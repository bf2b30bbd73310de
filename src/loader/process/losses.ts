/** Warns of unintended losses: whole kinds of data, companies, newer records. */
import type { Counts } from '../../lei/answers.ts';
import { isOutdated } from '../../lei/dates.ts';
import { isIdentifierKind, kindsByFile, mappingTable } from '../../lei/identifier-kinds.ts';
import type { SourceKind } from '../../publication/manifest.ts';
import type { LoadReport } from '../load-request.ts';
import type { Source } from '../source.ts';
import type { Active } from './active.ts';
import type { Load } from './plan.ts';
import type { LoadReading } from './read-rows.ts';

/** Counted kinds in words. The gate `entity-count` checks the companies. */
const countedKinds: readonly (readonly [keyof Counts, string])[] = [
  ['relationships', 'relationships'],
  ['reportingExceptions', 'reporting exceptions'],
  ...kindsByFile.filter(isIdentifierKind).map((kind) => [kind, mappingTable[kind].plural] as const),
];

/** Kinds without a count: only the time of their file shows that they are there. */
const uncountedKinds: readonly (readonly [SourceKind, string])[] = [
  ...kindsByFile
    .filter((kind) => !isIdentifierKind(kind))
    .map((kind) => [kind, mappingTable[kind].plural] as const),
  ['mic-list', 'an ISO 10383 list'],
  ['registration-authorities', 'a list of registration authorities'],
  ['official-organizational-roles', 'a list of organisational roles'],
];

/**
 * A full set may leave out kinds on purpose, and a mapping file replaces all pairs of its kind, even if it is empty: the
 * operator must know.
 */
export function warnOfLosses(
  active: Active,
  counts: Counts,
  { files }: Pick<LoadReading, 'files'>,
  { request, report }: Pick<Load, 'request' | 'report'>,
): void {
  const lost = lostKinds(active, counts, (kind) => {
    const given = files.filter((file) => file.kind === kind);
    return request.delta ? given.length > 0 && given.every(({ rows }) => rows === 0) : given.length === 0;
  });
  if (lost.length === 0) return;
  const consequence = request.delta
    ? 'and this delta removes all of them; lei rollback restores them.'
    : 'but this load has none; a full set replaces everything with its own files.';
  report.message(`Warning: the active ${active.manifest.id} has ${lost.join(', ')}, ${consequence}`);
}

/** Kinds that the active publication has and the build lacks, in words. */
function lostKinds(
  { manifest, base }: Active,
  counts: Counts,
  isGone: (uncounted: SourceKind) => boolean,
): readonly string[] {
  const counted = countedKinds
    .filter(([kind]) => manifest.counts[kind] > 0 && counts[kind] === 0)
    .map(([kind, what]) => `${what} (${manifest.counts[kind]})`);
  const uncounted = uncountedKinds
    .filter(([kind]) => base.meta.contentDates[kind] !== undefined && isGone(kind))
    .map(([, what]) => what);
  return [...counted, ...uncounted];
}

/**
 * A set without companies is allowed, because relationships and mappings alone answer some questions, but it is rarely
 * intended.
 */
export function warnOfNoCompany({ entities }: Counts, report: LoadReport): void {
  if (entities > 0) return;
  report.message(
    'Warning: no file of this load contains a company, so look-ups and searches will find none.',
  );
}

/** Older files may be loaded on purpose; their records replace newer ones. */
export function warnOfOlder({ sources, request, active, report }: Load, sourcePublishedAt: string): void {
  if (active === null) return;
  const isOlderSet = !request.delta && isOutdated(sourcePublishedAt, active.manifest.sourcePublishedAt);
  if (isOlderSet) warnOfOlderSet(sourcePublishedAt, active, report);
  else warnOfOlderFiles(sources, active, report);
}

function warnOfOlderFiles(
  sources: readonly Source[],
  { manifest, base }: Active,
  { message }: LoadReport,
): void {
  for (const { name, kind, header } of sources) {
    const known = base.meta.contentDates[kind];
    if (known === undefined || header.contentDate === null || !isOutdated(header.contentDate, known))
      continue;
    message(
      `Warning: ${name} is of ${header.contentDate}, but the active ${manifest.id} holds ${kind} of ${known}: older records replace newer ones.`,
    );
  }
}

function warnOfOlderSet(time: string, { manifest }: Active, { message }: LoadReport): void {
  const { id, sourcePublishedAt } = manifest;
  message(
    `Warning: this set is of ${time}, but the active ${id} is of ${sourcePublishedAt}: the service will serve older data.`,
  );
}
