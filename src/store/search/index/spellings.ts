/** Finds the words that a mistyped word may stand for; text/word-pieces.ts explains how. */
import { bucketOf, hashText } from '../../../bytes/hash.ts';
import { uint16At, uint24At, uint32At } from '../../../bytes/numbers-in-bytes.ts';
import {
  editDistance,
  letterBit,
  lettersOf,
  mayBeWithin,
  unitsOf,
} from '../../../lei/names/edit-distance.ts';
import { mayBeMistyped } from '../../../lei/names/name-terms.ts';
import { spellingSeeds } from '../format.ts';
import type { TypingErrors } from '../limits.ts';
import type { IndexParts } from '../parts.ts';
import {
  errorsAllowed,
  isNarrow,
  keyText,
  lettersMin,
  longWordLetters,
  pieceStart,
  pieces,
} from '../text/word-pieces.ts';

const question = new Uint16Array(256);
const candidate = new Uint16Array(256);

/** A word that a mistyped word may stand for. */
export interface NearWord extends TypingErrors {
  readonly length: number;
}

/** The words within the allowed distance by id, without the word itself. */
export function findSpellings(parts: IndexParts, word: string): Map<number, NearWord> {
  return errorsAllowed(word) === 0 ? new Map() : measured(parts, word, groupsOf(word));
}

/** The words of some groups within the distance that their group allows, by id, without the word itself. */
export function measured(
  parts: IndexParts,
  word: string,
  groups: readonly SpellingGroup[],
): Map<number, NearWord> {
  const near = new Map<number, NearWord>();
  const asked = ask(word);
  for (const group of groups) scanGroup(parts, group, asked, near);
  return near;
}

/** The terms with these ids that are words within the distance, by id. */
export function measuredEach(
  parts: IndexParts,
  word: string,
  ids: Iterable<number>,
  allowed: number,
): Map<number, NearWord> {
  const near = new Map<number, NearWord>();
  const asked = ask(word);
  for (const id of ids) {
    const text = parts.terms.textOf(id);
    const { length } = text;
    if (length < lettersMin || !mayBeMistyped(text)) continue;
    unitsOf(text, candidate);
    noteNear(near, id, asked, length, allowed);
  }
  return near;
}

function ask(word: string): AskedWord {
  return { length: word.length, letters: lettersOf(unitsOf(word, question), word.length) };
}

/** Words of one length that share one piece with the question. */
export interface SpellingGroup {
  readonly text: string;
  /** Number of the piece. */
  readonly piece: number;
  /** Position of the piece in the words of the group. */
  readonly from: number;
  readonly length: number;
  readonly narrow: boolean;
  readonly allowed: number;
}

function groupsOf(word: string): SpellingGroup[] {
  const groups: SpellingGroup[] = [];
  const errors = errorsAllowed(word);
  const shortest = Math.max(lettersMin, word.length - errors);
  for (let length = shortest; length <= word.length + errors; length++) {
    const allowed = length >= longWordLetters ? errors : 1;
    if (Math.abs(length - word.length) <= allowed) groups.push(...groupsOfLength(word, length, allowed));
  }
  return groups;
}

/** The groups of words of a length that may share a piece with the word, at nearly the same place. */
export function groupsOfLength(word: string, length: number, allowed: number): SpellingGroup[] {
  const groups: SpellingGroup[] = [];
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

/**
 * Positions in the question at which a piece of a word of `length` letters can be, given the allowed number of errors.
 */
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

/** The word in {@link question}. */
interface AskedWord {
  readonly length: number;
  readonly letters: number;
}

function scanGroup(
  { tables, shape }: IndexParts,
  group: SpellingGroup,
  asked: AskedWord,
  near: Map<number, NearWord>,
): void {
  const key = keyText(group.text, group.piece, group.length, group.narrow);
  const hash = hashText(key, spellingSeeds[1]);
  const size = tables.spellings.read(bucketOf(hashText(key, spellingSeeds[0]), shape.spellingBuckets));
  const row = tables.spellings.bytes;
  for (let at = 0; at < size; ) {
    const end = at + 8 + uint32At(row, at + 4);
    if (uint32At(row, at) === hash) collectNear(row, at + 8, end, group, asked, near);
    at = end;
  }
}

/** Reassembles each word of a group and measures it. */
function collectNear(
  bytes: Uint8Array,
  from: number,
  to: number,
  group: SpellingGroup,
  asked: AskedWord,
  near: Map<number, NearWord>,
): void {
  const { length, narrow, text, allowed } = group;
  const end = group.from + text.length;
  let ofPiece = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    candidate[group.from + i] = unit;
    ofPiece |= letterBit(unit);
  }
  const read = narrow ? copyNarrow : copyWide;
  const unitBytes = narrow ? 1 : 2;
  const idFrom = (length - text.length) * unitBytes;
  for (let at = from; at < to; at += idFrom + 3) {
    const before = read(bytes, at, candidate, 0, group.from);
    const after = read(bytes, at + group.from * unitBytes, candidate, end, length);
    if (!mayBeWithin(allowed, asked.letters, ofPiece | before | after)) continue;
    noteNear(near, uint24At(bytes, at + idFrom), asked, length, allowed);
  }
}

/** Notes the word in {@link candidate} if it is within the distance. */
function noteNear(
  near: Map<number, NearWord>,
  id: number,
  asked: AskedWord,
  length: number,
  allowed: number,
): void {
  const distance = editDistance(question, asked.length, candidate, length, allowed);
  if (distance === 0 || distance >= (near.get(id)?.distance ?? allowed + 1)) return;
  if (distance > 1 && isHalfChanged(length, asked.length)) return;
  const hasLetters = sharedLetters(length, asked.length) === asked.length;
  near.set(id, { distance, sameStart: candidate[0] === question[0], hasLetters, length });
}

/**
 * True if a word shares at most half of the letters of a question's word of three, or both have four: "soba" is not "doha", but
 * "afce" may be "cafe".
 */
function isHalfChanged(length: number, asked: number): boolean {
  if (asked > lettersMin || (asked === lettersMin && length !== lettersMin)) return false;
  return sharedLetters(length, asked) * 2 <= asked;
}

/** How many letters of the question's word the candidate has, in any place. */
function sharedLetters(length: number, asked: number): number {
  const left = Array.from(candidate.subarray(0, length));
  let shared = 0;
  for (const unit of question.subarray(0, asked)) {
    const at = left.indexOf(unit);
    if (at < 0) continue;
    left.splice(at, 1);
    shared++;
  }
  return shared;
}

/** Copies units. @returns their letters */
function copyNarrow(bytes: Uint8Array, at: number, into: Uint16Array, from: number, to: number): number {
  let letters = 0;
  for (let i = from; i < to; i++) {
    const unit = bytes[at + i - from] ?? 0;
    into[i] = unit;
    letters |= letterBit(unit);
  }
  return letters;
}

function copyWide(bytes: Uint8Array, at: number, into: Uint16Array, from: number, to: number): number {
  let letters = 0;
  for (let i = from; i < to; i++) {
    const unit = uint16At(bytes, at + (i - from) * 2);
    into[i] = unit;
    letters |= letterBit(unit);
  }
  return letters;
}
