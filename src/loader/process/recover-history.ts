/**
 * The plan of a recovery of history: snapshots of companies from older level 1 files, in a copy of the active
 * publication.
 */

import { isOutdated } from '../../lei/dates.ts';
import { companiesIn } from '../../publication/layout.ts';
import { CompanyFileChanges } from '../../store/company-file-changes.ts';
import { openEnvironment } from '../../store/open-publication.ts';
import { LoadFailure } from '../load-request.ts';
import { withEnvironment } from '../search/search-feed.ts';
import type { Source } from '../source.ts';
import type { Active } from './active.ts';
import type { FilledTables, Load, LoadPlan, StagedPublication } from './plan.ts';
import { readRows } from './read-rows.ts';
import { createSnapshots } from './snapshots.ts';

/** @throws LoadFailure if a file is not an older level 1 file of a known time */
export async function planHistory(load: Load): Promise<LoadPlan> {
  const { layout, active, sources } = load;
  if (active === null) throw new Error('History is recovered into an active publication.');
  const { id, sourcePublishedAt } = active.manifest;
  checkSources(sources, sourcePublishedAt);
  // The search index stays as it is. Opening it first finds one of another version before the files are read.
  await tryOpen(layout.publication(id), id);
  return {
    sourcePublishedAt,
    fill: (staged) => addSnapshots(load, active, staged),
    verify: ({ folder, id: stagedId }) => tryOpen(folder, stagedId),
  };
}

async function tryOpen(folder: string, id: string): Promise<void> {
  await (await openEnvironment(folder, id)).close();
}

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
        `${name} does not state when it was published, in its header or in its name. Put the time in front of its name, such as 20220101-0800-${name}.`,
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

async function addSnapshots(load: Load, active: Active, staged: StagedPublication): Promise<FilledTables> {
  const { id, folder } = staged;
  const { lastEntity, rowSum = 0 } = active.base.meta;
  return withEnvironment(folder, async (environment) => {
    const snapshots = createSnapshots(environment, active.base, id);
    const reading = await readRows(load, snapshots);
    const built = snapshots.finish();
    const companies = new CompanyFileChanges(companiesIn(folder), { id, lastEntity, sum: rowSum });
    try {
      companies.finish();
    } finally {
      companies.close();
    }
    return { reading, built, companies: null };
  });
}
