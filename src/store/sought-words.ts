/**
 * Looks for folded words in the fields of a record. Most fields are searched as they are stored; folding one takes longer
 * than all else that is done with a record.
 */
import { hashText } from '../bytes/hash.ts';
import { alwaysConnectors, foldedCharacters } from '../lei/names/fold.ts';
import { isDigit, isPlainLetter, isPlainSign, smallLetter } from './columns/plain-text.ts';

/** The hash of a folded word. */
export function hashOfWord(word: string): number {
  return hashText(word, 0);
}

/** Words of which all must be there. */
export interface SoughtWords {
  readonly words: readonly string[];
  readonly hashes: readonly number[];
  /** The words as bytes, if they stand in plain text as they are; otherwise null. */
  readonly plain: readonly Uint8Array[] | null;
}

/** @param words folded */
export function soughtWords(words: readonly string[]): SoughtWords {
  const plain = words.every(isPlainWord) ? words.map((word) => Buffer.from(word, 'latin1')) : null;
  return { words, hashes: words.map(hashOfWord), plain };
}

/** Whether a word is no initial and does not stand for "and", whose meaning depends on those beside it. */
function isPlainWord(word: string): boolean {
  return /^([a-z0-9]{2,}|[0-9])$/.test(word) && !alwaysConnectors.has(word);
}

/** Which of some words were found so far. */
export class FoundWords {
  readonly #sought: SoughtWords;
  readonly #isFound: boolean[];
  #missing: number;

  constructor(sought: SoughtWords) {
    this.#sought = sought;
    this.#isFound = sought.words.map(() => false);
    this.#missing = sought.words.length;
  }

  get areAll(): boolean {
    return this.#missing === 0;
  }

  clear(): void {
    this.#isFound.fill(false);
    this.#missing = this.#isFound.length;
  }

  #mark(word: number): void {
    if (this.#isFound[word] === true) return;
    this.#isFound[word] = true;
    this.#missing--;
  }

  /** @param read the word, which is needed only if its hash is that of a sought one */
  note(hash: number, read: () => string): void {
    const { words, hashes } = this.#sought;
    for (let word = 0; word < hashes.length; word++)
      if (hashes[word] === hash && words[word] === read()) this.#mark(word);
  }

  /**
   * Looks for the words in a field as it is stored.
   * @param isNumber whether a word may be joined from several
   * @returns false if the field must be folded for that
   */
  look(bytes: Uint8Array, from: number, to: number, isNumber: boolean): boolean {
    const { plain } = this.#sought;
    if (plain === null) return false;
    for (let start = from; start < to; start++) {
      const end = wordEnd(bytes, start, to);
      const isPlain = end - start !== 1 || isDigit(bytes[start] ?? 0);
      const goesOn = end < to;
      if (!isPlain || (goesOn && (isNumber || !isPlainSign(bytes[end] ?? 0))))
        return !this.#mayHave(plain, bytes, from, to);
      this.#compare(plain, bytes, start, end);
      start = end;
    }
    return true;
  }

  #compare(plain: readonly Uint8Array[], bytes: Uint8Array, start: number, end: number): void {
    for (const [index, word] of plain.entries()) if (isSameWord(word, bytes, start, end)) this.#mark(index);
  }

  /** Whether a field may have one of the words that are still missing, however it is folded. */
  #mayHave(plain: readonly Uint8Array[], bytes: Uint8Array, from: number, to: number): boolean {
    return plain.some((word, index) => this.#isFound[index] !== true && hasLetters(word, bytes, from, to));
  }
}

/** Where the letters and digits end that begin at `from`. */
function wordEnd(bytes: Uint8Array, from: number, to: number): number {
  let end = from;
  while (end < to && isPlainLetter(bytes[end] ?? 0)) end++;
  return end;
}

function isSameWord(word: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (word.length !== to - from) return false;
  for (let i = 0; i < word.length; i++) if (word[i] !== smallLetter(bytes[from + i] ?? 0)) return false;
  return true;
}

const [quote, ampersand, twoBytes, threeBytes, fourBytes] = [0x22, 0x26, 0x80, 0xe0, 0xf0];

/**
 * Whether a field has the letters of a word in their order, as any field has that folds to the word: folding leaves no letter
 * out and moves none. True for a field that may stand for another text: it has a quote, with which packed codes and times
 * begin, or an HTML entity.
 */
function hasLetters(word: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  let next = 0;
  for (let at = from; at < to && next < word.length; at += bytesOfCharacter(bytes[at] ?? 0)) {
    if (mayBecomeLetters(bytes, at)) return true;
    if (smallLetter(bytes[at] ?? 0) === word[next]) next++;
  }
  return next === word.length;
}

function bytesOfCharacter(first: number): number {
  if (first < twoBytes) return 1;
  return first < threeBytes ? 2 : 3;
}

/** Whether a character may become letters or digits of ASCII by folding, other than itself. */
function mayBecomeLetters(bytes: Uint8Array, at: number): boolean {
  const byte = bytes[at] ?? 0;
  if (byte === quote) return true;
  if (byte < twoBytes) return byte === ampersand && beginsEntity(bytes[at + 1] ?? 0);
  return byte >= fourBytes || foldsToPlain(codeOf(bytes, at));
}

function beginsEntity(next: number): boolean {
  return isPlainLetter(next) || next === numberSign;
}
const numberSign = 0x23;

/** The character at a place where UTF-8 writes one with two or three bytes. */
function codeOf(bytes: Uint8Array, at: number): number {
  const [first = 0, second = 0, third = 0] = [bytes[at], bytes[at + 1], bytes[at + 2]];
  const low = ((first & 0x1f) << 6) | (second & 0x3f);
  return first < threeBytes ? low : ((first & 0x0f) << 12) | ((second & 0x3f) << 6) | (third & 0x3f);
}

const known = { not: 1, folds: 2 } as const;
/** One of {@link known} for each character that was met. */
const plainly = new Uint8Array(65_536);

/** Whether a character folds to letters or digits of ASCII, perhaps among others. */
function foldsToPlain(code: number): boolean {
  plainly[code] ||= /[a-z0-9]/.test(foldedCharacters(String.fromCharCode(code))) ? known.folds : known.not;
  return plainly[code] === known.folds;
}
