/**
 * Folds plain text as lei/names/fold.ts does, from its packed bytes and without making strings: most texts are ASCII or
 * have Latin letters with accents.
 */
import { withRoom } from '../../bytes/memory.ts';
import { kindOf, unit } from '../../lei/names/characters.ts';
import { alwaysConnectors, betweenWords, foldedCharacters } from '../../lei/names/fold.ts';

/** The words that may stand for "and", each as a number of its up to four letters. */
const connectors = new Set([...alwaysConnectors].map(numberOf));

function numberOf(word: string): number {
  return [...word].reduce((number, letter) => withLetter(number, letter.charCodeAt(0)), 0);
}

function withLetter(number: number, code: number): number {
  return (number << 8) | code;
}

const [space, quote, ampersand, plus, zero, nine] = [0x20, 0x22, 0x26, 0x2b, 0x30, 0x39];
const [question, capitalA, capitalZ, backslash] = [0x3f, 0x41, 0x5a, 0x5c];

/** The character that UTF-8 writes with these two bytes; one beyond all Latin letters if it needs more. */
function codeOfTwo(first: number, second: number): number {
  return first < 0xe0 ? ((first & 0x1f) << 6) | (second & 0x3f) : latinEnd;
}

/** Bytes below 0x80 that mean more than themselves: a question mark may be a lost letter. */
const otherSigns: ReadonlySet<number> = new Set([quote, ampersand, plus, question, backslash]);

/** Whether a byte of packed text is a character by itself, which folding makes a small letter or the end of a word. */
export function isPlain(byte: number): boolean {
  return byte < 0x80 && !otherSigns.has(byte);
}

/** A capital letter as a small one; other plain bytes as they are. */
export function smallLetter(byte: number): number {
  return byte >= capitalA && byte <= capitalZ ? byte + space : byte;
}

/** The letter or digit that folding makes of a plain byte, 0 for none; and the plain bytes that only end a word. */
const plainLetters = new Uint8Array(256);
const plainSigns = new Uint8Array(256);
for (let byte = 0; byte < 0x80; byte++) {
  const kind = kindOf(byte);
  plainLetters[byte] = isPlain(byte) && kind === unit.letter ? smallLetter(byte) : 0;
  plainSigns[byte] = isPlain(byte) && kind !== unit.letter && kind !== unit.apostrophe ? 1 : 0;
}

export function isPlainLetter(byte: number): boolean {
  return plainLetters[byte] !== 0;
}

export function isPlainSign(byte: number): boolean {
  return plainSigns[byte] === 1;
}

export function isDigit(byte: number): boolean {
  return byte >= zero && byte <= nine;
}

/** The first character that UTF-8 writes with two bytes, and the end of the Latin letters among these. */
const [latinFrom, latinEnd] = [0x80, 0x250];
/** The one or two letters that a Latin letter folds to, the first in the low byte. Made when the letter is first met. */
const latinLetters = new Uint16Array(latinEnd);
const noLatinLetter = 0xffff;

/** By a letter's code. Folding looks at accents one by one, so a letter is folded alike wherever no mark follows it. */
function latinLettersOf(code: number): number {
  if (code < latinFrom || code >= latinEnd) return noLatinLetter;
  const known = latinLetters[code] ?? noLatinLetter;
  if (known !== 0) return known;
  const folded = foldedCharacters(String.fromCharCode(code));
  const letters = /^[a-z]{1,2}$/.test(folded) ? lettersAsNumber(folded) : noLatinLetter;
  latinLetters[code] = letters;
  return letters;
}

function lettersAsNumber(letters: string): number {
  return Buffer.from(`${letters}\0`, 'latin1').readUInt16LE();
}

/** Letters that may stand for "and" between two words. */
const betweenLetters = new Set([...betweenWords].filter(isAscii).map(numberOf));

function isAscii(letter: string): boolean {
  return letter.charCodeAt(0) < latinFrom;
}

/** Whether a letter may be the first byte of a character in UTF-8; before another letter it may be misread. */
function mayBeFirstByte(code: number): boolean {
  return code >= 0xc2 && code <= 0xf4;
}

export class PlainFolder {
  /** The words of the last text, folded. */
  bytes = Buffer.alloc(256);
  length = 0;
  /** Where the last word began, its last four letters, and whether more may follow. */
  #start = 0;
  #word = 0;
  #isOpen = false;
  /** Whether the last whole word is an initial, and whether more than full stops and slashes came behind it. */
  #isInitial = false;
  #isApart = false;

  /**
   * @param isSpaced whether a space stands between two words
   * @returns false for a text that must be folded as a whole: it has no words, other than plain bytes and Latin letters, two of these
   * that may be a misread one, or a word that may stand for "and" or may not be joined to the initials beside it
   */
  fold(bytes: Uint8Array, from: number, to: number, isSpaced: boolean): boolean {
    this.bytes = withRoom(this.bytes, 0, to - from, Buffer.alloc);
    this.length = 0;
    this.#isOpen = false;
    this.#isInitial = false;
    for (let at = from; at < to; at++) {
      const byte = bytes[at] ?? 0;
      const letter = plainLetters[byte] ?? 0;
      if (letter !== 0) this.#add(letter, isSpaced);
      else if (byte >= latinFrom) {
        if (!this.#addLatin(bytes, at++, isSpaced)) return false;
      } else if (!isPlain(byte) || !this.#takeSign(byte, isSpaced)) return false;
    }
    return this.#endWord(unit.separator, isSpaced) && this.length > 0;
  }

  /** @returns as {@link #endWord} */
  #takeSign(byte: number, isSpaced: boolean): boolean {
    const kind = kindOf(byte);
    return (kind === unit.apostrophe && this.#isOpen) || this.#endWord(kind, isSpaced);
  }

  /** @returns false for what is no Latin letter, or may be misread together with the character behind it */
  #addLatin(bytes: Uint8Array, at: number, isSpaced: boolean): boolean {
    const code = codeOfTwo(bytes[at] ?? 0, bytes[at + 1] ?? 0);
    const letters = latinLettersOf(code);
    const isMisread = mayBeFirstByte(code) && (bytes[at + 2] ?? 0) >= latinFrom;
    if (letters === noLatinLetter || isMisread) return false;
    this.#add(letters & 0xff, isSpaced);
    if (letters > 0xff) this.#add(letters >>> 8, isSpaced);
    return true;
  }

  #add(letter: number, isSpaced: boolean): void {
    if (!this.#isOpen) {
      if (isSpaced && this.length > 0) this.bytes[this.length++] = space;
      this.#start = this.length;
      this.#word = 0;
      this.#isOpen = true;
    }
    this.bytes[this.length++] = letter;
    this.#word = withLetter(this.#word, letter);
  }

  /**
   * @param kind of the character behind the word
   * @returns false for a word whose meaning depends on those beside it
   */
  #endWord(kind: number, isSpaced: boolean): boolean {
    const isApart = kind !== unit.dot;
    if (!this.#isOpen) {
      this.#isApart ||= isApart;
      return true;
    }
    this.#isOpen = false;
    const letters = this.length - this.#start;
    const isInitial = letters === 1 && !isDigit(this.#word);
    const isClear = isInitial
      ? this.#joinInitial(isApart, isSpaced)
      : letters > 4 || !connectors.has(this.#word);
    this.#isInitial = isInitial;
    this.#isApart = isApart;
    return isClear;
  }

  /**
   * Joins an initial to the one before it, as in `S.A.`
   * @returns false if white space is between them, or if it may stand for "and"
   */
  #joinInitial(isApart: boolean, isSpaced: boolean): boolean {
    if (!this.#isInitial) return !isApart || !betweenLetters.has(this.#word);
    if (this.#isApart) return false;
    if (isSpaced) this.bytes[--this.length - 1] = this.#word;
    return true;
  }
}
