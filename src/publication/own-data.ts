/** Whose data a folder holds: an operator's own, or nothing but the bundled sample. */
import type { Layout } from './layout.ts';
import { readPointer } from './pointer.ts';
import { type ManifestReading, readManifest, sealedIds } from './sealed.ts';

/**
 * Whether the data folder has had a publication that is no sample, also where it can't be served now: damaged, of another
 * format, moved away. The sample in its place would only look like an answer.
 */
export function hasOwnPublication(layout: Layout): boolean {
  const sealed = sealedIds(layout).map((id) => readManifest(layout, id));
  // A folder without a manifest was being deleted.
  if (sealed.some((reading) => reading.outcome !== 'missing' && !holdsSample(reading))) return true;
  try {
    const pointer = readPointer(layout);
    return pointer !== null && !holdsSample(readManifest(layout, pointer.id));
  } catch {
    // Damaged, so there was one: a sample, where nothing else is here.
    return !sealed.some(holdsSample);
  }
}

export function holdsSample(reading: ManifestReading): boolean {
  return reading.outcome === 'sound' && reading.manifest.sample;
}
