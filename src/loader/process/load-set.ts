/** The plan of a full set or a delta: its source time, its tables and search index, its checks. */

import { collectGarbage } from '../../bytes/memory.ts';
import { laterOf } from '../../lei/dates.ts';
import { dropTables } from '../../lmdb.ts';
import { openEnvironment } from '../../store/open-publication.ts';
import { companyTables } from '../../store/tables.ts';
import type { Base } from '../base.ts';
import { type Build, type BuildPlan, type BuildProgress, createBuild, type Draft } from '../build/build.ts';
import type { CompanyListener } from '../build/companies.ts';
import { ownPacker, type Packer } from '../build/packer.ts';
import { loaderLimits } from '../limits.ts';
import { furtherThreads, LoadFailure } from '../load-request.ts';
import { changeIndex, finishIndex } from '../search/change-index.ts';
import { createSearchFeed, type SearchFeed, withEnvironment } from '../search/search-feed.ts';
import { startPackingThreads } from '../threads/packing-threads.ts';
import { checkWindows } from './delta-window.ts';
import { digestCompanies } from './describe.ts';
import { passGates } from './gates.ts';
import { warnOfLosses, warnOfNoCompany, warnOfOlder } from './losses.ts';
import type { FilledTables, Load, LoadPlan, StagedPublication } from './plan.ts';
import { type LoadReading, readingShare, readRows, totalsOf } from './read-rows.ts';
import { isIndexed, newestContent, remarkOnContents } from './sources.ts';
import {
  type BuildSamples,
  createSamples,
  failedCanaries,
  misreadSample,
  verifyCounts,
  verifyTables,
} from './verify-build.ts';

/** A load of a set, with the further parts that its steps share. */
interface SetLoad extends Load {
  readonly sourcePublishedAt: string;
  readonly samples: BuildSamples;
}

/** @throws LoadFailure if the delta does not continue the active publication, or no file has a time */
export function planSet(load: Load): LoadPlan {
  const { request, report, sources, active } = load;
  const { delta } = request;
  remarkOnContents(sources, delta, report);
  if (delta && active !== null) checkWindows(sources, active.base.meta, report);
  const sourcePublishedAt = sourceTime(load);
  warnOfOlder(load, sourcePublishedAt);
  const set = { ...load, sourcePublishedAt, samples: createSamples() };
  const copied = delta ? (active?.base ?? null) : null;
  return {
    sourcePublishedAt,
    fill: (staged) => (copied === null ? fillNew(set, staged) : fillCopy(set, copied, staged)),
    verify: (staged, filled) => verify(set, staged, filled),
  };
}

function sourceTime({ request, sources, active }: Load): string {
  if (request.publishedAt !== null) return request.publishedAt;
  const ofCompanies = newestContent(sources.filter(({ kind }) => kind === 'level-1'));
  // A delta without level 1 files keeps the time of the active publication's newest one.
  const time = request.delta
    ? laterOf(ofCompanies, active?.manifest.sourcePublishedAt ?? null)
    : (ofCompanies ?? newestContent(sources));
  if (time !== null) return time;
  throw new LoadFailure(
    'no-source-time',
    'No file states when it was published, in its header or in its name. Give the time with --published-at.',
  );
}

/** Reads everything into tables; the search index is made during that or after it. */
async function fillNew(set: SetLoad, staged: StagedPublication): Promise<FilledTables> {
  const bytes = set.sources.reduce((sum, source) => sum + source.bytes, 0);
  const feed = createSearchFeed(bytes < loaderLimits.indexThreadBytesMin);
  const threads = furtherThreads(set.request);
  const packing = threads === 0 ? null : startPackingThreads(threads);
  try {
    const { reading, draft } = await fillTables(set, staged, feed, packing ?? ownPacker);
    set.active?.base.unmap();
    collectGarbage(draft.lastEntity);
    const search = (share: number) => reportFinishing(set, reading, 'search', share);
    const built = await feed.finish(staged.folder, draft, search);
    return { reading, built, companies: null };
  } finally {
    feed.end();
    packing?.end();
  }
}

async function fillTables(
  set: SetLoad,
  staged: StagedPublication,
  feed: SearchFeed,
  packer: Packer,
): Promise<{ reading: LoadReading; draft: Draft }> {
  return withEnvironment(staged.folder, async (environment) => {
    const plan = { ...planOf(set, staged), environment, listener: feed, packer };
    return withBuild(plan, async (build) => {
      /** Called once the search index has all it needs. */
      const linked = () => feed.linked(environment, build);
      const begin: Build['begin'] = (source) => {
        if (!isIndexed(source.kind)) linked();
        build.begin(source);
      };
      const target = { begin, take: build.take, sample: set.samples.note, ready: feed.ready };
      const reading = await readRows(set, target);
      const { rows } = totalsOf(reading);
      collectGarbage(rows);
      linked();
      // Wait here, so that the index's memory is free before the mappings are sorted.
      await feed.settled((share) => reportFinishing(set, reading, 'indexing', share));
      const progress: BuildProgress = (phase) => reportFinishing(set, reading, phase, 0);
      build.relate(rows, progress);
      await build.write(progress);
      return { reading, draft: await build.finish(progress) };
    });
  });
}

async function withBuild<T>(plan: BuildPlan, action: (build: Build) => Promise<T>): Promise<T> {
  const build = createBuild(plan);
  try {
    return await action(build);
  } finally {
    build.end();
  }
}

/** Changes the copy of the active publication: companies and tables, and its search index beside them. */
async function fillCopy(set: SetLoad, base: Base, staged: StagedPublication): Promise<FilledTables> {
  const { folder } = staged;
  if (base.meta.shapes.directory !== undefined) await dropCompanyTables(folder);
  const { reading, draft, companies, index } = await withEnvironment(folder, async (environment) => {
    const plan = { ...planOf(set, staged), environment, listener: nobody, packer: ownPacker };
    return withBuild(plan, (build) => changeCopy(set, base, staged, build));
  });
  base.unmap();
  const progress = (share: number) => reportFinishing(set, reading, 'search', share);
  const built = await finishIndex({ folder, draft, index, progress, message: set.report.message });
  return { reading, built, companies };
}

/**
 * Deletes the tables of companies from a copy that an earlier version made: the company file replaces them. The environment
 * is opened for that alone, as for any deletion of a table (change-index.ts).
 */
async function dropCompanyTables(folder: string): Promise<void> {
  await withEnvironment(folder, async (environment) => {
    for (const name of companyTables) dropTables(environment, name);
  });
}

async function changeCopy(set: SetLoad, base: Base, staged: StagedPublication, build: Build) {
  const reading = await readRows(set, { begin: build.begin, take: build.take, sample: set.samples.note });
  const progress: BuildProgress = (phase) => reportFinishing(set, reading, phase, 0);
  build.relate(totalsOf(reading).rows, progress);
  // Without new identifiers the index is changed from the records alone, while the rows of companies are written. New
  // identifiers stand only in the rows.
  const records = build.recordsAlone();
  if (records === null) await build.write(progress);
  const { id } = base.meta;
  const original = { folder: set.layout.publication(id), id };
  const indexing = changeIndex({ copy: staged, base: original, changed: build.changed(), records });
  const rest = await beside(indexing, async () => ({
    draft: await build.finish(progress),
    companies: await digestCompanies(set, staged),
  }));
  reportFinishing(set, reading, 'search', 0);
  return { reading, index: await indexing, ...rest };
}

/** Runs something beside another task. If it fails, it waits for that task, whose own failure its caller sees. */
async function beside<T>(other: Promise<unknown>, run: () => Promise<T>): Promise<T> {
  const ended = other.catch(() => undefined);
  try {
    return await run();
  } catch (error) {
    await ended;
    throw error;
  }
}

const nobody: CompanyListener = { stored: () => undefined, rewritten: () => undefined };

function planOf({ request, active, sourcePublishedAt }: SetLoad, { id, folder }: StagedPublication) {
  const baseKinds = new Set(active?.manifest.files.map(({ kind }) => kind));
  return { id, folder, sourcePublishedAt, base: active?.base ?? null, baseKinds, delta: request.delta };
}

async function verify(
  set: SetLoad,
  { id, folder }: StagedPublication,
  { built, reading }: FilledTables,
): Promise<void> {
  const { request, report, active, samples } = set;
  reportFinishing(set, reading, 'verifying', 0);
  if (!request.delta) verifyCounts(built.counts, reading);
  if (active !== null) warnOfLosses(active, built.counts, reading, set);
  warnOfNoCompany(built.counts, report);
  await verifyTables(folder, id);
  const reader = await openEnvironment(folder, id);
  try {
    const input = {
      built,
      active: active?.manifest ?? null,
      sampled: samples.companies(),
      misreadSample: misreadSample(reader, samples),
      failedCanaries: failedCanaries(reader, samples),
      limits: request.limits,
    };
    passGates(input, request, report);
  } finally {
    await reader.close();
  }
}

/** The part of a whole load that each step after the reading takes, from 0 to 1. */
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
function reportFinishing(
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
