/**
 * Finds the fields of one row of CSV in bytes (RFC 4180; LF or CRLF; quoted or not; doubled quotes).
 *
 * This is the innermost loop of a load: the level 1 file has 338 columns, nine of ten empty, and over 4 GB. So it makes
 * no strings and records only the non-empty fields.
 */
import { withRoom } from '../../../bytes/memory.ts';
import { trimmed } from '../record/values.ts';

const space = 32;
const quote = 34;
const comma = 44;
const lineFeed = 10;
const carriageReturn = 13;

/** Bits of {@link CsvScanner.traits}. */
const fieldTrait = { notAscii: 1, doubledQuotes: 2, known: 4 } as const;

/** The result of {@link CsvScanner.scanRow}. */
export const rowEnd = {
  /** A complete row; the next one starts at {@link CsvScanner.next}. */
  complete: 0,
  /** The bytes end within the row. */
  incomplete: 1,
  /** A complete row, but with text between a closing quote and the next separator. */
  malformed: 2,
} as const;

/** Bytes that must be free (and are overwritten) behind the last byte passed to the scanner. */
export const scannerPadding = 4;

/** Reads one row at a time; its members have the result until the next row. */
export class CsvScanner {
  /** Fields in the row, empty ones included. */
  fieldCount = 0;
  /** Non-empty fields: how many, and below for each its column, first byte, byte after it, and traits. */
  filledCount = 0;
  readonly columns: Int32Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly traits: Uint8Array;
  /** Where the row starts. */
  start = 0;
  /** Where the next row starts. */
  next = 0;
  /** Lines that the row takes: more than one if a quoted field contains line feeds. */
  lines = 1;
  /** The ASCII fields of the row, one after the other; null until one is asked for. */
  #text: string | null = null;
  /** Where each recorded ASCII field begins in that text. */
  readonly #textStarts: Int32Array;
  #joined = Buffer.alloc(4096);
  #malformed = false;
  readonly #separator: number;

  /**
   * @param columnsMax fields beyond this are counted, not recorded
   * @param separator the byte between two fields
   */
  constructor(columnsMax: number, separator = comma) {
    this.#separator = separator;
    this.columns = new Int32Array(columnsMax);
    this.starts = new Int32Array(columnsMax);
    this.ends = new Int32Array(columnsMax);
    this.traits = new Uint8Array(columnsMax);
    this.#textStarts = new Int32Array(columnsMax);
  }

  /** Reads the row that starts at a byte. The bytes from `end` on must be {@link scannerPadding} zeros. */
  scanRow(bytes: Uint8Array, start: number, end: number): number {
    const separator = this.#separator;
    let at = start;
    let column = 0;
    this.filledCount = 0;
    this.lines = 1;
    this.start = start;
    this.#text = null;
    this.#malformed = false;
    for (;;) {
      const first = bytes[at] ?? 0;
      // Nearly every field of a level 1 row is one of these two.
      if (first === separator) {
        at++;
        column++;
        continue;
      }
      if (first === quote && bytes[at + 1] === quote && bytes[at + 2] === separator) {
        at += 3;
        column++;
        continue;
      }
      at = first === quote ? this.#quoted(bytes, at + 1, end, column) : this.#plain(bytes, at, end, column);
      if (at >= end) return rowEnd.incomplete;
      column++;
      if (bytes[at] === lineFeed) break;
      at++;
    }
    this.fieldCount = column;
    this.next = at + 1;
    return this.#malformed ? rowEnd.malformed : rowEnd.complete;
  }

  /** @returns the position of the separator or line feed after the field, or `end` */
  #plain(bytes: Uint8Array, start: number, end: number, column: number): number {
    const separator = this.#separator;
    let at = start;
    let union = 0;
    for (; at < end; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === separator || byte === lineFeed) break;
      union |= byte;
    }
    const stop = bytes[at] === lineFeed && bytes[at - 1] === carriageReturn ? at - 1 : at;
    if (stop > start) this.#keep(column, start, stop, union > 127 ? fieldTrait.notAscii : 0);
    return at;
  }

  /** @returns the position of the separator or line feed after the field, or `end` */
  #quoted(bytes: Uint8Array, start: number, end: number, column: number): number {
    let at = start;
    let union = 0;
    let doubled = 0;
    for (; at < end; at++) {
      const byte = bytes[at] ?? 0;
      union |= byte;
      if (byte === lineFeed) this.lines++;
      if (byte !== quote) continue;
      if (bytes[at + 1] !== quote) break;
      doubled = fieldTrait.doubledQuotes;
      at++;
    }
    if (at >= end) return end;
    if (at > start) this.#keep(column, start, at, (union > 127 ? fieldTrait.notAscii : 0) | doubled);
    return this.#afterQuote(bytes, at + 1, end);
  }

  #afterQuote(bytes: Uint8Array, start: number, end: number): number {
    const separator = this.#separator;
    let at = start;
    if (bytes[at] === separator || bytes[at] === lineFeed) return at;
    for (; at < end && bytes[at] !== separator && bytes[at] !== lineFeed; at++);
    const onlyReturn = at === start + 1 && bytes[start] === carriageReturn && bytes[at] === lineFeed;
    if (!onlyReturn) this.#malformed = true;
    return at;
  }

  /** The text of a recorded field is known, so the text of the row need not have it. To be said before any field is read. */
  leaveOut(index: number): void {
    this.traits[index] = fieldTrait.known;
  }

  /**
   * A recorded ASCII field: a slice of one text of all such fields, which costs a fifth of decoding the bytes. Most of a
   * level 1 row are empty fields, which that text leaves out.
   */
  slice(bytes: Buffer, index: number): string {
    const text = this.#text ?? this.#join(bytes);
    const from = this.#textStarts[index] ?? 0;
    return text.slice(from, from + (this.ends[index] ?? 0) - (this.starts[index] ?? 0));
  }

  #join(bytes: Buffer): string {
    this.#joined = withRoom(this.#joined, 0, this.next - this.start, Buffer.alloc);
    const joined = this.#joined;
    let length = 0;
    for (let index = 0; index < this.filledCount; index++) {
      if (((this.traits[index] ?? 0) & (fieldTrait.notAscii | fieldTrait.known)) !== 0) continue;
      this.#textStarts[index] = length;
      const end = this.ends[index] ?? 0;
      for (let at = this.starts[index] ?? 0; at < end; at++) joined[length++] = bytes[at] ?? 0;
    }
    this.#text = joined.toString('latin1', 0, length);
    return this.#text;
  }

  #keep(column: number, start: number, end: number, traits: number): void {
    const index = this.filledCount;
    if (index >= this.columns.length) return;
    this.columns[index] = column;
    this.starts[index] = start;
    this.ends[index] = end;
    this.traits[index] = traits;
    this.filledCount = index + 1;
  }
}

/** The texts of all fields of a row. @see fieldText */
export function fieldTexts(bytes: Buffer, scanner: CsvScanner): string[] {
  const texts = new Array<string>(scanner.fieldCount).fill('');
  for (let index = 0; index < scanner.filledCount; index++) {
    texts[scanner.columns[index] ?? 0] = fieldText(bytes, scanner, index);
  }
  return texts;
}

/**
 * The text of a recorded field, without white space around it (the formats forbid it, so it means nothing); empty if
 * nothing else is there. The bytes must be valid UTF-8. It may be a slice that keeps the text of its row in memory: if you
 * keep fields of many rows, join them into other texts.
 */
export function fieldText(bytes: Buffer, scanner: CsvScanner, index: number): string {
  const start = scanner.starts[index] ?? 0;
  const end = scanner.ends[index] ?? 0;
  const traits = scanner.traits[index] ?? 0;
  const isAscii = (traits & fieldTrait.notAscii) === 0;
  const text = isAscii ? scanner.slice(bytes, index) : bytes.toString('utf8', start, end);
  const unquoted = (traits & fieldTrait.doubledQuotes) === 0 ? text : text.replaceAll('""', '"');
  return isTrimmed(bytes, start, end) ? unquoted : trimmed(unquoted);
}

/** Reads bytes, because reading a character of a slice copies the whole slice. */
function isTrimmed(bytes: Buffer, start: number, end: number): boolean {
  return (bytes[start] ?? 0) > space && (bytes[end - 1] ?? 0) > space;
}

/** Whether the bytes of a recorded field are its text, which is ASCII. */
export function isPlain(bytes: Buffer, scanner: CsvScanner, index: number): boolean {
  return (
    scanner.traits[index] === 0 && isTrimmed(bytes, scanner.starts[index] ?? 0, scanner.ends[index] ?? 0)
  );
}
