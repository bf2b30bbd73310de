/** Opens a publication that the loader reads completely: the active one, or the one it has just built. */
import { openRaw, type RawPublication } from '../store/raw-publication.ts';

export interface Base extends RawPublication {
  /**
   * Unmaps the pages read so far. Call it from time to time: mapped pages count as memory of the loader, gigabytes for
   * all companies. The next use maps the file again, which takes a millisecond. Tables and transactions obtained before
   * are then invalid.
   */
  unmap(): void;
}

/** @throws if the publication is missing, damaged, another one or of another version */
export function openBase(folder: string, id: string): Base {
  const first = openRaw(folder, id);
  let opened: RawPublication | null = first;
  const current = () => {
    opened ??= openRaw(folder, id);
    return opened;
  };
  const unmap = () => {
    // lmdb closes a read-only environment before it returns the promise.
    void opened?.close();
    opened = null;
  };
  return {
    meta: first.meta,
    get tables() {
      return current().tables;
    },
    get transaction() {
      return current().transaction;
    },
    get directory() {
      return current().directory;
    },
    unmap,
    close: async () => unmap(),
  };
}
