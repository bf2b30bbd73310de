/**
 * Builds a publication: recognise → check the active one, and copy it for a delta → fill tables, company file and search
 * index → verify → describe → seal. The caller activates it. Nothing that is served changes before the rename at the
 * end, so this process may be killed at any line.
 */
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { sync, writeDurably } from '../../publication/files.ts';
import {
  type Layout,
  layout as layoutOf,
  manifestFile,
  newPublicationId,
  sealedFiles,
} from '../../publication/layout.ts';
import type { Manifest } from '../../publication/manifest.ts';
import type { LoadOutcome, LoadReport, LoadRequest } from '../load-request.ts';
import { clearStaging, discardStaged } from '../staging.ts';
import { openActive } from './active.ts';
import type { ActiveCopy } from './copy-active.ts';
import { describeBuild } from './describe.ts';
import { bytesNeeded, checkSealing, checkSpace, explainWriteFailure } from './disk.ts';
import { planSet } from './load-set.ts';
import type { Load, LoadPlan, StagedPublication } from './plan.ts';
import { planHistory } from './recover-history.ts';
import { openSources, refuseFuture, refuseStale } from './sources.ts';

/**
 * Builds, verifies and seals one publication. The caller holds the load lock.
 * @throws SourceError, LoadFailure for the operator; nothing has changed then
 */
export async function runPipeline(request: LoadRequest, report: LoadReport): Promise<LoadOutcome> {
  const layout = layoutOf(request.dataDir);
  await clearStaging(layout);
  mkdirSync(layout.staging, { recursive: true });
  return discardOnFailure(layout, () => build(layout, request, report));
}

async function build(layout: Layout, request: LoadRequest, report: LoadReport): Promise<LoadOutcome> {
  const sources = await openSources(request.files);
  refuseFuture(sources, request.contentTimeMax);
  refuseStale(sources, request.contentTimeMin);
  const active = await openActive(layout, request, sources, report);
  const load = { request, report, layout, sources, active };
  try {
    return await make(load, request.purpose === 'history' ? await planHistory(load) : planSet(load));
  } finally {
    await active?.base.close();
  }
}

async function make(load: Load, plan: LoadPlan): Promise<LoadOutcome> {
  const { layout, request, sources, active } = load;
  checkSpace(layout, bytesNeeded(request, sources));
  checkSealing(layout);
  const copy = active?.copy ?? null;
  const staged = stage(layout, newPublicationId(plan.sourcePublishedAt), copy);
  const filled = await plan.fill(staged);
  await plan.verify(staged, filled);
  const manifest = await describeBuild(load, plan, staged, filled);
  await copy?.written;
  seal(layout, manifest);
  const { rows, rejected, superseded, deleted } = filled.reading;
  return { manifest, rows, rejected, superseded, deleted };
}

/** Makes the folder of a new publication. @param copy its initial content; null for nothing */
export function stage(layout: Layout, id: string, copy: ActiveCopy | null): StagedPublication {
  const folder = layout.staged(id);
  if (copy === null) mkdirSync(folder, { recursive: true });
  else renameSync(copy.folder, folder);
  return { id, folder };
}

/** Runs a load; if it fails, removes what it left and says so if the disk is full. */
export async function discardOnFailure<T>(layout: Layout, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const reason = explainWriteFailure(layout, error);
    await discardStaged(layout);
    throw reason;
  }
}

/** Writes the manifest, makes everything durable, and moves the folder to its place. */
function seal(layout: Layout, manifest: Manifest): void {
  const folder = layout.staged(manifest.id);
  writeDurably(join(folder, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const name of sealedFiles) sync(join(folder, name));
  sync(folder);
  renameSync(folder, layout.publication(manifest.id));
  sync(layout.publications);
}
