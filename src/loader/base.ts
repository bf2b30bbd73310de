/** A publication that the loader reads much of: the one it compares with or builds on, or the one it has just built. */
import { openRaw, type RawPublication } from '../store/raw-publication.ts';

export interface Base extends RawPublication {
  /**
   * Unmaps what was read of it, to be called from time to time: in one go the pages of all companies would count as
   * memory of the loader, gigabytes of them. The next use maps it anew, which takes a millisecond. Tables and
   * transactions taken out of it before are not to be used after.
   */
  release(): void;
}

/** Throws where the publication is missing, damaged, another one or of another version. */
export function openBase(folder: string, id: string): Base {
  const first = openRaw(folder, id);
  let opened: RawPublication | null = first;
  const current = () => {
    opened ??= openRaw(folder, id);
    return opened;
  };
  const release = () => {
    // A read-only environment is closed before lmdb returns its promise.
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
    release,
    close: async () => release(),
  };
}
