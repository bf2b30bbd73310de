/** Retires publications: closes what is no longer kept in every thread, then deletes what was once active. */
import { retention } from '../../publication/retention.ts';
import { deletePublication, sealedIds } from '../../publication/sealed.ts';
import type { SwapParts } from './swap.ts';

/** The publications that stay while this one is served, and those to delete; none while none is served. */
function retentionOf({ layout, serving, keep }: SwapParts) {
  const active = serving.active();
  if (active === null) return { kept: [], outdated: [] };
  const found = retention(sealedIds(layout), { id: active.manifest.id, previous: serving.history() }, keep);
  const expected = serving.expected();
  if (expected === null || found.kept.includes(expected)) return found;
  return { kept: [...found.kept, expected], outdated: found.outdated.filter((id) => id !== expected) };
}

/** Steps 7 and 8 of a swap (swap.ts). A file that can't be deleted does not stop the rest. */
export async function retire(parts: SwapParts): Promise<void> {
  const { kept, outdated } = retentionOf(parts);
  for (const id of parts.serving.heldIds()) if (!kept.includes(id)) await closePublication(parts, id);
  for (const id of outdated) await deleteOutdated(parts, id);
}

/** Ends the cursors in a publication other than the active one, and closes it once no question about it is open. */
export async function closePublication({ serving, threads }: SwapParts, id: string): Promise<void> {
  serving.letGo(id);
  await threads.close(id);
}

async function deleteOutdated({ layout, log }: SwapParts, id: string): Promise<void> {
  try {
    await deletePublication(layout, id);
    log.info('An outdated publication was deleted.', { publication: id });
  } catch (error) {
    log.warn('An outdated publication could not be deleted.', { publication: id, error });
  }
}
