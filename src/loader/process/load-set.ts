/** The plan of a full set or a delta: its source time, its tables and search index, its checks. */
import { openForBuilding, syncAndClose } from '../../lmdb.ts';
import { bytesOf } from '../../publication/manifest.ts';
import { openEnvironment } from '../../store/open-publication.ts';
import { type Build, createBuild, type Draft } from '../build/build.ts';
import { collectGarbage } from '../build/memory.ts';
import { laterOf } from '../build/moments.ts';
import { LoadFailure } from '../load-request.ts';
import { createSearchFeed, dropSearchIndex, type SearchFeed } from '../search/search-feed.ts';
import { checkWindows } from './delta-window.ts';
import { passBadRows, passGates } from './gates.ts';
import { warnOfEmptied, warnOfLosses, warnOfNoCompany, warnOfOlder } from './losses.ts';
import type { Filled, Load, Plan, Staged } from './plan.ts';
import { reportFinishing } from './progress.ts';
import { type RowTarget, readRows } from './read-rows.ts';
import { type Reading, totalsOf } from './reading.ts';
import { createSamples, type Samples } from './samples.ts';
import { isIndexed, newestContent, remarkOnContents } from './sources.ts';
import { failedCanaries, misreadSample, verifyCounts, verifyTables } from './verify-build.ts';

/** @throws LoadFailure where the delta does not follow on from the active publication, or no file has a time */
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
    copyOf: delta ? (active?.manifest.id ?? null) : null,
    bytesNeeded: spaceNeeded(load),
    fill: (staged) => fill(load, staged, { sourcePublishedAt, samples }),
    verify: (staged, filled) => verify(load, staged, filled, samples),
  };
}

function sourceTime({ request, sources, active }: Load): string {
  if (request.publishedAt !== null) return request.publishedAt;
  const companies = sources.filter(({ kind }) => kind === 'level-1');
  // A delta without level 1 files keeps the time of the active publication's newest one.
  const newest = newestContent(request.delta ? companies : sources);
  const time = request.delta ? laterOf(newest, active?.manifest.sourcePublishedAt ?? null) : newest;
  if (time !== null) return time;
  throw new LoadFailure(
    'no-source-time',
    'No file tells when it was published, neither in its header nor in its name; say so with --published-at.',
  );
}

/** Disk space by bytes of a file: a publication takes about five times a packed one and half an unpacked one. */
const spacePerPackedByte = 6;
/** Space for what does not grow with the files. */
const spaceBytesMin = 16 * 2 ** 20;

function spaceNeeded({ request, sources, active }: Load): number {
  const files = sources.reduce(
    (sum, { bytes, packed }) => sum + (packed ? spacePerPackedByte : 1) * bytes,
    0,
  );
  const copied = request.delta && active !== null ? bytesOf(active.manifest) : 0;
  return files + copied + spaceBytesMin;
}

interface Filling {
  readonly sourcePublishedAt: string;
  readonly samples: Samples;
}

/** Reads everything into tables; the search index is made beside that or after it. */
async function fill(load: Load, staged: Staged, filling: Filling): Promise<Filled> {
  const { delta } = load.request;
  if (delta) await dropSearchIndex(staged.folder);
  const feed = createSearchFeed(!delta);
  try {
    const { reading, draft } = await fillTables(load, staged, filling, feed);
    load.active?.base.unmap();
    // After a delta, too: the pages read of the base are as large as a full set.
    collectGarbage(draft.lastEntity);
    const search = (share: number) => reportFinishing(load, reading, 'search', share);
    return { reading, built: await feed.finish(staged.folder, draft, search) };
  } finally {
    feed.end();
  }
}

async function fillTables(
  load: Load,
  { id, folder }: Staged,
  { sourcePublishedAt, samples }: Filling,
  feed: SearchFeed,
): Promise<{ reading: Reading; draft: Draft }> {
  const { request, report, sources, active } = load;
  const environment = openForBuilding(folder);
  try {
    const base = active?.base ?? null;
    const { delta } = request;
    const build = createBuild({ id, environment, sourcePublishedAt, base, delta, listener: feed });
    const linked = () => feed.linked(environment, build);
    const reading = await readRows(sources, watched(build, samples, feed, linked), request, report);
    passBadRows(totalsOf(reading), request.limits, request.skippedGates, report);
    collectGarbage(totalsOf(reading).rows);
    linked();
    // Waiting here frees the index's memory before the mappings are sorted.
    await feed.settled((share) => reportFinishing(load, reading, 'indexing', share));
    const draft = build.finish((phase) => reportFinishing(load, reading, phase, 0));
    return { reading, draft };
  } finally {
    await syncAndClose(environment);
  }
}

/** Hands rows to the build, samples them, and calls `linked` once the search index has all it needs. */
function watched(build: Build, samples: Samples, feed: SearchFeed, linked: () => void): RowTarget {
  return {
    begin: (source) => {
      if (!isIndexed(source.kind)) linked();
      build.begin(source);
    },
    take: (row) => {
      const outcome = build.take(row);
      samples.note(row, outcome);
      return outcome;
    },
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
    passGates(input, request.skippedGates, report);
  } finally {
    await reader.close();
  }
}
