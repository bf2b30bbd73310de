/**
 * Finds the words that a word with two typing errors may stand for, beyond those that index/spellings.ts finds. It makes 200
 * to 600 look-ups, for questions that no whole name answers.
 *
 * Words of up to eight letters are stored under their two halves. If both errors are in one half, the other half is intact.
 * If there is one in each, all spellings of the first half with one error undone are looked up. Longer words are stored
 * under three pieces, of which two errors leave one intact, unless one of them exchanges the letters where pieces meet.
 */
import { mayBeMistyped } from '../../../lei/names/name-terms.ts';
import type { IndexParts } from '../parts.ts';
import { isNarrow, lettersMax, lettersMin, longWordLetters, pieceStart } from '../text/word-pieces.ts';
import { groupsOfLength, measured, measuredEach, type NearWord, type SpellingGroup } from './spellings.ts';

const errors = 2;

/** The words within two errors by id. */
export function findFarSpellings(parts: IndexParts, word: string): Map<number, NearWord> {
  if (word.length > lettersMax || !mayBeMistyped(word)) return new Map();
  return measured(parts, word, groupsOf(word));
}

/** The terms with these ids that are words within two errors, by id. */
export function farSpellingsAmong(
  parts: IndexParts,
  word: string,
  ids: Iterable<number>,
): Map<number, NearWord> {
  return mayBeMistyped(word) ? measuredEach(parts, word, ids, errors) : new Map();
}

function groupsOf(word: string): SpellingGroup[] {
  const groups: SpellingGroup[] = [];
  for (let length = Math.max(lettersMin, word.length - errors); length <= word.length + errors; length++) {
    groups.push(...(length < longWordLetters ? halvesOf(word, length) : piecesOf(word, length)));
  }
  return groups;
}

function halvesOf(word: string, length: number): SpellingGroup[] {
  const seam = pieceStart(length, 1);
  const group = { length, narrow: isNarrow(word), allowed: errors };
  return [
    ...Array.from(firstHalves(word, length, seam), (text) => ({ ...group, text, piece: 0, from: 0 })),
    ...Array.from(secondHalves(word, length, seam), (text) => ({ ...group, text, piece: 1, from: seam })),
  ];
}

function piecesOf(word: string, length: number): SpellingGroup[] {
  const exchanged = [1, 2].flatMap((piece) => exchangedNear(word, pieceStart(length, piece)));
  const groups = [word, ...exchanged].flatMap((text) => groupsOfLength(text, length, errors));
  // An exchange leaves most pieces as they are.
  return [...new Map(groups.map((group) => [`${group.piece} ${group.text}`, group])).values()];
}

/** The possible first halves of a word of that length. */
function firstHalves(word: string, length: number, seam: number): Set<string> {
  const halves = new Set([word, ...exchangedNear(word, seam)].map((text) => text.slice(0, seam)));
  // The possible changes of the number of letters by one error in each half.
  const shift = word.length - length;
  if (shift >= 0) addAll(halves, oneLess(word.slice(0, seam + 1)));
  if (shift <= 0) addAll(halves, oneMore(word.slice(0, seam - 1)));
  if (Math.abs(shift) < errors) addAll(halves, otherLetters(word.slice(0, seam)));
  return halves;
}

/** The possible second halves: either both errors are before them, or one exchanges the letters where the halves meet. */
function secondHalves(word: string, length: number, seam: number): Set<string> {
  const rest = length - seam;
  return new Set([word, ...exchangedNear(word, seam)].map((text) => text.slice(text.length - rest)));
}

function addAll(set: Set<string>, texts: Iterable<string>): void {
  for (const text of texts) set.add(text);
}

/** The words that an exchange of two letters near the seam gives. The other error may have moved the seam by one. */
function exchangedNear(word: string, seam: number): string[] {
  const exchanged: string[] = [];
  for (let at = Math.max(1, seam - 1); at <= Math.min(word.length - 1, seam + 1); at++) {
    exchanged.push(exchangedAt(word, at));
  }
  return exchanged;
}

function exchangedAt(word: string, at: number): string {
  return word.slice(0, at - 1) + word.charAt(at) + word.charAt(at - 1) + word.slice(at + 1);
}

function* oneLess(letters: string): Generator<string> {
  for (let at = 0; at < letters.length; at++) yield letters.slice(0, at) + letters.slice(at + 1);
}

/** The letters with one more at any place. */
export function* oneMore(letters: string): Generator<string> {
  for (let at = 0; at <= letters.length; at++) {
    for (const letter of alphabetOf(letters)) yield letters.slice(0, at) + letter + letters.slice(at);
  }
}

/** One letter replaced, or two exchanged. */
function* otherLetters(letters: string): Generator<string> {
  for (let at = 0; at < letters.length; at++) {
    for (const letter of alphabetOf(letters)) yield letters.slice(0, at) + letter + letters.slice(at + 1);
    if (at > 0) yield exchangedAt(letters, at);
  }
}

const alphabets = [
  'abcdefghijklmnopqrstuvwxyz',
  'абвгдежзийклмнопрстуфхцчшщъыьэюя',
  'αβγδεζηθικλμνξοπρστυφχψω',
];

/** The letters of the text's script; none for an unsupported script. */
function alphabetOf(text: string): string {
  return alphabets.find((letters) => letters.includes(text.charAt(0))) ?? '';
}
