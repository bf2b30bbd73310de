/** Reads the rows of a CSV file in batches, in bounded memory. */
import { createReadStream } from 'node:fs';
import { type CsvScanner, fieldTexts } from '../loader/parse/csv/scanner.ts';
import { FileRefusal } from '../loader/parse/file-reader.ts';
import { matchFileLimits } from './limits.ts';
import {
  type FileRules,
  hasContentFrom,
  isBeforeHeader,
  readerOf,
  refusing,
  separatorNames,
} from './read-beginning.ts';

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
  /** Bytes up to the end of these rows, in UTF-8. */
  readonly bytesRead: number;
}

export interface RowBatch {
  readonly rows: readonly FileRow[];
  /** Bytes of the file up to the end of these rows; about as many if it is not in UTF-8. */
  readonly bytesRead: number;
  /** Whether the file begins with a byte order mark. */
  readonly hasByteOrderMark: boolean;
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
  const reader = readerOf(
    rules,
    (bytes, scanner, line, malformed) => collector.add(bytes, scanner, line, malformed),
    { withBlanks: true },
  );
  const batchOf = ({ rows, bytesRead }: CollectedRows) => ({
    rows,
    bytesRead: Math.round(bytesRead * reader.bytesPerByte),
    hasByteOrderMark: reader.hasByteOrderMark,
  });
  for await (const chunk of createReadStream(path, { highWaterMark: matchFileLimits.chunkBytes, signal })) {
    refusing(() => reader.push(chunk));
    yield* collector.takeFull().map(batchOf);
  }
  refusing(() => reader.end());
  yield* collector.takeAll().map(batchOf);
}

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
      if (isBeforeHeader(bytes, scanner, line, this.#rules)) return;
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
