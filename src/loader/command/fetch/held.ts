/** Reads the times of the active publication's data, from which an update decides what it needs. */
import { reasonOf } from '../../../errors.ts';
import type { Layout } from '../../../publication/layout.ts';
import { type Pointer, readPointer } from '../../../publication/pointer.ts';
import { readManifest } from '../../../publication/sealed.ts';
import { openStored } from '../../../store/raw-publication.ts';
import { LoadFailure } from '../../load-request.ts';
import type { HeldTimes } from './choose-files.ts';

/**
 * Null if a delta has nothing to build on: no publication, a damaged one, or the bundled sample.
 * @param inspect says what is wrong with a publication, or null; it reads in a separate process, because a damaged page
 *   can crash the reader
 * @throws LoadFailure if the active publication is of a newer format, which an older program must not replace
 */
export async function readHeld(
  layout: Layout,
  say: (message: string) => void,
  inspect: (id: string) => Promise<string | null>,
): Promise<HeldTimes | null> {
  const pointer = pointerOrWarning(layout, say);
  if (pointer === null) return null;
  const reading = readManifest(layout, pointer.id);
  if (reading.outcome === 'newer-format') throw new LoadFailure('active-unreadable', reading.message);
  if (reading.outcome !== 'sound') {
    say(`Warning: ${reading.message}`);
    return null;
  }
  if (reading.manifest.sample) return null;
  const damage = await inspect(pointer.id);
  if (damage !== null) {
    say(`Warning: Publication ${pointer.id} is damaged: ${damage}`);
    return null;
  }
  const publication = openStored(layout.publication(pointer.id), pointer.id);
  try {
    const { sourcePublishedAt, contentDates } = publication.meta;
    return { sourcePublishedAt, contentDates };
  } finally {
    await publication.close();
  }
}

function pointerOrWarning(layout: Layout, say: (message: string) => void): Pointer | null {
  try {
    return readPointer(layout);
  } catch (error) {
    say(`Warning: ${reasonOf(error)}`);
    return null;
  }
}
