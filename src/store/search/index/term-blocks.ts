/**
 * Reads the vocabulary of the build: blocks of 64 front-coded terms in alphabetical order, and the first term of each.
 */
import { firstNotBefore } from '../../../bytes/binary-search.ts';
import { hashItems } from '../../../bytes/hash.ts';
import { readVarint, uint16At } from '../../../bytes/numbers-in-bytes.ts';
import { inlineDocumentsMax, termsPerBlock } from '../format.ts';
import { readDeltas } from '../sets/document-list.ts';

/** A word, form or filter, and the documents that have it. */
export interface Term {
  readonly id: number;
  /** Hash of its text. */
  readonly hash: number;
  /** The number of documents. */
  readonly frequency: number;
  /** The documents themselves if there are few. */
  readonly inline: Uint32Array | null;
  /** First row of its list otherwise. */
  readonly list: number;
}

export interface SpelledTerm {
  readonly text: string;
  readonly term: Term;
}

/** The first term of every block, one term in sixty-four: the part of the vocabulary that stays in memory. */
interface Top {
  readonly units: Uint16Array;
  /** Where each begins; one more than blocks. */
  readonly starts: Uint32Array;
}

export function readTop(bytes: Buffer, blocks: number): Top {
  const starts = new Uint32Array(blocks + 1);
  const units = new Uint16Array(bytes.length / 2);
  let length = 0;
  let at = 0;
  for (let block = 0; block < blocks; block++) {
    starts[block] = length;
    const own = bytes[at++] ?? 0;
    for (let i = 0; i < own; i++, at += 2) units[length++] = bytes.readUInt16LE(at);
  }
  starts[blocks] = length;
  return { units: units.slice(0, length), starts };
}

/** Less than, equal to or greater than 0, comparing the units from `from` up to `to` (exclusive) with the text. */
function compareUnits(units: Uint16Array, from: number, to: number, text: string): number {
  const length = to - from;
  for (let i = 0; i < length && i < text.length; i++) {
    const difference = (units[from + i] ?? 0) - text.charCodeAt(i);
    if (difference !== 0) return difference;
  }
  return length - text.length;
}

/** The last block whose first term is not after the text; the first block if there is none. */
export function blockOf({ units, starts }: Top, text: string): number {
  const beginsBefore = (block: number) =>
    compareUnits(units, starts[block] ?? 0, starts[block + 1] ?? 0, text) <= 0;
  return firstNotBefore(1, starts.length - 1, beginsBefore) - 1;
}

/** Iterates over the decoded terms of one block. */
export class BlockCursor {
  readonly units = new Uint16Array(256);
  length = 0;
  id = 0;
  bytes: Buffer = Buffer.alloc(0);
  /** How many of the bytes are those of the block. */
  private end = 0;
  at = 0;
  private frequency = 0;
  private payload = 0;
  /** How many units the last term that was compared has in common with the text. */
  private common = 0;

  /** @param length how many of the bytes are those of the block */
  enter(bytes: Buffer, length: number, block: number): void {
    this.bytes = bytes;
    this.end = length;
    this.at = 0;
    this.length = 0;
    this.id = block * termsPerBlock - 1;
  }

  next(): boolean {
    const { bytes } = this;
    if (this.at >= this.end) return false;
    const shared = bytes[this.at++] ?? 0;
    const own = bytes[this.at++] ?? 0;
    this.length = shared + (own & 127);
    if (own > 127) {
      for (let i = shared; i < this.length; i++, this.at += 2) this.units[i] = bytes.readUInt16LE(this.at);
    } else {
      for (let i = shared; i < this.length; i++) this.units[i] = bytes[this.at++] ?? 0;
    }
    this.readCount();
    this.id++;
    return true;
  }

  /**
   * Goes from the beginning of a block to its first term that is not before the text; behind the last one if there is none.
   * The term before differs from the text at some place, and is before it. A term that has the same letters up to and with that
   * place is before the text as well, so most terms are passed without reading them. `units` do not hold the term afterwards:
   * its text and hash are unknown. @returns whether it is the text
   */
  seek(text: string): boolean {
    this.common = 0;
    for (this.id++; this.at < this.end; this.id++) {
      const shared = this.bytes[this.at] ?? 0;
      if (shared < this.common) return false;
      const difference = shared > this.common ? -1 : this.compare(text);
      if (difference > 0) return false;
      passText(this);
      this.readCount();
      if (difference === 0) return true;
    }
    return false;
  }

  /**
   * Less than, equal to or greater than 0, comparing the term that begins here with the text. They have the first `common`
   * units in common, and may have more.
   */
  private compare(text: string): number {
    const { bytes, at } = this;
    const own = bytes[at + 1] ?? 0;
    const length = this.common + (own & 127);
    const isWide = own > 127;
    for (let from = at + 2; this.common < length; from += isWide ? 2 : 1) {
      if (this.common === text.length) return 1;
      const unit = isWide ? uint16At(bytes, from) : (bytes[from] ?? 0);
      const difference = unit - text.charCodeAt(this.common);
      if (difference !== 0) return difference;
      this.common++;
    }
    return this.common - text.length;
  }

  private readCount(): void {
    this.frequency = readVarint(this);
    this.payload = readVarint(this);
    if (this.isInline()) this.at += this.payload;
  }

  private isInline(): boolean {
    return this.frequency <= inlineDocumentsMax;
  }

  /** @param hash of the text of the current term */
  term(hash = hashItems(this.units, 0, this.length)): Term {
    const { id, frequency } = this;
    if (!this.isInline()) return { id, hash, frequency, inline: null, list: this.payload };
    return {
      id,
      hash,
      frequency,
      inline: readDeltas(this.bytes, this.at - this.payload, frequency),
      list: 0,
    };
  }

  text(): string {
    return String.fromCharCode(...this.units.subarray(0, this.length));
  }
}

/** A place in a block. */
interface InBlock {
  readonly bytes: Uint8Array;
  at: number;
}

/** Moves from the beginning of a term, past its text, to its documents. */
export function passText(cursor: InBlock): void {
  const own = cursor.bytes[cursor.at + 1] ?? 0;
  cursor.at += 2 + (own > 127 ? (own & 127) * 2 : own);
}

/** Moves past the documents of a term to the next term. @returns the number of documents */
export function passDocuments(cursor: InBlock): number {
  const frequency = readVarint(cursor);
  const payload = readVarint(cursor);
  if (frequency <= inlineDocumentsMax) cursor.at += payload;
  return frequency;
}

/** Writes the frequencies of a block's terms into `into`, from index `first` on. */
export function readFrequencies(bytes: Uint8Array, length: number, into: Uint32Array, first: number): void {
  const cursor = { bytes, at: 0 };
  for (let id = first; cursor.at < length; id++) {
    passText(cursor);
    into[id] = passDocuments(cursor);
  }
}
