/**
 * Reads the folded words in texts of a stored record: those that `foldedWords` finds in each value of a field, and of a
 * number with signs in it also all of it without them. Plain values, nearly all, are folded from their bytes.
 */

import { hashItems } from '../bytes/hash.ts';
import { withRoom } from '../bytes/memory.ts';
import { connector, foldedCharacters, foldedWords } from '../lei/names/fold.ts';
import type { Glimpse } from '../lmdb.ts';
import { PlainFolder } from './columns/plain-text.ts';
import { slotCount } from './company-fields.ts';
import { findSlots } from './packed-json.ts';
import { FoundWords, hashOfWord, type SoughtWords } from './sought-words.ts';
import { partsTogether, placesOfPart, TextFields, type TextPart, valuesOfField } from './text-parts.ts';

type WordPlaces = Parameters<TextFields['find']>[2];

const space = 0x20;

/** The words of a text that a record is searched for; the sign between two words is none. */
export function wordsOf(text: string): readonly string[] {
  return [...new Set(foldedWords(text))].filter((word) => word !== connector);
}

/** A number without the signs that group it. */
export function withoutSigns(text: string): string {
  return foldedCharacters(text.replace(/[^\p{L}\p{N}]/gu, ''));
}

export class RecordWords {
  readonly #starts = new Int32Array(slotCount + 1);
  readonly #fields = new TextFields();
  readonly #folder = new PlainFolder();
  /** How many words there are. */
  count = 0;
  /** {@link hashOfWord} of each. */
  readonly hashes: number[] = [];
  /** Words of the same text have the same number, and stand together. */
  readonly texts: number[] = [];
  /** The words of plain values, one after the other. */
  #plain = Buffer.alloc(1024);
  #filled = 0;
  /** Where a plain word stands there. */
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  /** Other words; '' for plain ones. */
  readonly #words: string[] = [];

  /** Reads the words in the texts at some places. They are valid until the next record is read. */
  read({ bytes, length }: Glimpse, places: WordPlaces): void {
    findSlots(this.#starts, bytes, length);
    this.readSlots(bytes, this.#starts, places);
  }

  /** The same of a record whose slots are found already. */
  readSlots(bytes: Buffer, starts: Int32Array, places: WordPlaces): void {
    this.count = 0;
    this.#filled = 0;
    const fields = this.#fields;
    fields.find(bytes, starts, places);
    for (let field = 0; field < fields.count; field++) this.#readField(bytes, field);
  }

  #readField(bytes: Buffer, field: number): void {
    const [from, to] = [this.#fields.from[field] ?? 0, this.#fields.to[field] ?? 0];
    const text = this.#fields.text[field] ?? 0;
    const isNumber = this.#fields.isNumber[field] ?? false;
    if (this.#folder.fold(bytes, from, to, true)) this.#readPlain(text, isNumber);
    else for (const value of valuesOfField(bytes, from, to)) this.#readText(value, text, isNumber);
  }

  /**
   * Whether the texts at some places have all of the words. Most texts are searched as they are; only others are folded.
   * @param areTogether whether the words may stand in different texts
   */
  haveAll(
    { bytes, length }: Glimpse,
    places: WordPlaces,
    sought: SoughtWords,
    areTogether: boolean,
  ): boolean {
    findSlots(this.#starts, bytes, length);
    const fields = this.#fields;
    fields.find(bytes, this.#starts, places);
    const found = new FoundWords(sought);
    for (let field = 0; field < fields.count; field++) {
      if (!areTogether && fields.text[field] !== fields.text[field - 1]) found.clear();
      const [from, to] = [fields.from[field] ?? 0, fields.to[field] ?? 0];
      const isNumber = fields.isNumber[field] ?? false;
      if (!found.look(bytes, from, to, isNumber)) this.#lookInFolded(bytes, field, found);
      if (found.areAll) return true;
    }
    return false;
  }

  #lookInFolded(bytes: Buffer, field: number, found: FoundWords): void {
    this.count = 0;
    this.#filled = 0;
    this.#readField(bytes, field);
    for (let at = 0; at < this.count; at++) found.note(this.hashes[at] ?? 0, () => this.wordAt(at));
  }

  /** Whether a word is this one, without making a text of it. */
  isAt(index: number, word: string): boolean {
    const other = this.#words[index] ?? '';
    if (other !== '') return other === word;
    const from = this.#from[index] ?? 0;
    if ((this.#to[index] ?? 0) - from !== word.length) return false;
    for (let i = 0; i < word.length; i++) if (this.#plain[from + i] !== word.charCodeAt(i)) return false;
    return true;
  }

  wordAt(index: number): string {
    const word = this.#words[index] ?? '';
    return word === '' ? this.#plain.toString('latin1', this.#from[index], this.#to[index]) : word;
  }

  /** Reads the words of the value that was folded last. */
  #readPlain(text: number, isNumber: boolean): void {
    const { bytes, length } = this.#folder;
    this.#plain = withRoom(this.#plain, this.#filled, this.#filled + length, Buffer.alloc);
    bytes.copy(this.#plain, this.#filled, 0, length);
    const end = this.#filled + length;
    const before = this.count;
    for (let from = this.#filled; from < end; ) {
      let to = from;
      while (to < end && this.#plain[to] !== space) to++;
      this.#add(hashItems(this.#plain, from, to), text, from, to, '');
      from = to + 1;
    }
    this.#filled = end;
    if (isNumber && this.count > before + 1) this.#readWhole(bytes.toString('latin1', 0, length), text);
  }

  #readText(value: string, text: number, isNumber: boolean): void {
    for (const word of foldedWords(value))
      if (word !== connector) this.#add(hashOfWord(word), text, 0, 0, word);
    if (isNumber) this.#readWhole(value, text);
  }

  #readWhole(number: string, text: number): void {
    const whole = withoutSigns(number);
    if (whole !== '') this.#add(hashOfWord(whole), text, 0, 0, whole);
  }

  #add(hash: number, text: number, from: number, to: number, word: string): void {
    const at = this.count++;
    this.hashes[at] = hash;
    this.texts[at] = text;
    this.#from[at] = from;
    this.#to[at] = to;
    this.#words[at] = word;
  }
}

const wordsRead = new RecordWords();

/** Whether a part of a record has all of the words: in one text, or in several if the part is all names or everything. */
export function hasWords(stored: Glimpse, part: TextPart, sought: SoughtWords): boolean {
  return wordsRead.haveAll(stored, placesOfPart[part], sought, partsTogether.has(part));
}
