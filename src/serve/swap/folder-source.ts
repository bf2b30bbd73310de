/** The publication source of a single service: `active.json` and the sealed publications of its data folder. */
import type { PublicationSource } from '../../ports/publication-source.ts';
import type { Layout } from '../../publication/layout.ts';
import { movePointer, readPointer } from '../../publication/pointer.ts';
import { readManifest } from '../../publication/sealed.ts';

export function folderSource(layout: Layout): PublicationSource {
  return {
    pointer: () => readPointer(layout),
    obtain: async (id) => readManifest(layout, id),
    movePointer: (id, now, before, direction) => movePointer(layout, id, now, before, direction),
  };
}
