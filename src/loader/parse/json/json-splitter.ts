/**
 * Finds the records in a stream of JSON: the objects in one list of the root, such as `{"records":[{…},{…}]}`.
 *
 * It looks at brackets and quotes only. JSON.parse reads what is between them, one record at a time, so that at most
 * one record is in memory as objects.
 */

import { withRoom } from '../../../bytes/memory.ts';
import { quoted } from '../../../terminal-text.ts';
import { FileRefusal, limits, type PlaceReader } from '../file-reader.ts';

interface SplitterListener {
  /** A list in the root; whether its items are wanted. */
  list(name: string): boolean;
  record?(bytes: Buffer, start: number, end: number): void;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

const rootDepth = 1;
const listDepth = 2;
const initialBytes = 1024 * 1024;

export class JsonSplitter implements PlaceReader {
  readonly #listener: SplitterListener;
  #buffer = Buffer.alloc(initialBytes);
  #length = 0;
  /** Where to continue reading. */
  #at = 0;
  /** The start of the current record or root member; everything before it is done. */
  #start = 0;
  #depth = 0;
  #inList = false;
  #inString = false;
  #escaped = false;
  #records = 0;
  #needsComma = false;
  #closed = false;
  /** Bytes of the stream so far, and up to the end of the last record. */
  #given = 0;
  #recordsEnd = 0;
  /** The last string directly in the root: the name of the member that follows. */
  #name = '';

  constructor(listener: SplitterListener) {
    this.#listener = listener;
  }

  /** Goes on as after a record of a list, whatever came before. */
  restart(): void {
    this.#length = 0;
    this.#at = 0;
    this.#start = 0;
    this.#inString = false;
    this.#escaped = false;
    this.#depth = listDepth;
    this.#inList = true;
    this.#needsComma = true;
    this.#records = 0;
    this.#given = 0;
    this.#recordsEnd = 0;
  }

  get isWhole(): boolean {
    return this.#inList && this.#depth === listDepth && this.#needsComma && this.#recordsEnd === this.#given;
  }

  /** Where in the stream the last record ended; 0 before the first one. */
  get recordsEnd(): number {
    return this.#recordsEnd;
  }

  get places(): number {
    return this.#records;
  }

  skip(places: number): void {
    this.#records += places;
  }

  push(chunk: Uint8Array): void {
    this.#given += chunk.length;
    this.#append(chunk);
    this.#scan();
    this.#discard();
  }

  end(): void {
    if (!this.#closed)
      throw new FileRefusal(`ends within its JSON, after record ${this.#records}: it is truncated`);
  }

  #append(chunk: Uint8Array): void {
    const needed = this.#length + chunk.length;
    this.#buffer = withRoom(this.#buffer, this.#length, needed, Buffer.alloc);
    this.#buffer.set(chunk, this.#length);
    this.#length = needed;
  }

  /** Drops the bytes that are done. */
  #discard(): void {
    const inName = this.#inString && this.#depth === rootDepth;
    const inRecord = this.#inList && this.#depth > listDepth;
    const keepFrom = inName || inRecord ? this.#start : this.#at;
    if (this.#length - keepFrom > limits.sourceRecordBytesMax) {
      throw new FileRefusal(
        `record ${this.#records + 1} is longer than ${limits.sourceRecordBytesMax} bytes (limit sourceRecordBytesMax)`,
      );
    }
    this.#buffer.copyWithin(0, keepFrom, this.#length);
    this.#length -= keepFrom;
    this.#at -= keepFrom;
    this.#start -= keepFrom;
  }

  #scan(): void {
    while (this.#at < this.#length) {
      if (this.#inString) this.#skipString();
      else if (this.#inList && this.#depth > listDepth) this.#skipWithinRecord();
      else this.#structure(this.#buffer[this.#at] ?? 0);
    }
  }

  /** To the byte after the closing quote, or to the end of the bytes. */
  #skipString(): void {
    const buffer = this.#buffer;
    const length = this.#length;
    let at = this.#at;
    if (this.#escaped) {
      at++;
      this.#escaped = false;
    }
    for (; at < length; at++) {
      const byte = buffer[at] ?? 0;
      if (byte === quote) break;
      if (byte === backslash) at++;
    }
    // A backslash in the last byte of a chunk escapes the first of the next.
    this.#escaped = at > length;
    this.#at = Math.min(at + 1, length);
    if (at < length) this.#stringEnds();
  }

  #stringEnds(): void {
    this.#inString = false;
    if (this.#depth === rootDepth) this.#name = this.#buffer.toString('utf8', this.#start + 1, this.#at - 1);
  }

  /** The innermost loop: to the next quote, or to the bracket that ends the record. */
  #skipWithinRecord(): void {
    const buffer = this.#buffer;
    const length = this.#length;
    let depth = this.#depth;
    let at = this.#at;
    while (at < length && depth > listDepth) {
      const byte = buffer[at++] ?? 0;
      if (byte === quote) {
        this.#inString = true;
        break;
      }
      // { and [ differ in one bit, and in the same one } and ].
      if ((byte | 0x20) === openBrace) depth++;
      else if ((byte | 0x20) === closeBrace) depth--;
    }
    this.#at = at;
    this.#depth = depth;
    if (depth > limits.sourceDepthMax) this.#tooDeep();
    if (depth === listDepth) this.#recordEnds();
  }

  #recordEnds(): void {
    this.#records++;
    this.#recordsEnd = this.#given - (this.#length - this.#at);
    this.#needsComma = true;
    this.#listener.record?.(this.#buffer, this.#start, this.#at);
    this.#start = this.#at;
  }

  /** One byte outside of strings and records. */
  #structure(byte: number): void {
    this.#at++;
    if (this.#inList) this.#betweenRecords(byte);
    else if (byte === quote) this.#stringStarts();
    else if (byte === openBrace || byte === openBracket) this.#open(byte);
    else if (byte === closeBrace || byte === closeBracket) this.#close(byte);
    else if (byte > 32 && this.#depth === 0 && !this.#isMark(byte)) this.#malformed('is not JSON');
  }

  /** A leading byte order mark. */
  #isMark(byte: number): boolean {
    return !this.#closed && (byte === 0xef || byte === 0xbb || byte === 0xbf);
  }

  #stringStarts(): void {
    if (this.#depth === 0) this.#malformed('is not JSON');
    this.#inString = true;
    this.#start = this.#at - 1;
  }

  #open(byte: number): void {
    if (this.#depth === 0 && (byte === openBracket || this.#closed)) {
      this.#malformed('is not one JSON object with a list of records');
    }
    this.#depth++;
    if (this.#depth > limits.sourceDepthMax) this.#tooDeep();
    if (this.#depth === listDepth && byte === openBracket && this.#listener.list(this.#name)) {
      this.#inList = true;
      this.#needsComma = false;
    }
  }

  #close(byte: number): void {
    if (this.#depth === 0) this.#malformed('closes more brackets than it opens');
    this.#depth--;
    if (this.#depth > 0) return;
    if (byte !== closeBrace) this.#malformed('closes an object with the wrong bracket');
    this.#closed = true;
  }

  #betweenRecords(byte: number): void {
    if (byte <= 32) return;
    if (byte === closeBracket) {
      this.#inList = false;
      this.#depth--;
    } else if (byte === comma && this.#needsComma) {
      this.#needsComma = false;
    } else if (byte === openBrace && !this.#needsComma) {
      this.#start = this.#at - 1;
      this.#depth++;
    } else {
      this.#malformed(`has ${quoted(String.fromCharCode(byte))} where a record should start`);
    }
  }

  #tooDeep(): never {
    throw new FileRefusal(
      `has brackets nested more than ${limits.sourceDepthMax} deep after record ${this.#records}`,
    );
  }

  #malformed(reason: string): never {
    throw new FileRefusal(`${reason}${this.#records > 0 ? ` (after record ${this.#records})` : ''}`);
  }
}
