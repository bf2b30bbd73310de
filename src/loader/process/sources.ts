/** Opens the files of a load, decides their order and their time, and warns of odd ones. */
import { resolve } from 'node:path';
import { isOutdated, laterOf } from '../../lei/dates.ts';
import { loadedLists } from '../../lei/gleif-code-lists.ts';
import { goldenCopy } from '../../lei/golden-copy.ts';
import { kindsBySlot } from '../../lei/identifier-kinds.ts';
import type { SourceKind } from '../../publication/manifest.ts';
import { LoadFailure, type LoadReport } from '../load-request.ts';
import type { Source } from '../source.ts';
import { windowInName } from './delta-window.ts';
import { openSource } from './open-source.ts';

/**
 * Companies first: their numbers follow each other, so the entities table is only appended to. Then the other kinds
 * that the search index needs, so that it is made while the rest is read.
 */
const readingOrder: readonly SourceKind[] = [
  'level-1',
  'relationships',
  'bic',
  'reporting-exceptions',
  ...kindsBySlot.filter((kind) => kind !== 'bic'),
  'mic-list',
  ...loadedLists,
];

/** Whether the search index needs files of this kind; these are all read before the others. */
export function isIndexed(kind: SourceKind): boolean {
  return readingOrder.indexOf(kind) <= readingOrder.indexOf('bic');
}

/** Every recognised file, in reading order: by kind, then the latest content last. */
export async function openSources(files: readonly string[]): Promise<readonly Source[]> {
  if (files.length === 0) throw new LoadFailure('no-files', 'There is no file to load.');
  const sources: Source[] = [];
  for (const file of files) sources.push(await openSource(resolve(file)));
  return sources.sort(
    (a, b) => readingOrder.indexOf(a.kind) - readingOrder.indexOf(b.kind) || byContentDate(a, b),
  );
}

function byContentDate(a: Source, b: Source): number {
  const [first, second] = [a.header.contentDate ?? '', b.header.contentDate ?? ''];
  if (first === second) return 0;
  if (first === '' || second === '') return first === '' ? -1 : 1;
  return isOutdated(first, second) ? -1 : 1;
}

/** Time of the newest file; null if no file has one. */
export function newestContent(sources: readonly Source[]): string | null {
  return sources.reduce<string | null>((newest, { header }) => laterOf(newest, header.contentDate), null);
}

/**
 * An active publication from the future would make every later update look old.
 * @throws LoadFailure `future-date`
 */
export function refuseFuture(sources: readonly Source[], contentTimeMax = Number.POSITIVE_INFINITY): void {
  for (const { name, header } of sources) {
    if (header.contentDate === null || !(Date.parse(header.contentDate) > contentTimeMax)) continue;
    throw new LoadFailure(
      'future-date',
      `${name} is of ${header.contentDate}, which is in the future. If the time is right, this machine's clock is wrong.`,
    );
  }
}

const goldenCopyKinds: ReadonlySet<SourceKind> = new Set(Object.values(goldenCopy).map(({ kind }) => kind));

/**
 * A publisher's list may name a newer golden copy than the files behind it are, for example at a mirror that copies
 * lists first. Under the newer time, the next updates would not fetch what the older files lack.
 * @throws LoadFailure `stale-file`
 */
export function refuseStale(sources: readonly Source[], contentTimeMin = Number.NEGATIVE_INFINITY): void {
  for (const { name, kind, header } of sources) {
    if (!goldenCopyKinds.has(kind) || header.contentDate === null) continue;
    if (!(Date.parse(header.contentDate) < contentTimeMin)) continue;
    throw new LoadFailure(
      'stale-file',
      `${name} is of ${header.contentDate}, which is older than the golden copy that the publisher's list names: the list and its files do not belong together. Try again later; if this is a mirror, it may be in the middle of a copy.`,
    );
  }
}

/** Warns of files in a full load that call themselves deltas, and the reverse. */
export function remarkOnContents(sources: readonly Source[], delta: boolean, report: LoadReport): void {
  for (const { name, header } of sources) {
    const isDelta = header.fileContent?.includes('DELTA') === true || windowInName(name) !== null;
    if (isDelta && !delta) {
      report.message(
        `Warning: ${name} says it is a delta but is loaded as a full set; --delta applies it instead.`,
      );
    }
    if (delta && header.fileContent?.includes('FULL') === true) {
      report.message(
        `Warning: ${name} says it is a full set but is applied as a delta; nothing is removed by it.`,
      );
    }
  }
}
