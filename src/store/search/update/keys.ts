/** Changes the table of whole names and identifiers, bucket by bucket: unchanged entries are copied as bytes. */
import { firstNotBefore } from '../../../bytes/binary-search.ts';
import { ByteWriter } from '../../../bytes/byte-writer.ts';
import { bucketOf } from '../../../bytes/hash.ts';
import { uint32At } from '../../../bytes/numbers-in-bytes.ts';
import type { Glimpse } from '../../../lmdb.ts';
import type { ChangedRows } from '../../row-file/changes.ts';
import type { HashedKey } from '../build/prepared-company.ts';
import { keyEntryBytes } from '../format.ts';
import type { RewrittenCompany } from './company.ts';

/** An added or removed entry: the hash of a key, and a document with the index of a name. */
interface Edit {
  readonly bucket: number;
  readonly hash: number;
  readonly place: number;
  readonly comes: boolean;
}

/** @param buckets of the index */
export function changeKeys(table: ChangedRows, buckets: number, rewritten: Iterable<RewrittenCompany>): void {
  const byBucket = Map.groupBy(editsOf(rewritten), ({ bucket }) => bucketOf(bucket, buckets));
  for (const [bucket, edits] of [...byBucket].sort(([a], [b]) => a - b)) {
    // Read no further before the bucket is written: these bytes are valid until then.
    const before = { length: table.read(bucket), bytes: table.bytes };
    const after = changed(before, edits.sort(inOrder));
    if (after.length === 0) table.remove(bucket);
    else if (after.compare(before.bytes, 0, before.length) !== 0) table.put(bucket, after);
  }
}

function* editsOf(rewritten: Iterable<RewrittenCompany>): Generator<Edit> {
  for (const { before, after, from, to } of rewritten) {
    if (from !== null) for (const key of before?.keys ?? []) yield editOf(key, from, false);
    for (const key of after.keys) yield editOf(key, to, true);
  }
}

function editOf({ bucket, hash, nameIndex }: HashedKey, document: number, comes: boolean): Edit {
  return { bucket, hash, place: ((document << 8) | nameIndex) >>> 0, comes };
}

/** Adding follows removing, so an entry that is removed and added stays. */
function inOrder(a: Edit, b: Edit): number {
  return a.hash - b.hash || a.place - b.place || Number(a.comes) - Number(b.comes);
}

const row = new ByteWriter();

/** @param edits in order; the last one of an entry counts */
function changed({ bytes, length }: Glimpse, edits: readonly Edit[]): Buffer {
  row.clear();
  let copied = 0;
  for (const [index, { hash, place, comes }] of edits.entries()) {
    const next = edits[index + 1];
    if (next !== undefined && next.hash === hash && next.place === place) continue;
    const at = positionOf(bytes, length, hash, place);
    row.append(bytes.subarray(copied, at));
    const isThere = at < length && uint32At(bytes, at) === hash && uint32At(bytes, at + 4) === place;
    copied = isThere ? at + keyEntryBytes : at;
    if (!comes) continue;
    row.uint32(hash);
    row.uint32(place);
  }
  row.append(bytes.subarray(copied, length));
  return row.view();
}

/** Returns the position of an entry in a bucket, or the one at which it would be inserted. */
function positionOf(bucket: Buffer, length: number, hash: number, place: number): number {
  const isBefore = (entry: number) => {
    const stored = uint32At(bucket, entry * keyEntryBytes);
    return stored < hash || (stored === hash && uint32At(bucket, entry * keyEntryBytes + 4) < place);
  };
  return firstNotBefore(0, length / keyEntryBytes, isBefore) * keyEntryBytes;
}
