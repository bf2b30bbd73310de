/** Changes the table of whole names and identifiers, bucket by bucket. */
import { ByteWriter } from '../../../bytes/byte-writer.ts';
import { uint32At } from '../../../bytes/numbers-in-bytes.ts';
import { keyEntryBytes, type SearchTables } from '../format.ts';
import type { KeyEntry } from './company.ts';

/** An entry of a bucket: the hash of a key, and a document with the index of a name. */
interface Stored {
  readonly hash: number;
  readonly place: number;
}

interface BucketChange {
  readonly added: Stored[];
  readonly removed: Stored[];
}

export class KeyChanges {
  private readonly buckets = new Map<number, BucketChange>();

  add({ bucket, hash, nameIndex }: KeyEntry, document: number): void {
    this.of(bucket).added.push({ hash, place: ((document << 8) | nameIndex) >>> 0 });
  }

  remove({ bucket, hash, nameIndex }: KeyEntry, document: number): void {
    this.of(bucket).removed.push({ hash, place: ((document << 8) | nameIndex) >>> 0 });
  }

  private of(bucket: number): BucketChange {
    const change = this.buckets.get(bucket) ?? { added: [], removed: [] };
    this.buckets.set(bucket, change);
    return change;
  }

  write(table: SearchTables['keys']): void {
    for (const [bucket, { added, removed }] of [...this.buckets].sort(([a], [b]) => a - b)) {
      const before = table.getBinary(bucket) ?? Buffer.alloc(0);
      const after = changed(before, added.sort(inOrder), removed.sort(inOrder));
      if (after.length === 0) table.removeSync(bucket);
      else if (!after.equals(before)) table.putSync(bucket, after);
    }
  }
}

function inOrder(a: Stored, b: Stored): number {
  return a.hash - b.hash || a.place - b.place;
}

const row = new ByteWriter();

/** Merges a bucket with what comes, without what goes; all are in order, and what comes twice is stored once. */
function changed(before: Buffer, added: readonly Stored[], removed: readonly Stored[]): Buffer {
  row.clear();
  let last: Stored | null = null;
  const put = (entry: Stored) => {
    if (last === null || inOrder(last, entry) !== 0) {
      row.uint32(entry.hash);
      row.uint32(entry.place);
    }
    last = entry;
  };
  let [come, gone] = [0, 0];
  for (let at = 0; at < before.length; at += keyEntryBytes) {
    const entry = { hash: uint32At(before, at), place: uint32At(before, at + 4) };
    for (let next = added[come]; next !== undefined && inOrder(next, entry) < 0; next = added[++come])
      put(next);
    while (isBefore(removed[gone], entry)) gone++;
    const stays = removed[gone] === undefined || isBefore(entry, removed[gone]);
    if (stays) put(entry);
  }
  for (const entry of added.slice(come)) put(entry);
  return row.view();
}

function isBefore(a: Stored | undefined, b: Stored | undefined): boolean {
  return a !== undefined && b !== undefined && inOrder(a, b) < 0;
}
