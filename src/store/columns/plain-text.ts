/** Folds plain text as lei/names/fold.ts does, from its packed bytes and without making strings: most texts are plain. */
import { withRoom } from '../../bytes/memory.ts';
import { kindOf, unit } from '../../lei/names/characters.ts';
import { alwaysConnectors } from '../../lei/names/fold.ts';

/** The words that may stand for "and", each as a number of its up to four letters. */
const connectors = new Set([...alwaysConnectors].map(numberOf));

function numberOf(word: string): number {
  return [...word].reduce((number, letter) => withLetter(number, letter.charCodeAt(0)), 0);
}

function withLetter(number: number, code: number): number {
  return (number << 8) | code;
}

const [space, quote, ampersand, plus, zero, nine] = [0x20, 0x22, 0x26, 0x2b, 0x30, 0x39];
const [capitalA, capitalZ, backslash] = [0x41, 0x5a, 0x5c];

/** Whether a byte of packed text is a character by itself, which folding makes a small letter or the end of a word. */
export function isPlain(byte: number): boolean {
  return byte < 0x80 && byte !== ampersand && byte !== plus && byte !== quote && byte !== backslash;
}

/** A capital letter as a small one; other plain bytes as they are. */
export function smallLetter(byte: number): number {
  return byte >= capitalA && byte <= capitalZ ? byte + space : byte;
}

export class PlainFolder {
  /** The words of the last text, folded. */
  bytes = Buffer.alloc(256);
  length = 0;
  /** Where the last word began, its last four letters, and whether more may follow. */
  #start = 0;
  #word = 0;
  #isOpen = false;

  /**
   * @param isSpaced whether a space stands between two words
   * @returns false for a text that must be folded as a whole: it has no words, other than plain bytes, an initial, or a
   * word that may stand for "and"
   */
  fold(bytes: Uint8Array, from: number, to: number, isSpaced: boolean): boolean {
    this.bytes = withRoom(this.bytes, 0, to - from, Buffer.alloc);
    this.length = 0;
    this.#isOpen = false;
    for (let at = from; at < to; at++) {
      const byte = bytes[at] ?? 0;
      if (!isPlain(byte)) return false;
      const kind = kindOf(byte);
      if (kind === unit.letter) this.#add(smallLetter(byte), isSpaced);
      else if (kind !== unit.apostrophe && !this.#endWord()) return false;
    }
    return this.#endWord() && this.length > 0;
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

  /** @returns false for a word whose meaning depends on those beside it */
  #endWord(): boolean {
    if (!this.#isOpen) return true;
    this.#isOpen = false;
    const letters = this.length - this.#start;
    if (letters === 1) return this.#word >= zero && this.#word <= nine;
    return letters > 4 || !connectors.has(this.#word);
  }
}
