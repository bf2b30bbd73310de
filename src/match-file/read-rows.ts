/** Reads the rows of a CSV file in batches, in bounded memory. */
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { ExpectedFailure } from '../errors.ts';
import { CsvRows, loneReturns } from '../loader/parse/csv/rows.ts';
import { type CsvScanner, fieldText, fieldTexts } from '../loader/parse/csv/scanner.ts';
import { FileRefusal } from '../loader/parse/file-reader.ts';
import { type BinaryFormat, binaryFormatOf } from '../loader/parse/input/binary-formats.ts';
import { quoted } from '../terminal-text.ts';
import type { Header } from './columns.ts';

/** Limits of the memory that matching a file takes. */
export const matchFileLimits = {
  /** Bytes read from the file at a time. */
  chunkBytes: 1024 * 1024,
  /** Rows that are sent to a thread together, or fewer if they are long. */
  rowsPerBatch: 32,
  batchBytesMax: 256 * 1024,
  /** Batches that a thread is working on or that wait for it. */
  batchesPerThread: 3,
  /** In which the first line is looked for, to learn what separates the fields. */
  beginningBytes: 256 * 1024,
  /** Columns of the file. */
  columnsMax: 4096,
} as const;

const separators = [',', ';', '\t', '|'] as const;
/** What separates the fields of a file: spreadsheets write semicolons where a comma is the decimal sign, and tabs. */
type Separator = (typeof separators)[number];

/** One row of the file. */
export interface FileRow {
  /** The line that it begins in, from 1. */
  readonly line: number;
  /** As in the file, without its line end, with as many fields as the header. */
  readonly text: string;
  readonly fields: readonly string[];
  /** Whether fields at its end were missing; they are empty then. */
  readonly isShort: boolean;
}

interface CollectedRows {
  readonly rows: readonly FileRow[];
  /** Bytes of the file up to the end of these rows. */
  readonly bytesRead: number;
}

export interface RowBatch extends CollectedRows {
  /** Whether the file begins with a byte order mark. */
  readonly hasByteOrderMark: boolean;
}

/** How the rows of a file are read. */
export interface FileRules {
  readonly separator: Separator;
  /** Whether the first line names the separator, as in `sep=;`, and is no row: Excel reads and hides such a line. */
  readonly hasSeparatorLine: boolean;
}

/** What the beginning of a file says of its rows. */
interface FileBeginning extends FileRules {
  /** Null if the header is missing, malformed or too long. */
  readonly header: Header | null;
}

/**
 * The separator is the one that the first line names; otherwise the one by which the header has the sought columns, or
 * the most columns.
 * @throws ExpectedFailure naming the format of a file that is not CSV
 */
export function readBeginning(
  path: string,
  isHeader: (columns: readonly string[]) => boolean,
): FileBeginning {
  const beginning = beginningOf(path);
  return refusing(() => {
    refuseBinaryFormats(beginning);
    const named = namedSeparator(beginning);
    const read = (named === null ? separators : [named]).map((separator) => {
      const rules = { separator, hasSeparatorLine: named !== null };
      return { ...rules, header: headerOf(beginning, rules) };
    });
    const [most] = read.toSorted((one, other) => columnCount(other) - columnCount(one));
    const sought = read.find(({ header }) => header !== null && isHeader(header.columns));
    const found = sought ?? most;
    if (found === undefined) throw new Error('There are no separators.');
    return found;
  });
}

function columnCount({ header }: FileBeginning): number {
  return header?.columns.length ?? 0;
}

/**
 * Batches of at least one row. A blank line is a row of a file with one column, and none of others. The first row of the
 * first batch is the header: rows without any content before it are left out.
 * @throws ExpectedFailure naming the malformed line; the system's error if the file can't be read
 */
export async function* readBatches(
  path: string,
  rules: FileRules,
  signal: AbortSignal,
): AsyncGenerator<RowBatch> {
  const collector = new RowCollector(rules);
  const csv = new CsvRows(
    matchFileLimits.columnsMax,
    (bytes, scanner, line, malformed) => collector.add(bytes, scanner, line, malformed),
    { withBlanks: true, separator: byteOf(rules.separator) },
  );
  const batchOf = (collected: CollectedRows) => ({ ...collected, hasByteOrderMark: csv.hasByteOrderMark });
  for await (const chunk of createReadStream(path, { highWaterMark: matchFileLimits.chunkBytes, signal })) {
    refusing(() => csv.push(chunk));
    yield* collector.takeFull().map(batchOf);
  }
  refusing(() => csv.end());
  yield* collector.takeAll().map(batchOf);
}

function beginningOf(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(matchFileLimits.beginningBytes);
    return bytes.subarray(0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

/** Otherwise the message would be about the encoding of a line. */
function refuseBinaryFormats(beginning: Buffer): void {
  const format = binaryFormatOf(beginning);
  if (format !== null)
    throw new FileRefusal(`is ${adviceOn[format] ?? `compressed with ${format}; unpack it first`}`);
}

const adviceOn: Readonly<Partial<Record<BinaryFormat, string>>> = {
  zip: 'a ZIP archive, such as an Excel workbook; save the sheet as CSV in UTF-8',
  Excel: 'an Excel workbook; save the sheet as CSV in UTF-8',
  'UTF-16': 'encoded in UTF-16; save it as CSV in UTF-8',
};

/** A first line that names the separator; some programs put it in quotes. */
const separatorLine = /^(?:\ufeff)?"?sep=(.)"?(?:\r?\n|$)/i;

/** Null for a file whose first line is a row. */
function namedSeparator(beginning: Buffer): Separator | null {
  const named = separatorLine.exec(beginning.toString('utf8', 0, 32))?.[1];
  if (named === undefined) return null;
  const separator = separators.find((each) => each === named);
  if (separator !== undefined) return separator;
  throw new FileRefusal(
    `line 1 says that ${quoted(named)} separates the fields, which must be a comma, a semicolon, a tab or a bar`,
  );
}

/** @returns null if it is missing, malformed or too long */
function headerOf(beginning: Buffer, rules: FileRules): Header | null {
  let header: Header | null = null;
  let isFound = false;
  const add = (bytes: Buffer, scanner: CsvScanner, line: number, malformed: boolean) => {
    if (isFound || isBeforeHeader(scanner, line, rules)) return;
    refuseLoneReturns(bytes, scanner);
    isFound = true;
    if (!malformed) header = { columns: fieldTexts(bytes, scanner), line };
  };
  const csv = new CsvRows(matchFileLimits.columnsMax, add, { separator: byteOf(rules.separator) });
  csv.push(beginning);
  if (isFound) return header;
  if (beginning.length < matchFileLimits.beginningBytes) csv.end();
  else if (/^[^\n]*\r(?!\n)/.test(beginning.toString('latin1'))) throw new FileRefusal(loneReturns);
  return header;
}

/** Whether a row is none that a header can be: the line that names the separator, or a row of empty fields. */
function isBeforeHeader({ filledCount }: CsvScanner, line: number, { hasSeparatorLine }: FileRules): boolean {
  return filledCount === 0 || (hasSeparatorLine && line === 1);
}

function byteOf(separator: Separator): number {
  return separator.charCodeAt(0);
}

/** With such line ends all rows are columns of the header. */
function refuseLoneReturns(header: Buffer, scanner: CsvScanner): void {
  for (let index = 0; index < scanner.filledCount; index++) {
    // A line break of a quoted name of a column is LF or CRLF.
    if (/\r(?!\n)/.test(fieldText(header, scanner, index))) throw new FileRefusal(loneReturns);
  }
}

function refusing<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof FileRefusal ? new ExpectedFailure('bad-csv', error.message) : error;
  }
}

const separatorNames: Readonly<Record<Separator, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'bar',
};

class RowCollector {
  readonly #rules: FileRules;
  #batches: CollectedRows[] = [];
  #rows: FileRow[] = [];
  /** Of these rows, and of all so far. */
  #bytes = 0;
  #bytesRead = 0;
  #columns = 0;

  constructor(rules: FileRules) {
    this.#rules = rules;
  }

  add(bytes: Buffer, scanner: CsvScanner, line: number, malformed: boolean): void {
    if (malformed) {
      throw new FileRefusal(
        `line ${line} has text between a closing quote and the next ${separatorNames[this.#rules.separator]}; ` +
          'a field that begins with a quote must be in quotes, and its own quotes doubled',
      );
    }
    this.#bytesRead += scanner.next - scanner.start;
    const isBlank = scanner.fieldCount === 1 && scanner.filledCount === 0;
    if (isBlank && this.#columns !== 1) return;
    if (this.#columns === 0) {
      if (isBeforeHeader(scanner, line, this.#rules)) return;
      this.#columns = scanner.fieldCount;
    }
    this.#checkColumns(bytes, scanner, line);
    const columns = this.#columns;
    const missing = Math.max(0, columns - scanner.fieldCount);
    this.#rows.push({
      line,
      text: this.#textOf(bytes, scanner),
      fields: [...fieldTexts(bytes, scanner).slice(0, columns), ...new Array<string>(missing).fill('')],
      isShort: missing > 0,
    });
    this.#bytes += scanner.next - scanner.start;
    const { rowsPerBatch, batchBytesMax } = matchFileLimits;
    if (this.#rows.length >= rowsPerBatch || this.#bytes >= batchBytesMax) this.#close();
  }

  #checkColumns(bytes: Buffer, scanner: CsvScanner, line: number): void {
    const { fieldCount } = scanner;
    if (fieldCount > matchFileLimits.columnsMax) {
      throw new FileRefusal(
        `line ${line} has ${fieldCount} fields, but at most ${matchFileLimits.columnsMax} are allowed`,
      );
    }
    if (fieldCount > this.#columns && hasContentFrom(bytes, scanner, this.#columns)) {
      throw new FileRefusal(
        `line ${line} has ${fieldCount} fields where the header has ${this.#columns}; ` +
          `a field with a ${separatorNames[this.#rules.separator]} in it must be in quotes`,
      );
    }
  }

  /** With as many fields as the header: what was added to the row stands below its name then. */
  #textOf(bytes: Buffer, scanner: CsvScanner): string {
    const { separator } = this.#rules;
    const line = bytes.toString('utf8', scanner.start, scanner.next - 1);
    let text = line.endsWith('\r') ? line.slice(0, -1) : line;
    // Surplus fields are empty, so they hold no separator.
    for (let surplus = scanner.fieldCount - this.#columns; surplus > 0; surplus--) {
      text = text.slice(0, text.lastIndexOf(separator));
    }
    return text + separator.repeat(Math.max(0, this.#columns - scanner.fieldCount));
  }

  #close(): void {
    if (this.#rows.length > 0) this.#batches.push({ rows: this.#rows, bytesRead: this.#bytesRead });
    this.#rows = [];
    this.#bytes = 0;
  }

  takeFull(): readonly CollectedRows[] {
    const full = this.#batches;
    this.#batches = [];
    return full;
  }

  takeAll(): readonly CollectedRows[] {
    this.#close();
    return this.takeFull();
  }
}

/** Whether a field from a column on holds anything but spaces. */
function hasContentFrom(bytes: Buffer, scanner: CsvScanner, column: number): boolean {
  for (let index = scanner.filledCount - 1; index >= 0 && (scanner.columns[index] ?? 0) >= column; index--) {
    const [start, end] = [scanner.starts[index], scanner.ends[index]];
    if (/[^ ]/.test(bytes.toString('latin1', start, end))) return true;
  }
  return false;
}
