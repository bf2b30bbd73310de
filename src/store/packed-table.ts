/**
 * Stores a table from fixed-width keys to 32-bit values, packed into buckets of about a kilobyte, one row per bucket.
 *
 *     bucket 17:  key value key value key value …   sorted by key; a key may come several times
 *
 * Nine million ISINs take 150,000 puts in order instead of nine million random ones. A look-up is one get and a binary
 * search. Four rows fill a page of four kilobytes.
 */
import { bucketOf, compareKeys, hashItems, putKey } from '../bytes/hash.ts';
import { type Memory, ownMemory, withRoom } from '../bytes/memory.ts';
import { uint32At } from '../bytes/numbers-in-bytes.ts';
import {
  type Appendable,
  append,
  type BytesTable,
  type Glimpse,
  glimpse,
  type ReadTransaction,
} from '../lmdb.ts';
import { type BucketGroups, groupByBucket } from './buckets.ts';

const valueWidth = 4;
/** A little less than a quarter of a page: buckets vary in size, and most still share a page with three others. */
const bucketBytes = 940;

/** The facts that finding a key needs. The meta table stores them. */
export interface PackedTableShape {
  readonly keyWidth: number;
  readonly buckets: number;
  readonly entries: number;
}

/** Shape of an empty table. */
export function emptyShape(keyWidth: number): PackedTableShape {
  return { keyWidth, buckets: 1, entries: 0 };
}

function bucketsFor(entries: number, keyWidth: number): number {
  return Math.max(1, Math.ceil((entries * (keyWidth + valueWidth)) / bucketBytes));
}

function bucketOfKey(bytes: Uint8Array, from: number, width: number, buckets: number): number {
  return bucketOf(hashItems(bytes, from, from + width), buckets);
}

/** Keys and values side by side, in any order. */
interface PackedEntries {
  readonly keyWidth: number;
  readonly count: number;
  /** `count` keys of `keyWidth` bytes. */
  readonly keys: Uint8Array;
  readonly values: Uint32Array;
}

/**
 * Writes a whole table and returns its shape. Equal entries are stored once.
 * @param compareValues the order of values under one key
 * @param written shape of the table's current content; null for an empty one. If the number of entries is similar, it
 * keeps its buckets, and only rows that differ are written
 */
export function writePackedTable(
  table: BytesTable,
  entries: PackedEntries,
  compareValues: CompareValues,
  written: PackedTableShape | null = null,
): PackedTableShape {
  const { keyWidth } = entries;
  const wanted = bucketsFor(entries.count, keyWidth);
  const kept = written !== null && wanted <= 1.2 * written.buckets && wanted >= 0.5 * written.buckets;
  if (written !== null && !kept) table.clearSync();
  const grouped = groupEntries(entries, ownMemory, kept ? written.buckets : wanted);
  const put = kept ? putChanged : appendFilled;
  let stored = 0;
  for (const range of bucketRanges(grouped, bucketsPerTransaction)) {
    table.transactionSync(() => {
      stored += packBuckets(grouped, compareValues, range, (bucket, row) => put(table, bucket, row));
    });
  }
  return shapeOf(grouped, stored);
}
const bucketsPerTransaction = 20_000;

type CompareValues = (a: number, b: number) => number;
/** Receives the row of each bucket in order; an empty one if it has no entry. */
type PutRow = (bucket: number, row: Buffer) => void;

function putChanged(table: BytesTable, bucket: number, row: Buffer): void {
  if (row.length === 0) table.removeSync(bucket);
  else if (table.get(bucket)?.equals(row) !== true) table.putSync(bucket, row);
}

function appendFilled(table: Appendable, bucket: number, row: Buffer): void {
  if (row.length > 0) append(table, bucket, row);
}

/** Entries in the order of their buckets, as plain data. */
export interface GroupedEntries extends PackedEntries, BucketGroups {
  readonly buckets: number;
}

/** @param memory of the result */
export function groupEntries(
  entries: PackedEntries,
  memory: Memory,
  buckets = bucketsFor(entries.count, entries.keyWidth),
): GroupedEntries {
  return { ...entries, buckets, ...orderByBucket(entries, buckets, memory) };
}

/** A range of buckets: from the first to the last (exclusive). */
interface BucketRange {
  readonly first: number;
  readonly last: number;
}

/** All buckets, in ranges of `size`. */
export function* bucketRanges({ buckets }: GroupedEntries, size: number): Generator<BucketRange> {
  for (let first = 0; first < buckets; first += size) yield { first, last: Math.min(buckets, first + size) };
}

/** Appends the rows of some buckets. @returns their number of entries */
export function appendBuckets(
  table: Appendable,
  grouped: GroupedEntries,
  compareValues: CompareValues,
  range: BucketRange,
): number {
  return packBuckets(grouped, compareValues, range, (bucket, row) => appendFilled(table, bucket, row));
}

/** @param entries of the table */
export function shapeOf({ keyWidth, buckets }: GroupedEntries, entries: number): PackedTableShape {
  return { keyWidth, buckets, entries };
}

function packBuckets(
  grouped: GroupedEntries,
  compareValues: CompareValues,
  { first, last }: BucketRange,
  put: PutRow,
): number {
  const { keyWidth, keys, values, order, starts } = grouped;
  const compare = (a: number, b: number) =>
    compareKeys(keys, a * keyWidth, keys, b * keyWidth, keyWidth) ||
    compareValues(values[a] ?? 0, values[b] ?? 0);
  let stored = 0;
  let row = Buffer.allocUnsafe(2 * bucketBytes);
  for (let bucket = first; bucket < last; bucket++) {
    const members = order.subarray(starts[bucket] ?? 0, starts[bucket + 1] ?? 0);
    insertionSort(members, compare);
    row = withRoom(row, 0, members.length * (keyWidth + valueWidth), Buffer.allocUnsafe);
    const bytes = packBucket(grouped, members, row);
    stored += bytes / (keyWidth + valueWidth);
    put(bucket, row.subarray(0, bytes));
  }
  return stored;
}

function* entriesIn(row: Buffer | undefined, keyWidth: number): Generator<[key: string, value: number]> {
  for (let at = 0; row !== undefined && at < row.length; at += keyWidth + valueWidth) {
    yield [row.toString('latin1', at, at + keyWidth), row.readUInt32LE(at + keyWidth)];
  }
}

function orderByBucket(
  { keyWidth, keys, count }: PackedEntries,
  buckets: number,
  memory: Memory,
): BucketGroups {
  // Compute each hash once; it is used twice.
  const bucketOfEntry = new Uint32Array(count);
  for (let i = 0; i < count; i++) bucketOfEntry[i] = bucketOfKey(keys, i * keyWidth, keyWidth, buckets);
  return groupByBucket(count, buckets, (i) => bucketOfEntry[i] ?? 0, memory);
}

/** Insertion sort: for the fifty or so entries of a bucket it beats Array.sort with its closures. */
function insertionSort(members: Uint32Array, compare: (a: number, b: number) => number): void {
  for (let i = 1; i < members.length; i++) {
    const member = members[i] ?? 0;
    let place = i;
    while (place > 0 && compare(members[place - 1] ?? 0, member) > 0) {
      members[place] = members[place - 1] ?? 0;
      place--;
    }
    members[place] = member;
  }
}

/** Packs the members into the row and returns the bytes they take. */
function packBucket({ keyWidth, keys, values }: PackedEntries, members: Uint32Array, row: Buffer): number {
  const width = keyWidth + valueWidth;
  let end = 0;
  let before = -1;
  // No for…of: its iterator over a typed array costs as much as the rest of the function.
  for (let place = 0; place < members.length; place++) {
    const member = members[place] ?? 0;
    const repeated =
      before >= 0 &&
      values[before] === values[member] &&
      compareKeys(keys, before * keyWidth, keys, member * keyWidth, keyWidth) === 0;
    if (repeated) continue;
    // Byte by byte: views of nine million keys would be gigabytes of garbage, and slower.
    for (let i = 0; i < keyWidth; i++) row[end + i] = keys[member * keyWidth + i] ?? 0;
    row.writeUInt32LE(values[member] ?? 0, end + keyWidth);
    end += width;
    before = member;
  }
  return end;
}

interface PackedTable {
  /** Values under a key, in stored order; empty for a key that is unknown or of another width. */
  values(key: string): number[];
  /** Every entry, bucket by bucket. */
  entries(): Generator<{ key: string; value: number }>;
}

/** Opens a table for reading. `transaction` is undefined inside a write transaction of the builder. */
export function openPackedTable(
  table: BytesTable,
  shape: PackedTableShape,
  transaction: ReadTransaction | undefined,
): PackedTable {
  const { keyWidth, buckets } = shape;
  const options = transaction === undefined ? {} : { transaction };
  const wanted = Buffer.alloc(keyWidth);
  const bucketFor = (key: string): Glimpse | null => {
    if (!putKey(key, wanted)) return null;
    return glimpse(table, bucketOfKey(wanted, 0, keyWidth, buckets), options);
  };
  return {
    values: (key) => {
      const row = bucketFor(key);
      return row === null ? [] : valuesIn(row, wanted);
    },
    *entries() {
      for (const { value: row } of table.getRange(options)) {
        for (const [key, value] of entriesIn(row, keyWidth)) yield { key, value };
      }
    },
  };
}

function valuesIn(row: Glimpse, key: Buffer): number[] {
  const values: number[] = [];
  for (let at = lowerBound(row, key); matches(row, at, key); at += key.length + valueWidth) {
    values.push(uint32At(row.bytes, at + key.length));
  }
  return values;
}

/** Byte offset of the first entry whose key is not below `key`. */
function lowerBound({ bytes, length }: Glimpse, key: Buffer): number {
  const width = key.length + valueWidth;
  let low = 0;
  let high = length / width;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(bytes, middle * width, key, 0, key.length) < 0) low = middle + 1;
    else high = middle;
  }
  return low * width;
}

function matches({ bytes, length }: Glimpse, at: number, key: Buffer): boolean {
  return at < length && compareKeys(bytes, at, key, 0, key.length) === 0;
}
