/**
 * Words by their pieces, so that a mistyped word finds its neighbours without walking the vocabulary.
 *
 * A word is cut in two pieces (three from nine letters on). One error leaves at least one piece of two whole, two
 * errors one of three; so words within that distance share a piece, at nearly the same place. A row holds for a
 * piece, its place and the length of the word all words that have it, each without the piece itself:
 *
 *     bucket: hash (uint32), bytes (uint32), [units without the piece, id (uint24)] … , hash, bytes, …
 */
import { mayBeMistyped } from '../../lei/names/name-terms.ts';
import { append } from '../../lmdb.ts';
import { groupByBucket, sortByHash } from './buckets.ts';
import { ByteWriter, Numbers } from './bytes.ts';
import { editDistance, unitsOf } from './edit-distance.ts';
import { bucketBytes, bucketOf, hashText, type SearchTables, spellingSeeds } from './format.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Shorter words have too many neighbours to be anyone's typing error. */
const lettersMin = 4;
const lettersMax = 30;
/** From here on a word is in three pieces and two errors are looked for. */
const longWordLetters = 9;

function pieces(length: number): number {
  return length >= longWordLetters ? 3 : 2;
}

/** Where piece number `piece` of a word of that length begins. */
function pieceStart(length: number, piece: number): number {
  return Math.floor((length * piece) / pieces(length));
}

function isNarrow(word: string): boolean {
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) > 255) return false;
  return true;
}

function keyText(piece: string, number: number, length: number, narrow: boolean): string {
  return `${piece} ${number} ${length}${narrow ? '' : 'w'}`;
}

/** Writes the table and returns its number of buckets. */
export function writeSpellings(tables: SearchTables, vocabulary: Vocabulary): number {
  const hashes = new Numbers();
  const bucketHashes = new Numbers();
  const members = new Numbers();
  let bytes = 0;
  for (let id = 0; id < vocabulary.size; id++) {
    const term = vocabulary.text(id);
    if (term.length < lettersMin || term.length > lettersMax || !mayBeMistyped(term)) continue;
    const narrow = isNarrow(term);
    for (let piece = 0; piece < pieces(term.length); piece++) {
      const text = term.slice(pieceStart(term.length, piece), pieceStart(term.length, piece + 1));
      const key = keyText(text, piece, term.length, narrow);
      bucketHashes.push(hashText(key, spellingSeeds[0]));
      hashes.push(hashText(key, spellingSeeds[1]));
      members.push(id * 4 + piece);
      bytes += (term.length - text.length) * (narrow ? 1 : 2) + 5;
    }
  }
  const buckets = Math.max(1, Math.ceil(bytes / bucketBytes));
  const grouped = groupByBucket(members.length, buckets, (i) => bucketOf(bucketHashes.at(i), buckets));
  const row = new ByteWriter();
  for (let bucket = 0; bucket < buckets; bucket++) {
    const grouping = grouped.order.subarray(grouped.starts[bucket] ?? 0, grouped.starts[bucket + 1] ?? 0);
    if (grouping.length === 0) continue;
    const entries = sortByHash(grouping, (i) => hashes.at(i));
    row.clear();
    packGroups(row, entries, hashes, members, vocabulary);
    append(tables.spellings, bucket, row.view());
  }
  return buckets;
}

function packGroups(
  row: ByteWriter,
  entries: Uint32Array,
  hashes: Numbers,
  members: Numbers,
  vocabulary: Vocabulary,
): void {
  let header = -1;
  let hash = -1;
  for (const entry of entries) {
    if (hashes.at(entry) !== hash) {
      if (header >= 0) row.setUint32(header + 4, row.length - header - 8);
      header = row.length;
      hash = hashes.at(entry);
      row.uint32(hash);
      row.uint32(0);
    }
    const member = members.at(entry);
    const id = Math.floor(member / 4);
    packRest(row, vocabulary.text(id), member & 3);
    row.uint24(id);
  }
  if (header >= 0) row.setUint32(header + 4, row.length - header - 8);
}

function packRest(row: ByteWriter, term: string, piece: number): void {
  const narrow = isNarrow(term);
  const from = pieceStart(term.length, piece);
  const to = pieceStart(term.length, piece + 1);
  for (let i = 0; i < term.length; i++) {
    if (i >= from && i < to) continue;
    if (narrow) row.byte(term.charCodeAt(i));
    else row.uint16(term.charCodeAt(i));
  }
}

/** How many typing errors a word of the question may hold. */
export function errorsAllowed(word: string): 0 | 1 | 2 {
  if (!mayBeMistyped(word) || word.length > lettersMax) return 0;
  return word.length >= longWordLetters - 1 ? 2 : 1;
}

/**
 * The word with two neighbours exchanged where pieces meet: the one error that leaves no piece whole, so these are
 * looked up as they are.
 */
export function exchangedAtSeams(word: string): string[] {
  if (errorsAllowed(word) === 0) return [];
  const exchanged: string[] = [];
  for (let piece = 1; piece < pieces(word.length); piece++) {
    const at = pieceStart(word.length, piece);
    const other = word.slice(0, at - 1) + word.charAt(at) + word.charAt(at - 1) + word.slice(at + 1);
    if (other !== word) exchanged.push(other);
  }
  return exchanged;
}

const question = new Uint16Array(256);
const candidate = new Uint16Array(256);

/** Ids of the words within the allowed distance, the word itself aside, each with its distance. */
export function findSpellings(tables: SearchTables, buckets: number, word: string): Map<number, number> {
  const found = new Map<number, number>();
  const errors = errorsAllowed(word);
  if (errors === 0) return found;
  const shortest = Math.max(lettersMin, word.length - errors);
  for (let length = shortest; length <= word.length + errors; length++) {
    const allowed = length >= longWordLetters ? errors : 1;
    if (Math.abs(length - word.length) > allowed) continue;
    for (const group of groupsOf(word, length, allowed)) scanGroup(tables, buckets, group, word, found);
  }
  return found;
}

/** Words of one length that share one piece with the question. */
interface Group {
  readonly text: string;
  /** Number of the piece. */
  readonly piece: number;
  /** Where the piece stands in the words of the group. */
  readonly from: number;
  readonly length: number;
  readonly narrow: boolean;
  readonly allowed: number;
}

function groupsOf(word: string, length: number, allowed: number): Group[] {
  const groups: Group[] = [];
  const narrow = isNarrow(word);
  for (let piece = 0; piece < pieces(length); piece++) {
    const from = pieceStart(length, piece);
    const width = pieceStart(length, piece + 1) - from;
    for (const at of placesOf(word.length, length, piece)) {
      groups.push({ text: word.slice(at, at + width), piece, from, length, narrow, allowed });
    }
  }
  return groups;
}

/** Where a piece of a word of `length` letters can stand in the question if as few errors as allowed lie before and after. */
function placesOf(questionLength: number, length: number, piece: number): number[] {
  const start = pieceStart(length, piece);
  const width = pieceStart(length, piece + 1) - start;
  const shift = questionLength - length;
  const after = pieces(length) - 1 - piece;
  const first = Math.max(0, start - piece, start + shift - after);
  const last = Math.min(questionLength - width, start + piece, start + shift + after);
  const places: number[] = [];
  for (let at = first; at <= last; at++) places.push(at);
  return places;
}

function scanGroup(
  tables: SearchTables,
  buckets: number,
  group: Group,
  word: string,
  found: Map<number, number>,
): void {
  const key = keyText(group.text, group.piece, group.length, group.narrow);
  const hash = hashText(key, spellingSeeds[1]);
  const row = tables.spellings.getBinaryFast(bucketOf(hashText(key, spellingSeeds[0]), buckets));
  if (row === undefined) return;
  const size = row.length;
  for (let at = 0; at < size; ) {
    const end = at + 8 + row.readUInt32LE(at + 4);
    if (row.readUInt32LE(at) === hash) collectNear(row.subarray(at + 8, end), group, word, found);
    at = end;
  }
}

/** Puts each word of a group together again and measures it. */
function collectNear(bytes: Buffer, group: Group, word: string, found: Map<number, number>): void {
  const { length, narrow, text, allowed } = group;
  const end = group.from + text.length;
  unitsOf(word, question);
  for (let i = 0; i < text.length; i++) candidate[group.from + i] = text.charCodeAt(i);
  const read = narrow ? copyNarrow : copyWide;
  const unitBytes = narrow ? 1 : 2;
  const entryBytes = (length - text.length) * unitBytes + 3;
  for (let at = 0; at < bytes.length; at += entryBytes) {
    read(bytes, at, candidate, 0, group.from);
    read(bytes, at + group.from * unitBytes, candidate, end, length);
    const distance = editDistance(question, word.length, candidate, length, allowed);
    if (distance === 0 || distance > allowed) continue;
    const id = bytes.readUIntLE(at + entryBytes - 3, 3);
    found.set(id, Math.min(distance, found.get(id) ?? distance));
  }
}

function copyNarrow(bytes: Buffer, at: number, into: Uint16Array, from: number, to: number): void {
  for (let i = from; i < to; i++) into[i] = bytes[at + i - from] ?? 0;
}

function copyWide(bytes: Buffer, at: number, into: Uint16Array, from: number, to: number): void {
  for (let i = from; i < to; i++) into[i] = bytes.readUInt16LE(at + (i - from) * 2);
}
