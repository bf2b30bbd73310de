/** Reads the vocabulary: a term by its text, by its id, or by how it begins. */
import { firstNotBefore } from '../../../bytes/binary-search.ts';
import { readVarint } from '../../../bytes/varint.ts';
import { isForm } from '../../../lei/names/name-terms.ts';
import { type IndexShape, inlineDocumentsMax, type SearchTables, termsPerBlock } from '../format.ts';
import type { TimeLimit } from '../time-limit.ts';
import { readDeltas } from './deltas.ts';

export interface Term {
  readonly id: number;
  /** In how many documents. */
  readonly frequency: number;
  /** The documents themselves where there are few. */
  readonly inline: Uint32Array | null;
  /** First row of its list otherwise. */
  readonly list: number;
}

export interface TermReader {
  /** Null where no name has it. */
  find(text: string): Term | null;
  byId(id: number): Term;
  /** Ids of the terms that begin with the prefix: the first, and one more than the last. */
  range(prefix: string): readonly [number, number];
  /** Terms from id `from` up to `to` (exclusive), in order. */
  between(from: number, to: number): Term[];
  /** Ids of the most frequent terms that begin with the prefix; null where only few terms do. */
  completions(prefix: string): Uint32Array | null;
}

/** Keeps the first term of every block in memory: one term in sixty-four. */
interface Top {
  readonly units: Uint16Array;
  /** Start of each term, and the end of the last. */
  readonly starts: Uint32Array;
}

function readTop(bytes: Buffer, blocks: number): Top {
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

/** Compares the first term of a block with the text: below 0, 0 or above 0. */
function compareTop(top: Top, block: number, text: string): number {
  const from = top.starts[block] ?? 0;
  const length = (top.starts[block + 1] ?? 0) - from;
  for (let i = 0; i < length && i < text.length; i++) {
    const difference = (top.units[from + i] ?? 0) - text.charCodeAt(i);
    if (difference !== 0) return difference;
  }
  return length - text.length;
}

/** The last block whose first term is not after the text; the first block where there is none. */
function blockOf(top: Top, text: string): number {
  return firstNotBefore(1, top.starts.length - 1, (block) => compareTop(top, block, text) <= 0) - 1;
}

/** Steps through the terms of one block and decodes their front coding. */
class BlockCursor {
  readonly units = new Uint16Array(256);
  length = 0;
  id = 0;
  bytes: Buffer;
  at = 0;
  private frequency = 0;
  private payload = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  enter(bytes: Buffer, block: number): void {
    this.bytes = bytes;
    this.at = 0;
    this.length = 0;
    this.id = block * termsPerBlock - 1;
  }

  next(): boolean {
    const { bytes } = this;
    if (this.at >= bytes.length) return false;
    const shared = bytes[this.at++] ?? 0;
    const own = bytes[this.at++] ?? 0;
    this.length = shared + (own & 127);
    if (own > 127) {
      for (let i = shared; i < this.length; i++, this.at += 2) this.units[i] = bytes.readUInt16LE(this.at);
    } else {
      for (let i = shared; i < this.length; i++) this.units[i] = bytes[this.at++] ?? 0;
    }
    this.frequency = readVarint(this);
    this.payload = readVarint(this);
    if (this.isInline()) this.at += this.payload;
    this.id++;
    return true;
  }

  private isInline(): boolean {
    return this.frequency <= inlineDocumentsMax;
  }

  compare(text: string): number {
    for (let i = 0; i < this.length && i < text.length; i++) {
      const difference = (this.units[i] ?? 0) - text.charCodeAt(i);
      if (difference !== 0) return difference;
    }
    return this.length - text.length;
  }

  term(): Term {
    const { id, frequency } = this;
    if (!this.isInline()) return { id, frequency, inline: null, list: this.payload };
    return { id, frequency, inline: readDeltas(this.bytes, this.at - this.payload, frequency), list: 0 };
  }

  text(): string {
    return String.fromCharCode(...this.units.subarray(0, this.length));
  }
}

export function openTermReader(tables: SearchTables, shape: IndexShape, timeLimit: TimeLimit): TermReader {
  const blocks = Math.ceil(shape.terms / termsPerBlock);
  const top = readTop(tables.top.getBinary(0) ?? Buffer.alloc(0), blocks);
  const cursor = new BlockCursor(Buffer.alloc(0));
  const enter = (block: number) => {
    timeLimit.smallStep();
    const bytes = tables.terms.getBinaryFast(block);
    if (bytes === undefined) return false;
    cursor.enter(bytes, block);
    return true;
  };
  const at = (id: number) => {
    if (!enter(Math.floor(id / termsPerBlock))) throw new Error(`The search index has no term ${id}.`);
    while (cursor.id < id && cursor.next()) {}
  };
  const lowerBound = (text: string): number => {
    if (blocks === 0 || !enter(blockOf(top, text))) return 0;
    while (cursor.next()) if (cursor.compare(text) >= 0) return cursor.id;
    return cursor.id + 1;
  };
  const find = (text: string): Term | null => {
    if (blocks === 0 || !enter(blockOf(top, text))) return null;
    while (cursor.next()) {
      const difference = cursor.compare(text);
      if (difference === 0) return cursor.term();
      if (difference > 0) return null;
    }
    return null;
  };
  // An index has only some hundred legal forms, and every word of a question is also looked up as one.
  const forms = new Map<string, Term>();
  for (let id = shape.formsFrom; id < shape.formsTo; id++) {
    at(id);
    forms.set(cursor.text(), cursor.term());
  }
  return {
    find: (text) => (isForm(text) ? (forms.get(text) ?? null) : find(text)),
    byId: (id) => {
      at(id);
      return cursor.term();
    },
    range: (prefix) => [lowerBound(prefix), lowerBound(`${prefix}\uffff`)],
    between: (from, to) => {
      const terms: Term[] = [];
      for (let block = Math.floor(from / termsPerBlock); block * termsPerBlock < to; block++) {
        if (!enter(block)) break;
        while (cursor.next() && cursor.id < to) if (cursor.id >= from) terms.push(cursor.term());
      }
      return terms;
    },
    completions: (prefix) => {
      const bytes = tables.completions.getBinary(Buffer.from(prefix, 'utf16le'));
      if (bytes === undefined) return null;
      return Uint32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32LE(i * 4));
    },
  };
}
