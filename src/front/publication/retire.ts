/** Which publications stay, and the deletion of those that nobody needs any more. */
import type { Layout } from '../../publication/layout.ts';
import { deletePublication, sealedIds } from '../../publication/sealed.ts';
import type { Log } from '../log.ts';
import type { Serving } from './serving.ts';

/** The active publication and the ones active before it that still exist, `keep` in all. */
export function keptIds(layout: Layout, serving: Serving, keep: number): ReadonlySet<string> {
  const active = serving.active();
  const sealed = new Set(sealedIds(layout));
  const earlier = serving.history().map(({ id }) => id);
  const existing = earlier.filter((id) => sealed.has(id));
  const inOrder = active === null ? existing : [active.manifest.id, ...existing];
  return new Set([...new Set(inOrder)].slice(0, keep));
}

/**
 * Deletes publications that were active once and are not kept, which no thread holds any more. One that was never
 * active may be waiting for its activation, and is left to `lei prune`.
 */
export async function deleteUnneeded(
  layout: Layout,
  serving: Serving,
  kept: ReadonlySet<string>,
  log: Pick<Log, 'info' | 'warn'>,
): Promise<void> {
  const wasActive = new Set(serving.history().map(({ id }) => id));
  for (const id of sealedIds(layout)) {
    if (!wasActive.has(id) || kept.has(id)) continue;
    try {
      await deletePublication(layout, id);
      log.info('A publication that is no longer kept was deleted.', { publication: id });
    } catch (error) {
      log.warn('A publication that is no longer kept could not be deleted.', { publication: id, error });
    }
  }
}
