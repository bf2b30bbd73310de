/** Distinguishes an operator's own data from the bundled sample. */
import type { Layout } from './layout.ts';
import { readPointer } from './pointer.ts';
import { type ManifestReading, readManifest, sealedIds } from './sealed.ts';

/**
 * Whether the data folder has ever had a publication other than the sample, even if it can't be served now because it
 * is damaged, of another format, or moved away. The sample must not take its place: its answers would look like real
 * ones.
 */
export function hasOwnPublication(layout: Layout): boolean {
  const sealed = sealedIds(layout).map((id) => readManifest(layout, id));
  // A folder without a manifest is the rest of a deletion.
  if (sealed.some((reading) => reading.outcome !== 'missing' && !holdsSample(reading))) return true;
  try {
    const pointer = readPointer(layout);
    return pointer !== null && !holdsSample(readManifest(layout, pointer.id));
  } catch {
    // A damaged pointer named some publication: the sample if the folder has it, otherwise one of the operator's.
    return !sealed.some(holdsSample);
  }
}

export function holdsSample(reading: ManifestReading): boolean {
  return reading.outcome === 'sound' && reading.manifest.sample;
}
