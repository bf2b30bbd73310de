/** Opens a publication that the loader reads completely: the active one, or the one it has just built. */
import { openStored, type RawPublication, type StoredPublication } from '../store/raw-publication.ts';
import { kindOfRelationship, splitEnds, unpackRelationshipLists } from '../store/relationship-record.ts';

export interface Base extends StoredPublication {
  /**
   * Unmaps the pages read so far. Call it from time to time: mapped pages count as memory of the loader, gigabytes for
   * all companies. The next use maps the file again, which takes a millisecond. Tables and transactions obtained before
   * are then invalid.
   */
  unmap(): void;
}

/** @throws if the publication is missing, damaged, another one or of another version */
export function openBase(folder: string, id: string): Base {
  const first = openStored(folder, id);
  let opened: StoredPublication | null = first;
  const current = () => {
    opened ??= openStored(folder, id);
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
    get companies() {
      return current().companies;
    },
    unmap,
    close: async () => unmap(),
  };
}

/** The relationship with this start, end and type, both ends by their numbers in the publication; null for none. */
export function relationshipBetween(
  { tables, transaction }: RawPublication,
  start: number,
  end: number,
  type: string,
): { readonly number: number; readonly stored: string } | null {
  for (const number of unpackRelationshipLists(tables.relationshipsOf.get(start, { transaction })).asStart) {
    const stored = tables.relationships.get(number, { transaction }) ?? '';
    const split = splitEnds(stored);
    if (split.end === end && kindOfRelationship(split.record).type === type) return { number, stored };
  }
  return null;
}
