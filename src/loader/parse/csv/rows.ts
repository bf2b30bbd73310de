/** Splits a stream of bytes into rows of CSV, in bounded memory. */
import { isUtf8 } from 'node:buffer';
import { withRoom } from '../../../bytes/memory.ts';
import { FileRefusal, limits, type PlaceReader } from '../file-reader.ts';
import { CsvScanner, rowEnd, scannerPadding } from './scanner.ts';

/** Receives each row, and blank ones only if it asked for them; the scanner keeps its fields until the call returns. */
export type RowHandler = (bytes: Buffer, scanner: CsvScanner, line: number, malformed: boolean) => void;

/** Grows for large files: a new buffer is filled with zeros, which a load does twice for each file. */
const initialBytes = 64 * 1024;
const lineFeed = 10;

/** Why a header is refused that has a carriage return in it: all rows of such a file would be columns of its header. */
export const loneReturns = 'its lines end in a carriage return alone; they must end in LF or CRLF';

interface RowRules {
  /** Whether blank lines are rows too. */
  readonly withBlanks?: boolean;
  /** The byte between two fields, a comma by default. */
  readonly separator?: number;
  /** What to do about a file that is not UTF-8. */
  readonly encodingAdvice?: string;
}

/** Pass chunks to {@link CsvRows.push}, then call {@link CsvRows.end} once. */
export class CsvRows implements PlaceReader {
  readonly #scanner: CsvScanner;
  readonly #handle: RowHandler;
  #buffer = Buffer.alloc(initialBytes + scannerPadding);
  /** Bytes in the buffer that no complete row has used yet: the beginning of one row. */
  #length = 0;
  #line = 1;
  #seenFirstBytes = false;
  #hasByteOrderMark = false;
  readonly #withBlanks: boolean;
  readonly #encodingAdvice: string;

  constructor(columnsMax: number, handle: RowHandler, rules: RowRules = {}) {
    this.#scanner = new CsvScanner(columnsMax, rules.separator);
    this.#handle = handle;
    this.#withBlanks = rules.withBlanks ?? false;
    this.#encodingAdvice = rules.encodingAdvice ?? 'save the file as CSV in UTF-8';
  }

  /** Whether the file began with a byte order mark; known once the first row is. */
  get hasByteOrderMark(): boolean {
    return this.#hasByteOrderMark;
  }

  /** @throws FileRefusal if the bytes are not UTF-8 or a row exceeds the limit of a record */
  push(chunk: Uint8Array): void {
    this.#reserve(chunk.length);
    this.#buffer.set(chunk, this.#length);
    this.#length += chunk.length;
    // A byte order mark needs three bytes to be recognised.
    if (!this.#seenFirstBytes && this.#length < 3) return;
    this.#rows(this.#skipByteOrderMark());
  }

  get isWhole(): boolean {
    return this.#length === 0 && this.#seenFirstBytes;
  }

  get places(): number {
    return this.#line - 1;
  }

  skip(places: number): void {
    this.#line += places;
  }

  /** Forgets the bytes before: the next ones begin a row, and lines count from 1. */
  restart(): void {
    this.#seenFirstBytes = true;
    this.#length = 0;
    this.#line = 1;
  }

  /** @throws FileRefusal if the last row never ends */
  end(): void {
    const start = this.#seenFirstBytes ? 0 : this.#skipByteOrderMark();
    if (this.#length > start && this.#buffer[this.#length - 1] !== lineFeed) {
      this.#reserve(1);
      this.#buffer[this.#length++] = lineFeed;
    }
    this.#rows(start);
    if (this.#length > 0) {
      throw new FileRefusal(`the quoted field that opens in the row of line ${this.#line} is never closed`);
    }
  }

  #skipByteOrderMark(): number {
    if (this.#seenFirstBytes) return 0;
    this.#seenFirstBytes = true;
    this.#hasByteOrderMark = this.#length >= 3 && this.#buffer.readUIntBE(0, 3) === 0xefbbbf;
    return this.#hasByteOrderMark ? 3 : 0;
  }

  #rows(from: number): void {
    const buffer = this.#buffer;
    const scanner = this.#scanner;
    const end = this.#length;
    buffer.fill(0, end, end + scannerPadding);
    const whole = buffer.subarray(0, end).lastIndexOf(lineFeed) + 1;
    this.#checkEncoding(from, whole);
    let at = from;
    while (at < whole) {
      const outcome = scanner.scanRow(buffer, at, end);
      if (outcome === rowEnd.incomplete) break;
      const blank = scanner.fieldCount === 1 && scanner.filledCount === 0;
      if (!blank || this.#withBlanks) this.#handle(buffer, scanner, this.#line, outcome === rowEnd.malformed);
      this.#line += scanner.lines;
      at = scanner.next;
    }
    buffer.copyWithin(0, at, end);
    this.#length = end - at;
  }

  /** Up to the last line feed, which is never part of a multi-byte character. */
  #checkEncoding(from: number, to: number): void {
    if (isUtf8(this.#buffer.subarray(from, to))) return;
    let line = this.#line;
    for (let start = from; start < to; line++) {
      const stop = this.#buffer.indexOf(lineFeed, start) + 1;
      if (!isUtf8(this.#buffer.subarray(start, stop))) break;
      start = stop;
    }
    throw new FileRefusal(`line ${line} is not valid UTF-8; ${this.#encodingAdvice}`);
  }

  #reserve(more: number): void {
    const needed = this.#length + more + scannerPadding;
    if (this.#length > limits.sourceRecordBytesMax) {
      throw new FileRefusal(
        `the row of line ${this.#line} is longer than ${limits.sourceRecordBytesMax} bytes ` +
          '(limit sourceRecordBytesMax); a quote may be missing there',
      );
    }
    this.#buffer = withRoom(this.#buffer, this.#length, needed, Buffer.alloc);
  }
}
