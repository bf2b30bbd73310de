/** Adds new words to the table of spellings, and removes those that no name has any more. */
import { ByteWriter } from '../../../bytes/byte-writer.ts';
import { bucketOf, hashText } from '../../../bytes/hash.ts';
import { uint24At, uint32At } from '../../../bytes/numbers-in-bytes.ts';
import type { ChangedRows } from '../../row-file/changes.ts';
import { copyOfRow } from '../../row-file/rows.ts';
import { packRest, spelledPieces } from '../build/write-spellings.ts';
import { spellingSeeds } from '../format.ts';
import type { ChangedTerm } from './terms.ts';

/** Words that share a hash: each without a piece of it, then its id. */
type SpellingsByHash = Map<number, Uint8Array[]>;

export function changeSpellings(table: ChangedRows, buckets: number, changed: readonly ChangedTerm[]): void {
  const rows = new Map<number, SpellingsByHash>();
  for (const { text, id, before, after } of changed) {
    if (before > 0 === after > 0) continue;
    for (const { key, piece } of spelledPieces(text)) {
      const bucket = bucketOf(hashText(key, spellingSeeds[0]), buckets);
      const groups = rows.get(bucket) ?? groupsIn(copyOfRow(table, bucket));
      rows.set(bucket, groups);
      const hash = hashText(key, spellingSeeds[1]);
      const group = groups.get(hash) ?? [];
      groups.set(
        hash,
        after > 0 ? [...group, entryOf(text, piece, id)] : withoutWord(group, text, piece, id),
      );
    }
  }
  for (const [bucket, groups] of rows) write(table, bucket, groups);
}

const entry = new ByteWriter();

function entryOf(text: string, piece: number, id: number): Uint8Array {
  entry.clear();
  packRest(entry, text, piece);
  entry.uint24(id);
  return Uint8Array.from(entry.view());
}

/** Entries of a group have the same length, because their words and pieces have. */
function withoutWord(group: readonly Uint8Array[], text: string, piece: number, id: number): Uint8Array[] {
  const { length } = entryOf(text, piece, id);
  const kept: Uint8Array[] = [];
  for (const bytes of group) {
    for (let at = 0; at < bytes.length; at += length) {
      if (uint24At(bytes, at + length - 3) !== id) kept.push(bytes.subarray(at, at + length));
    }
  }
  return kept;
}

function groupsIn(row: Uint8Array | null): SpellingsByHash {
  const bytes = row ?? new Uint8Array(0);
  const groups: SpellingsByHash = new Map();
  for (let at = 0; at < bytes.length; ) {
    const end = at + 8 + uint32At(bytes, at + 4);
    groups.set(uint32At(bytes, at), [bytes.subarray(at + 8, end)]);
    at = end;
  }
  return groups;
}

const row = new ByteWriter();

function write(table: ChangedRows, bucket: number, groups: SpellingsByHash): void {
  row.clear();
  for (const [hash, entries] of [...groups].sort(([a], [b]) => a - b)) {
    const length = entries.reduce((sum, bytes) => sum + bytes.length, 0);
    if (length === 0) continue;
    row.uint32(hash);
    row.uint32(length);
    for (const bytes of entries) row.append(bytes);
  }
  if (row.length === 0) table.remove(bucket);
  else table.put(bucket, row.view());
}
