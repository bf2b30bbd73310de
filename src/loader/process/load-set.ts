/** The plan of a full set or a delta: its source time, its tables and search index, its checks. */
import { openEnvironment } from '../../store/open-publication.ts';
import { openTables } from '../../store/tables.ts';
import type { Base } from '../base.ts';
import { type Build, type BuildPlan, type BuildProgress, createBuild, type Draft } from '../build/build.ts';
import { collectGarbage } from '../build/memory.ts';
import { laterOf } from '../build/moments.ts';
import { ownPacker, type Packer } from '../build/packer.ts';
import type { CompanyListener } from '../build/pending-companies.ts';
import { furtherThreads, LoadFailure, type LoadRequest } from '../load-request.ts';
import { changeIndex, finishIndex } from '../search/change-index.ts';
import { createSearchFeed, type SearchFeed, withEnvironment } from '../search/search-feed.ts';
import { type PackingThreads, startPackingThreads } from '../threads/packing-threads.ts';
import { changeCompanyFile } from './company-file.ts';
import { checkWindows } from './delta-window.ts';
import { digestCompanies } from './describe.ts';
import { passBadRows, passGates } from './gates.ts';
import { warnOfEmptied, warnOfLosses, warnOfNoCompany, warnOfOlder } from './losses.ts';
import type { Filled, Load, Plan, Staged } from './plan.ts';
import { reportFinishing } from './progress.ts';
import { type RowTarget, readRows } from './read-rows.ts';
import { type Reading, totalsOf } from './reading.ts';
import { createSamples, type Samples } from './samples.ts';
import { isIndexed, newestContent, remarkOnContents } from './sources.ts';
import { failedCanaries, misreadSample, verifyCounts, verifyTables } from './verify-build.ts';

/** @throws LoadFailure if the delta does not continue the active publication, or no file has a time */
export function planSet(load: Load): Plan {
  const { request, report, sources, active } = load;
  const { delta } = request;
  remarkOnContents(sources, delta, report);
  if (delta && active !== null) checkWindows(sources, active.base.meta, report);
  const sourcePublishedAt = sourceTime(load);
  warnOfOlder({ sources, delta, active, sourcePublishedAt }, report);
  const samples = createSamples();
  return {
    sourcePublishedAt,
    fill: (staged) => fill(load, staged, { sourcePublishedAt, samples }),
    verify: (staged, filled) => verify(load, staged, filled, samples),
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

interface Filling {
  readonly sourcePublishedAt: string;
  readonly samples: Samples;
}

function fill(load: Load, staged: Staged, filling: Filling): Promise<Filled> {
  return load.request.delta && load.active !== null
    ? fillCopy(load, load.active.base, staged, filling)
    : fillNew(load, staged, filling);
}

/** Reads everything into tables; the search index is made during that or after it. */
async function fillNew(load: Load, staged: Staged, filling: Filling): Promise<Filled> {
  const feed = createSearchFeed();
  const packing = packingThreads(load.request);
  try {
    const makers = { feed, packer: packing ?? ownPacker };
    const { reading, draft } = await fillTables(load, staged, filling, makers);
    load.active?.base.unmap();
    collectGarbage(draft.lastEntity);
    const search = (share: number) => reportFinishing(load, reading, 'search', share);
    const built = await feed.finish(staged.folder, draft, search);
    return { reading, built, companies: null };
  } finally {
    feed.end();
    packing?.end();
  }
}

function packingThreads(request: LoadRequest): PackingThreads | null {
  const count = furtherThreads(request);
  return count === 0 ? null : startPackingThreads(count);
}

/** Changes the copy of the active publication: its tables, then its search index beside history and company file. */
async function fillCopy(load: Load, base: Base, staged: Staged, filling: Filling): Promise<Filled> {
  const { request, report, sources } = load;
  const { folder } = staged;
  const { reading, draft, companies, index } = await withEnvironment(folder, async (environment) => {
    const plan = planOf(load, staged, filling);
    const build = createBuild({ ...plan, environment, listener: nobody, packer: ownPacker });
    const read = await readRows(sources, sampled(build, filling.samples), request, report);
    passBadRows(totalsOf(read), request, report);
    const progress: BuildProgress = (phase) => reportFinishing(load, read, phase, 0);
    await build.write(progress);
    const changed = build.changed();
    const { id } = base.meta;
    const indexing = changeIndex({ folder, base: { folder: load.layout.publication(id), id }, changed });
    const rest = await beside(indexing, async () => {
      const finished = await build.finish(progress);
      const isChanged = changeCompanyFile(folder, finished, openTables(environment), changed.entities);
      return { draft: finished, companies: isChanged ? await digestCompanies(load, staged) : null };
    });
    reportFinishing(load, read, 'search', 0);
    return { reading: read, index: await indexing, ...rest };
  });
  base.unmap();
  const progress = (share: number) => reportFinishing(load, reading, 'search', share);
  const built = await finishIndex({ folder, draft, index, progress, message: report.message });
  return { reading, built, companies };
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

function planOf(
  { request, active }: Load,
  { id }: Staged,
  { sourcePublishedAt }: Filling,
): Omit<BuildPlan, 'environment' | 'listener' | 'packer'> {
  return { id, sourcePublishedAt, base: active?.base ?? null, delta: request.delta };
}

async function fillTables(
  load: Load,
  staged: Staged,
  filling: Filling,
  { feed, packer }: { readonly feed: SearchFeed; readonly packer: Packer },
): Promise<{ reading: Reading; draft: Draft }> {
  const { request, report, sources } = load;
  return withEnvironment(staged.folder, async (environment) => {
    const build = createBuild({ ...planOf(load, staged, filling), environment, listener: feed, packer });
    const linked = () => feed.linked(environment, build);
    const reading = await readRows(sources, watched(build, filling.samples, feed, linked), request, report);
    passBadRows(totalsOf(reading), request, report);
    collectGarbage(totalsOf(reading).rows);
    linked();
    // Wait here, so that the index's memory is free before the mappings are sorted.
    await feed.settled((share) => reportFinishing(load, reading, 'indexing', share));
    const progress: BuildProgress = (phase) => reportFinishing(load, reading, phase, 0);
    await build.write(progress);
    return { reading, draft: await build.finish(progress) };
  });
}

/** Passes rows to the build and samples them. */
function sampled(build: Build, samples: Samples): RowTarget {
  return {
    begin: build.begin,
    take: (row) => {
      const outcome = build.take(row);
      samples.note(row, outcome);
      return outcome;
    },
  };
}

/** The same, and calls `linked` once the search index has all it needs. */
function watched(build: Build, samples: Samples, feed: SearchFeed, linked: () => void): RowTarget {
  const { take } = sampled(build, samples);
  return {
    begin: (source) => {
      if (!isIndexed(source.kind)) linked();
      build.begin(source);
    },
    take,
    ready: feed.ready,
  };
}

async function verify(
  load: Load,
  { id, folder }: Staged,
  { built, reading }: Filled,
  samples: Samples,
): Promise<void> {
  const { request, report, active } = load;
  reportFinishing(load, reading, 'verifying', 0);
  if (!request.delta) verifyCounts(built.counts, reading);
  const warn = request.delta ? warnOfEmptied : warnOfLosses;
  if (active !== null) warn(active, built.counts, reading, report);
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
