/** Recovers what companies were from older level 1 files, as snapshots in a copy of the active publication. */
import { openForBuilding, syncAndClose } from '../../lmdb.ts';
import { newPublicationId } from '../../publication/layout.ts';
import { bytesOf } from '../../publication/manifest.ts';
import { openEnvironment } from '../../store/open-publication.ts';
import type { Built } from '../build/build.ts';
import { isOutdated } from '../build/moments.ts';
import { LoadFailure, type LoadOutcome } from '../load-request.ts';
import type { Source } from '../rows.ts';
import type { Active, Load } from './active.ts';
import { writeCompanyFile } from './company-file.ts';
import { passBadRows } from './gates.ts';
import { type Reading, readRows, totalsOf } from './read-rows.ts';
import { sealBuild } from './seal-build.ts';
import { createSnapshots } from './snapshots.ts';
import { checkSealing, checkSpace, stage } from './staging.ts';

/** @throws SourceError, LoadFailure where the operator is to be told; nothing has changed then */
export async function recoverHistory(recovery: Load): Promise<LoadOutcome> {
  const { layout, request, active, sources } = recovery;
  if (active === null) throw new Error('History is recovered into an active publication.');
  const { id: activeId, sourcePublishedAt } = active.manifest;
  checkSources(sources, sourcePublishedAt);
  // Its search index is kept as it is: one of another version is found before gigabytes are copied.
  await (await openEnvironment(layout.publication(activeId), activeId)).close();
  checkSpace(layout, bytesOf(active.manifest) + sources.reduce((sum, { bytes }) => sum + bytes, 0));
  checkSealing(layout);
  const id = newPublicationId(sourcePublishedAt);
  const folder = stage(layout, id, activeId);
  return sealBuild(layout, { id, sourcePublishedAt, request, active }, async () => {
    const done = await addSnapshots(recovery, active, folder, id);
    await writeCompanyFile(folder, id, () => undefined);
    await (await openEnvironment(folder, id)).close();
    return done;
  });
}

/** Older company files only, each of a known time. */
function checkSources(sources: readonly Source[], activeTime: string): void {
  for (const { name, kind, header } of sources) {
    if (kind !== 'level-1') {
      throw new LoadFailure(
        'not-level-1',
        `${name} holds ${kind}; history is recovered from level 1 files only.`,
      );
    }
    if (header.contentDate === null) {
      throw new LoadFailure(
        'no-source-time',
        `${name} does not tell when it was published, neither in its header nor in its name; put the time in front of its name, as 20220101-0800-${name}.`,
      );
    }
    if (!isOutdated(header.contentDate, activeTime)) {
      throw new LoadFailure(
        'not-older',
        `${name} is of ${header.contentDate}, which is not before the active publication's ${activeTime}; load it instead.`,
      );
    }
  }
}

async function addSnapshots(
  { sources, request, report }: Load,
  active: Active,
  folder: string,
  id: string,
): Promise<{ reading: Reading; built: Built }> {
  const environment = openForBuilding(folder);
  try {
    const snapshots = createSnapshots(environment, active.base, id);
    const reading = await readRows(sources, snapshots, request, report);
    passBadRows(totalsOf(reading), request.limits, request.skippedGates, report);
    return { reading, built: snapshots.finish() };
  } finally {
    await syncAndClose(environment);
  }
}
