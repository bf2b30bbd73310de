/**
 * Chooses the published files that bring the active publication up to date. It is pure: no clock, no network, no disk.
 */

import { dateInNames } from '../../../lei/dates.ts';
import { type DeltaWindow, deltaWindows, type Family, goldenCopy } from '../../../lei/golden-copy.ts';
import type { SourceKind } from '../../../publication/manifest.ts';
import { FetchFailure } from './failures.ts';
import { families, type Publish, type PublishedFile, type PublishedFormat } from './publishers.ts';

/** The times of the active publication's data. */
export interface HeldTimes {
  /** UTC, of the newest level 1 file. */
  readonly sourcePublishedAt: string;
  /** UTC, of the newest file of each kind that it holds. */
  readonly contentDates: Readonly<Partial<Record<SourceKind, string>>>;
}

export interface Mapping {
  readonly kind: SourceKind;
  readonly file: PublishedFile;
}

export interface Choice {
  readonly mode: 'full' | 'delta' | 'nothing';
  /** A sentence for the operator. */
  readonly reason: string;
  /** Source time of the next publication, UTC. */
  readonly publishedAt: string;
  readonly files: readonly PublishedFile[];
  /** Files that the update can do without: nothing that is served now would be lost. */
  readonly dispensable: readonly PublishedFile[];
}

export interface FetchWish {
  /** Take the full files even if a delta would do. */
  readonly full: boolean;
  /** Preferred format of full files; a family that lacks it comes in another one. */
  readonly format: PublishedFormat;
}

/**
 * Decides between a delta, the full files and nothing.
 * @throws FetchFailure if a needed full file is not published
 *
 * | active publication | newest publish | choice |
 * |---|---|---|
 * | none, the sample, or a family missing | any | full, with every mapping |
 * | as new | no new mapping | nothing |
 * | as new | a new mapping | delta of the new mappings alone |
 * | reached by a window | newer | the shortest such delta of each family, with new mappings |
 * | older than any window | newer | full, with every mapping |
 */
export function chooseFiles(
  publish: Publish,
  mappings: readonly Mapping[],
  held: HeldTimes | null,
  wish: FetchWish,
): Choice {
  const full = (reason: string) => fullChoice(publish, mappings, { held, wish, reason });
  if (wish.full) return full('Full files were asked for.');
  if (held === null) return full('There is no active publication of GLEIF data yet.');
  const missing = families.find((family) => held.contentDates[goldenCopy[family].kind] === undefined);
  // Don't build on an empty family: the delta would look like a complete set.
  if (missing !== undefined) return full(missingFamily(publish, missing));
  const fresh = mappings.filter((mapping) => isNew(mapping, held)).map(({ file }) => file);
  const since = oldestFamily(held);
  if (Date.parse(publish.publishedAt) <= Date.parse(since)) return unchangedCopy(publish, held, fresh);
  const window = shortestWindow(publish, since);
  if (window === null) return full(noWindow(publish, since));
  const deltas = families.flatMap((family) => deltaFile(publish, family, window) ?? []);
  return {
    mode: 'delta',
    reason: `The ${window.name} delta of ${publish.publishedAt} reaches back to the active publication (${since}).`,
    publishedAt: publish.publishedAt,
    files: [...deltas, ...fresh],
    dispensable: fresh,
  };
}

/** Time of the family that is furthest behind: a delta must reach back to it. */
function oldestFamily(held: HeldTimes): string {
  const times = families.map(
    (family) => held.contentDates[goldenCopy[family].kind] ?? held.sourcePublishedAt,
  );
  return times.reduce((oldest, time) => (Date.parse(time) < Date.parse(oldest) ? time : oldest));
}

/** A mapping file is always complete; its name contains its date. */
function isNew({ kind, file }: Mapping, held: HeldTimes): boolean {
  const known = held.contentDates[kind];
  const offered = dateInNames(file.name);
  return known === undefined || offered === null || Date.parse(offered) > Date.parse(known);
}

function missingFamily({ publishedAt }: Publish, family: Family): string {
  return `The active publication has no ${goldenCopy[family].kind} data, but the golden copy of ${publishedAt} has.`;
}

function fullChoice(
  publish: Publish,
  mappings: readonly Mapping[],
  { held, wish, reason }: { held: HeldTimes | null; wish: FetchWish; reason: string },
): Choice {
  const full = families.map((family) => {
    const byFormat = publish.families[family].full;
    const file = byFormat[wish.format] ?? byFormat.xml ?? byFormat.json ?? byFormat.csv;
    if (file !== undefined) return file;
    throw new FetchFailure(
      'not-published',
      `The golden copy of ${publish.publishedAt} has no full ${family} file.`,
    );
  });
  return {
    mode: 'full',
    reason,
    publishedAt: publish.publishedAt,
    files: [...full, ...mappings.map(({ file }) => file)],
    dispensable: mappings
      .filter(({ kind }) => held?.contentDates[kind] === undefined)
      .map(({ file }) => file),
  };
}

function unchangedCopy(publish: Publish, held: HeldTimes, fresh: readonly PublishedFile[]): Choice {
  const aheadMs = Date.parse(oldestFamily(held)) - Date.parse(publish.publishedAt);
  const comparison = (is: string) =>
    `The active publication (${held.sourcePublishedAt}) is ${is} the golden copy (${publish.publishedAt})`;
  // A file's own time is an hour or two after that of its publish.
  const upToDate =
    aheadMs > 24 * 3_600_000
      ? `${comparison('newer than')}; if its time is wrong, lei update --full replaces it`
      : comparison('as new as');
  if (fresh.length === 0) {
    const reason = `${upToDate}.`;
    return { mode: 'nothing', reason, publishedAt: held.sourcePublishedAt, files: [], dispensable: [] };
  }
  return {
    mode: 'delta',
    reason: `${upToDate}, but there are new mapping files.`,
    publishedAt: held.sourcePublishedAt,
    files: fresh,
    dispensable: fresh,
  };
}

/** The shortest window that reaches back to a time and that all families offer. */
function shortestWindow(publish: Publish, since: string): DeltaWindow | null {
  const hours = (Date.parse(publish.publishedAt) - Date.parse(since)) / 3_600_000;
  const offered = (window: DeltaWindow) =>
    families.every((family) => deltaFile(publish, family, window) !== undefined);
  return deltaWindows.find((window) => hours <= window.hours && offered(window)) ?? null;
}

/** CSV deltas can't say that a relationship or an exception was deleted, so they are left out. */
function deltaFile(publish: Publish, family: Family, { name }: DeltaWindow): PublishedFile | undefined {
  const byFormat = publish.families[family].deltas[name];
  return byFormat?.xml ?? byFormat?.json;
}

function noWindow(publish: Publish, since: string): string {
  return `No delta of ${publish.publishedAt} reaches back to the active publication (${since}).`;
}
