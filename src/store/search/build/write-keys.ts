/** Writes whole names and identifiers by hash; index/keys.ts has the layout. */
import { ByteWriter } from '../../../bytes/byte-writer.ts';
import type { NumberPieces } from '../../../bytes/memory.ts';
import { append } from '../../../lmdb.ts';
import { hashedBuckets } from '../../buckets.ts';
import { bucketsFor, keyEntryBytes } from '../format.ts';
import type { Collection } from './collection.ts';
import type { SearchRows } from './rows.ts';

/** @param documents company → document @returns how many buckets the table has */
export function writeKeys(tables: SearchRows, collection: Collection, documents: Uint32Array): number {
  const { keyBuckets, keyHashes, keyCompanies } = collection;
  const buckets = bucketsFor(keyHashes.length * keyEntryBytes);
  const entryOf = (i: number) => {
    const company = keyCompanies.at(i);
    return (((documents[company >>> 8] ?? 0) << 8) | (company & 255)) >>> 0;
  };
  const row = new ByteWriter();
  for (const [bucket, members] of hashedBuckets(keyBuckets, keyHashes, buckets)) {
    sortEqualHashes(members, keyHashes, entryOf);
    row.clear();
    let before = -1;
    for (let index = 0; index < members.length; index++) {
      const member = members[index] ?? 0;
      const hash = keyHashes.at(member);
      const isNew = index === 0 || hash !== keyHashes.at(members[index - 1] ?? 0);
      // A company's BIC may also be its number in the register.
      if (!isNew && entryOf(member) === before) continue;
      before = entryOf(member);
      row.uint32(hash);
      row.uint32(before);
    }
    append(tables.keys, bucket, row.view());
  }
  return buckets;
}

/** Sorts companies with the same key by rank, independent of the order in which they were added. */
function sortEqualHashes(
  members: Uint32Array,
  hashes: NumberPieces,
  entryOf: (member: number) => number,
): void {
  let first = 0;
  for (let i = 1; i <= members.length; i++) {
    if (i < members.length && hashes.at(members[i] ?? 0) === hashes.at(members[first] ?? 0)) continue;
    if (i - first > 1) members.subarray(first, i).sort((a, b) => entryOf(a) - entryOf(b));
    first = i;
  }
}
