/**
 * How a publication is made: recognise → read into tables → write the rest → verify → seal. Activation is the
 * caller's. Until the rename at the end nothing that is served has changed, so this may be killed at any line.
 */
import { openForBuilding, syncAndClose } from '../../lmdb.ts';
import { layout as layoutOf, newPublicationId } from '../../publication/layout.ts';
import { bytesOf } from '../../publication/manifest.ts';
import { openEnvironment } from '../../store/open-publication.ts';
import { type Build, type Built, createBuild, type Draft } from '../build/build.ts';
import { giveBack } from '../build/memory.ts';
import { laterOf } from '../build/moments.ts';
import { LoadFailure, type LoadOutcome, type LoadReport, type LoadRequest } from '../load-request.ts';
import { createSearchFeed, dropSearchIndex, type SearchFeed } from '../search/search-feed.ts';
import { type Load, openActive } from './active.ts';
import { writeCompanyFile } from './company-file.ts';
import { checkWindows } from './delta-window.ts';
import { passBadRows, passGates } from './gates.ts';
import { recoverHistory } from './history.ts';
import { warnOfEmptied, warnOfLosses, warnOfNoCompany, warnOfOlder } from './losses.ts';
import { type Reading, type RowTarget, readRows, totalsOf } from './read-rows.ts';
import { createSamples, type Samples } from './samples.ts';
import { sealBuild } from './seal-build.ts';
import { isIndexed, newestContent, openSources, remarkOnContents } from './sources.ts';
import { checkSealing, checkSpace, clearStaging, stage } from './staging.ts';
import { failedCanaries, misreadSample, verifyCounts, verifyTables } from './verify-build.ts';

/**
 * Builds, verifies and seals one publication. Under the load lock.
 * @throws SourceError, LoadFailure where the operator is to be told; nothing has changed then
 */
export async function runPipeline(request: LoadRequest, report: LoadReport): Promise<LoadOutcome> {
  const layout = layoutOf(request.dataDir);
  clearStaging(layout);
  const sources = await openSources(request.files);
  const active = await openActive(layout, request, report);
  try {
    const parts = { request, report, layout, sources, active };
    return request.purpose === 'history' ? await recoverHistory(parts) : await load(parts);
  } finally {
    await active?.base.close();
  }
}

async function load(parts: Load): Promise<LoadOutcome> {
  const { request, report, layout, sources, active } = parts;
  remarkOnContents(sources, request.delta, report);
  if (request.delta && active !== null) checkWindows(sources, active.base.meta, report);
  checkSpace(layout, spaceNeeded(parts));
  checkSealing(layout);
  const sourcePublishedAt = sourceTime(parts);
  warnOfOlder({ sources, delta: request.delta, active, sourcePublishedAt }, report);
  const id = newPublicationId(sourcePublishedAt);
  const folder = stage(layout, id, request.delta ? (active?.manifest.id ?? null) : null);
  return sealBuild(layout, { id, sourcePublishedAt, request, active }, async () => {
    const samples = createSamples();
    const done = await build(parts, { id, folder, sourcePublishedAt, samples });
    await verify(parts, { id, folder, samples, ...done });
    return done;
  });
}

/** What a build takes on disk: about five times its packed files, half of unpacked ones; for a delta what is active. */
function spaceNeeded({ request, sources, active }: Load): number {
  const files = sources.reduce((sum, { bytes, packed }) => sum + (packed ? bytes * 6 : bytes), 0);
  const copied = request.delta && active !== null ? bytesOf(active.manifest) : 0;
  return files + copied + 16 * 2 ** 20;
}

function sourceTime({ request, sources, active }: Load): string {
  if (request.publishedAt !== null) return request.publishedAt;
  const companies = sources.filter(({ kind }) => kind === 'level-1');
  // A delta's newest level 1 file is the active publication's own where the delta brings none.
  const newest = newestContent(request.delta ? companies : sources);
  const time = request.delta ? laterOf(newest, active?.manifest.sourcePublishedAt ?? null) : newest;
  if (time !== null) return time;
  throw new LoadFailure(
    'no-source-time',
    'No file tells when it was published, neither in its header nor in its name; say so with --published-at.',
  );
}

interface Staged {
  readonly id: string;
  readonly folder: string;
  readonly samples: Samples;
}
type StagedBuild = Staged & { readonly sourcePublishedAt: string };

/** Reads everything into tables; the search index is made beside that or after it. */
async function build(parts: Load, staged: StagedBuild): Promise<{ reading: Reading; built: Built }> {
  const { delta } = parts.request;
  if (delta) await dropSearchIndex(staged.folder);
  const feed = createSearchFeed(!delta);
  try {
    const { reading, draft } = await buildTables(parts, staged, feed);
    parts.active?.base.release();
    // Of a delta, too: what was read of the base is as large as a full set.
    giveBack(draft.lastEntity);
    const built = await feed.finish(staged.folder, draft, (share) =>
      tellFinishing(parts, reading, 'search', share),
    );
    await writeCompanyFile(staged.folder, staged.id, (share) =>
      tellFinishing(parts, reading, 'companies', share),
    );
    return { reading, built };
  } finally {
    feed.end();
  }
}

async function buildTables(
  parts: Load,
  { id, folder, samples, sourcePublishedAt }: StagedBuild,
  feed: SearchFeed,
): Promise<{ reading: Reading; draft: Draft }> {
  const { request, report, sources, active } = parts;
  const environment = openForBuilding(folder);
  try {
    const base = active?.base ?? null;
    const { delta } = request;
    const made = createBuild({ id, environment, sourcePublishedAt, base, delta, listener: feed });
    const linked = () => feed.linked(environment, made);
    const reading = await readRows(sources, watched(made, samples, feed, linked), request, report);
    passBadRows(totalsOf(reading), request.limits, request.skippedGates, report);
    giveBack(totalsOf(reading).rows);
    linked();
    // Waited for here, so that what it takes in memory is given back before mappings are sorted.
    await feed.settled((share) => tellFinishing(parts, reading, 'indexing', share));
    const draft = made.finish((phase) => tellFinishing(parts, reading, phase, 0));
    return { reading, draft };
  } finally {
    await syncAndClose(environment);
  }
}

/** Notes samples of what passes, and tells when all is read that the search index needs. */
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

/** Where in the whole load each finishing step lies, as the progress bar shows it. */
const finishingSpans = {
  /** Beside the reading, so that little of it is left. */
  indexing: [0.6, 0.6],
  relationships: [0.6, 0.62],
  mappings: [0.62, 0.68],
  comparing: [0.68, 0.72],
  search: [0.72, 0.91],
  companies: [0.91, 0.97],
  verifying: [0.97, 1],
} as const;

function tellFinishing(
  { sources, report }: Load,
  reading: Reading,
  phase: keyof typeof finishingSpans,
  share: number,
): void {
  const [from, to] = finishingSpans[phase];
  const bytes = sources.reduce((sum, source) => sum + source.bytes, 0);
  const { rows, rejected } = totalsOf(reading);
  const progress = from + (to - from) * Math.min(1, share);
  report.progress({
    phase,
    progress,
    bytes,
    bytesTotal: bytes,
    rows: rows + rejected,
  });
}

async function verify(
  parts: Load,
  { id, folder, built, reading, samples }: Staged & { readonly built: Built; readonly reading: Reading },
): Promise<void> {
  const { request, report, active } = parts;
  tellFinishing(parts, reading, 'verifying', 0);
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
