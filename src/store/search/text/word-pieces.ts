/**
 * Splits words into pieces: a mistyped word shares one with the intended word, which is therefore found without reading
 * all terms.
 *
 * A word is split into two pieces (three from nine letters on). One error leaves at least one of two pieces intact, two
 * errors one of three; words within that distance therefore share a piece, at nearly the same place. A row contains,
 * for a piece, its place and the length of the word, all words that have it, each without the piece itself:
 *
 *     bucket: hash (uint32), bytes (uint32), [units without the piece, id (uint24)] … , hash, bytes, …
 */
import { mayBeMistyped } from '../../../lei/names/name-terms.ts';

/** Shorter words differ from too many others by one error. */
export const lettersMin = 4;
export const lettersMax = 30;
/** Words from this length on are split into three pieces, and two errors are allowed. */
export const longWordLetters = 9;

/** The number of pieces of a word of that length. */
export function pieces(length: number): number {
  return length >= longWordLetters ? 3 : 2;
}

/** Where piece number `piece` of a word of that length begins. */
export function pieceStart(length: number, piece: number): number {
  return Math.floor((length * piece) / pieces(length));
}

/** Whether every unit fits a byte. */
export function isNarrow(word: string): boolean {
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) > 255) return false;
  return true;
}

/** The key of a group: the piece, its number, and the length of the whole word. */
export function keyText(piece: string, number: number, length: number, narrow: boolean): string {
  return `${piece} ${number} ${length}${narrow ? '' : 'w'}`;
}

/** How many typing errors a word of the question may have. */
export function errorsAllowed(word: string): 0 | 1 | 2 {
  if (!mayBeMistyped(word) || word.length > lettersMax) return 0;
  return word.length >= longWordLetters - 1 ? 2 : 1;
}

/**
 * The word with two letters exchanged where pieces meet: the one error that leaves no piece intact, so these spellings
 * are looked up separately.
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
