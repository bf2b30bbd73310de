/** Reads the rows of a CSV file in batches, in bounded memory. */
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { ExpectedFailure } from '../errors.ts';
import { CsvRows, loneReturns } from '../loader/parse/csv/rows.ts';
import { type CsvScanner, fieldText, fieldTexts } from '../loader/parse/csv/scanner.ts';
import { FileRefusal } from '../loader/parse/file-reader.ts';
import { type BinaryFormat, binaryFormatOf } from '../loader/parse/input/binary-formats.ts';

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
export type Separator = (typeof separators)[number];

/** One row of the file. */
export interface FileRow {
  /** As in the file, without its line end. */
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

/** What the beginning of a file says of its rows. */
interface FileBeginning {
  readonly separator: Separator;
  /** The fields of the first row; none of a file whose first row is missing, malformed or too long. */
  readonly columns: readonly string[];
}

/**
 * The separator is the one by which the first row has the sought columns; otherwise the one by which it has the most.
 * @throws ExpectedFailure naming the format of a file that is not CSV
 */
export function readBeginning(
  path: string,
  isHeader: (columns: readonly string[]) => boolean,
): FileBeginning {
  const beginning = beginningOf(path);
  return refusing(() => {
    refuseBinaryFormats(beginning);
    const read = separators.map((separator) => ({ separator, columns: firstRow(beginning, separator) }));
    const [most] = read.toSorted((one, other) => other.columns.length - one.columns.length);
    return read.find(({ columns }) => isHeader(columns)) ?? most ?? { separator: ',', columns: [] };
  });
}

/**
 * Batches of at least one row. A blank line is a row of a file with one column, and none of others. The first row of the first batch is the header.
 * @throws ExpectedFailure naming the malformed line; the system's error if the file can't be read
 */
export async function* readBatches(
  path: string,
  separator: Separator,
  signal: AbortSignal,
): AsyncGenerator<RowBatch> {
  const collector = new RowCollector(separator);
  const csv = new CsvRows(
    matchFileLimits.columnsMax,
    (bytes, scanner, line, malformed) => collector.add(bytes, scanner, line, malformed),
    { withBlanks: true, separator: byteOf(separator) },
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

function firstRow(beginning: Buffer, separator: Separator): readonly string[] {
  const rows: (readonly string[])[] = [];
  const add = (bytes: Buffer, scanner: CsvScanner, _: number, malformed: boolean) => {
    if (rows.length > 0) return;
    refuseLoneReturns(bytes, scanner);
    rows.push(malformed ? [] : fieldTexts(bytes, scanner));
  };
  const csv = new CsvRows(matchFileLimits.columnsMax, add, { separator: byteOf(separator) });
  csv.push(beginning);
  if (rows.length > 0) return rows[0] ?? [];
  if (beginning.length < matchFileLimits.beginningBytes) csv.end();
  else if (/^[^\n]*\r(?!\n)/.test(beginning.toString('latin1'))) throw new FileRefusal(loneReturns);
  return rows[0] ?? [];
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
  readonly #separator: Separator;
  #batches: CollectedRows[] = [];
  #rows: FileRow[] = [];
  /** Of these rows, and of all so far. */
  #bytes = 0;
  #bytesRead = 0;
  #columns = 0;

  constructor(separator: Separator) {
    this.#separator = separator;
  }

  add(bytes: Buffer, scanner: CsvScanner, line: number, malformed: boolean): void {
    if (malformed) {
      throw new FileRefusal(
        `line ${line} has text between a closing quote and the next ${separatorNames[this.#separator]}; ` +
          'a field that begins with a quote must be in quotes, and its own quotes doubled',
      );
    }
    this.#bytesRead += scanner.next - scanner.start;
    const isBlank = scanner.fieldCount === 1 && scanner.filledCount === 0;
    if (isBlank && this.#columns !== 1) return;
    this.#checkColumns(scanner, line);
    const text = bytes.toString('utf8', scanner.start, scanner.next - 1);
    const missing = this.#columns - scanner.fieldCount;
    this.#rows.push({
      text: (text.endsWith('\r') ? text.slice(0, -1) : text) + this.#separator.repeat(missing),
      fields: [...fieldTexts(bytes, scanner), ...new Array<string>(missing).fill('')],
      isShort: missing > 0,
    });
    this.#bytes += scanner.next - scanner.start;
    const { rowsPerBatch, batchBytesMax } = matchFileLimits;
    if (this.#rows.length >= rowsPerBatch || this.#bytes >= batchBytesMax) this.#close();
  }

  #checkColumns({ fieldCount }: CsvScanner, line: number): void {
    if (this.#columns === 0) this.#columns = fieldCount;
    if (fieldCount > matchFileLimits.columnsMax) {
      throw new FileRefusal(
        `line ${line} has ${fieldCount} fields, but at most ${matchFileLimits.columnsMax} are allowed`,
      );
    }
    if (fieldCount > this.#columns) {
      throw new FileRefusal(
        `line ${line} has ${fieldCount} fields where the header has ${this.#columns}; ` +
          `a field with a ${separatorNames[this.#separator]} in it must be in quotes`,
      );
    }
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
