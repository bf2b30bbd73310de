/** Changes the table of whole names and identifiers, bucket by bucket. */
import { ByteWriter } from '../../../bytes/byte-writer.ts';
import { uint32At } from '../../../bytes/numbers-in-bytes.ts';
import { keyEntryBytes, type SearchTables } from '../format.ts';
import type { KeyEntry } from './company.ts';

/** Entries as numbers that sort as entries do: by hash, then by document. */
interface BucketChange {
  readonly added: Set<bigint>;
  readonly removed: Set<bigint>;
}

export class KeyChanges {
  private readonly buckets = new Map<number, BucketChange>();

  add(entry: KeyEntry, document: number): void {
    this.of(entry.bucket).added.add(packed(entry, document));
  }

  remove(entry: KeyEntry, document: number): void {
    this.of(entry.bucket).removed.add(packed(entry, document));
  }

  private of(bucket: number): BucketChange {
    const change = this.buckets.get(bucket) ?? { added: new Set(), removed: new Set() };
    this.buckets.set(bucket, change);
    return change;
  }

  write(table: SearchTables['keys']): void {
    for (const [bucket, { added, removed }] of this.buckets) {
      if (added.symmetricDifference(removed).size === 0) continue;
      const entries = new Set(entriesIn(table.getBinary(bucket)));
      for (const entry of removed) entries.delete(entry);
      for (const entry of added) entries.add(entry);
      if (entries.size === 0) table.removeSync(bucket);
      else table.putSync(bucket, rowOf(BigUint64Array.from(entries).sort()));
    }
  }
}

function packed({ hash, nameIndex }: KeyEntry, document: number): bigint {
  return (BigInt(hash) << 32n) | BigInt(((document << 8) | nameIndex) >>> 0);
}

function* entriesIn(row: Uint8Array | undefined): Generator<bigint> {
  const bytes = row ?? new Uint8Array(0);
  for (let at = 0; at < bytes.length; at += keyEntryBytes) {
    yield (BigInt(uint32At(bytes, at)) << 32n) | BigInt(uint32At(bytes, at + 4));
  }
}

const row = new ByteWriter();

function rowOf(entries: BigUint64Array): Buffer {
  row.clear();
  for (const entry of entries) {
    row.uint32(Number(entry >> 32n));
    row.uint32(Number(entry & 0xffffffffn));
  }
  return row.view();
}
