/** Writes every word under each of its pieces; text/word-pieces.ts has the layout. */
import { ByteWriter } from '../../../bytes/byte-writer.ts';
import { hashText } from '../../../bytes/hash.ts';
import { NumberPieces } from '../../../bytes/memory.ts';
import { unitsOf } from '../../../lei/names/edit-distance.ts';
import { mayBeMistyped } from '../../../lei/names/name-terms.ts';
import { append } from '../../../lmdb.ts';
import { hashedBuckets } from '../../buckets.ts';
import { bucketsFor, spellingSeeds } from '../format.ts';
import { isNarrow, keyText, lettersMax, lettersMin, pieceStart, pieces } from '../text/word-pieces.ts';
import type { SearchRows } from './rows.ts';
import type { Vocabulary } from './vocabulary.ts';

/** @returns how many buckets the table has */
export function writeSpellings(tables: SearchRows, vocabulary: Vocabulary): number {
  const hashes = new NumberPieces();
  const bucketHashes = new NumberPieces();
  const members = new NumberPieces();
  let bytes = 0;
  for (let id = 0; id < vocabulary.size; id++) {
    for (const { key, piece, restBytes } of spelledPieces(vocabulary.text(id))) {
      bucketHashes.push(hashText(key, spellingSeeds[0]));
      hashes.push(hashText(key, spellingSeeds[1]));
      members.push(id * 4 + piece);
      bytes += restBytes + 5;
    }
  }
  const buckets = bucketsFor(bytes);
  const row = new ByteWriter();
  for (const [bucket, entries] of hashedBuckets(bucketHashes, hashes, buckets)) {
    row.clear();
    packGroups(row, entries, hashes, members, vocabulary);
    append(tables.spellings, bucket, row.view());
  }
  return buckets;
}

/** A piece of a word, under which the word is stored. */
interface SpelledPiece {
  readonly key: string;
  /** Number of the piece. */
  readonly piece: number;
  /** Bytes of the word without the piece. */
  readonly restBytes: number;
}

/** The pieces of a word; none for one that is never mistyped. */
export function spelledPieces(term: string): SpelledPiece[] {
  const { length } = term;
  if (length < lettersMin || length > lettersMax || !mayBeMistyped(term)) return [];
  const narrow = isNarrow(term);
  const found: SpelledPiece[] = [];
  for (let piece = 0; piece < pieces(length); piece++) {
    const text = term.slice(pieceStart(length, piece), pieceStart(length, piece + 1));
    const restBytes = (length - text.length) * (narrow ? 1 : 2);
    found.push({ key: keyText(text, piece, length, narrow), piece, restBytes });
  }
  return found;
}

function packGroups(
  row: ByteWriter,
  entries: Uint32Array,
  hashes: NumberPieces,
  members: NumberPieces,
  vocabulary: Vocabulary,
): void {
  let header = -1;
  let hash = -1;
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i] ?? 0;
    if (hashes.at(entry) !== hash) {
      if (header >= 0) row.setUint32(header + 4, row.length - header - 8);
      header = row.length;
      hash = hashes.at(entry);
      row.uint32(hash);
      row.uint32(0);
    }
    const member = members.at(entry);
    const id = Math.floor(member / 4);
    packUnits(row, vocabulary.copyUnits(id, units), member & 3);
    row.uint24(id);
  }
  if (header >= 0) row.setUint32(header + 4, row.length - header - 8);
}

const units = new Uint16Array(256);

/** Appends a word without one of its pieces. */
export function packRest(row: ByteWriter, word: string, piece: number): void {
  unitsOf(word, units);
  packUnits(row, word.length, piece);
}

/** Appends the word in {@link units}, without one of its pieces. */
function packUnits(row: ByteWriter, length: number, piece: number): void {
  const from = pieceStart(length, piece);
  const to = pieceStart(length, piece + 1);
  let narrow = true;
  for (let i = 0; i < length; i++) narrow &&= (units[i] ?? 0) < 256;
  for (let i = 0; i < length; i++) {
    if (i >= from && i < to) continue;
    if (narrow) row.byte(units[i] ?? 0);
    else row.uint16(units[i] ?? 0);
  }
}
