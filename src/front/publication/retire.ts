/** Retires publications: closes what is no longer kept in every thread, then deletes what was once active. */
import type { Layout } from '../../publication/layout.ts';
import { type Retention, retention } from '../../publication/retention.ts';
import { deletePublication, sealedIds } from '../../publication/sealed.ts';
import type { Log } from '../log.ts';
import type { QueryThreads } from '../threads/query-pool.ts';
import type { Serving } from './serving.ts';

interface RetireParts {
  readonly layout: Layout;
  readonly threads: Pick<QueryThreads, 'close'>;
  readonly serving: Serving;
}

/** The publications that stay while this one is served; none while none is served. */
function retentionOf({ layout, serving }: Pick<RetireParts, 'layout' | 'serving'>, keep: number): Retention {
  const active = serving.active();
  if (active === null) return { kept: [], outdated: [], unused: [] };
  const found = retention(sealedIds(layout), { id: active.manifest.id, previous: serving.history() }, keep);
  const expected = serving.expected();
  if (expected === null || found.kept.includes(expected)) return found;
  const others = (ids: readonly string[]) => ids.filter((id) => id !== expected);
  return { kept: [...found.kept, expected], outdated: others(found.outdated), unused: others(found.unused) };
}

/** Steps 7 and 8 of a swap (swap.ts). A file that can't be deleted does not stop the rest. */
export async function retire(
  parts: RetireParts,
  keep: number,
  log: Pick<Log, 'info' | 'warn'>,
): Promise<void> {
  const { kept, outdated } = retentionOf(parts, keep);
  for (const id of parts.serving.heldIds()) if (!kept.includes(id)) await closePublication(parts, id);
  for (const id of outdated) await deleteOutdated(parts.layout, id, log);
}

/** Ends the cursors in a publication other than the active one, and closes it once no question about it is open. */
export async function closePublication(
  { serving, threads }: Pick<RetireParts, 'serving' | 'threads'>,
  id: string,
): Promise<void> {
  serving.letGo(id);
  await threads.close(id);
}

async function deleteOutdated(layout: Layout, id: string, log: Pick<Log, 'info' | 'warn'>): Promise<void> {
  try {
    await deletePublication(layout, id);
    log.info('An outdated publication was deleted.', { publication: id });
  } catch (error) {
    log.warn('An outdated publication could not be deleted.', { publication: id, error });
  }
}
