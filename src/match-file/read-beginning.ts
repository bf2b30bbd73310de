/** Reads the beginning of a CSV file, which says how its rows are read. */
import { closeSync, openSync, readSync } from 'node:fs';
import { ExpectedFailure } from '../errors.ts';
import { CsvRows, loneReturns, type RowHandler } from '../loader/parse/csv/rows.ts';
import { type CsvScanner, fieldTexts } from '../loader/parse/csv/scanner.ts';
import { FileRefusal } from '../loader/parse/file-reader.ts';
import { type BinaryFormat, binaryFormatOf } from '../loader/parse/input/binary-formats.ts';
import { quoted } from '../terminal-text.ts';
import type { Header } from './columns.ts';
import { beginningText, EncodedRows, encodingOf } from './encoded-rows.ts';
import { matchFileLimits } from './limits.ts';

const separators = [',', ';', '\t', '|'] as const;
/** Between two fields. Spreadsheets write semicolons where a comma is the decimal sign, and tabs. */
type Separator = (typeof separators)[number];

/** How the rows of a file are read. */
export interface FileRules {
  /** Its name in the Encoding Standard, such as `utf-8`. */
  readonly encoding: string;
  readonly separator: Separator;
  /** True if the first line names the separator, as in `sep=;`, and is no row: Excel reads and hides such a line. */
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
 * @param statedEncoding null for UTF-8; the byte order mark of another one overrules it
 * @throws ExpectedFailure naming the format of a file that is not CSV
 */
export function readBeginning(
  path: string,
  statedEncoding: string | null,
  isHeader: (columns: readonly string[]) => boolean,
): FileBeginning {
  const beginning = beginningOf(path);
  return refusing(() => {
    refuseBinaryFormats(beginning);
    const encoding = encodingOf(beginning, statedEncoding);
    const named = namedSeparator(beginning, encoding);
    const read = (named === null ? separators : [named]).map((separator) => {
      const rules = { encoding, separator, hasSeparatorLine: named !== null };
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
  if (format !== null && format !== 'UTF-16')
    throw new FileRefusal(`is ${adviceOn[format] ?? `compressed with ${format}; unpack it first`}`);
}

const adviceOn: Readonly<Partial<Record<BinaryFormat, string>>> = {
  zip: 'a ZIP archive, such as an Excel workbook; save the sheet as CSV in UTF-8',
  Excel: 'an Excel workbook; save the sheet as CSV in UTF-8',
};

/** A first line that names the separator; some programs put it in quotes. */
const separatorLine = /^"?sep=(.)"?(?:\r?\n|$)/i;

/** Null for a file whose first line is a row. */
function namedSeparator(beginning: Buffer, encoding: string): Separator | null {
  const named = separatorLine.exec(beginningText(beginning.subarray(0, 32), encoding))?.[1];
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
    if (isFound || isBeforeHeader(bytes, scanner, line, rules)) return;
    isFound = true;
    const columns = fieldTexts(bytes, scanner);
    refuseNuls(columns, line);
    refuseLoneReturns(columns);
    if (!malformed) header = { columns, line };
  };
  const reader = readerOf(rules, add);
  reader.push(beginning);
  if (isFound) return header;
  if (beginning.length < matchFileLimits.beginningBytes) reader.end();
  else if (/^[^\n]*\r(?!\n)/.test(beginningText(beginning, rules.encoding)))
    throw new FileRefusal(loneReturns);
  return header;
}

/** True for rows that stand before the header: the line that names the separator, and rows of empty fields. */
export function isBeforeHeader(
  bytes: Buffer,
  scanner: CsvScanner,
  line: number,
  { hasSeparatorLine }: FileRules,
): boolean {
  return (hasSeparatorLine && line === 1) || !hasContentFrom(bytes, scanner, 0);
}

/** True if a field from a column on holds anything but spaces. */
export function hasContentFrom(bytes: Buffer, scanner: CsvScanner, column: number): boolean {
  for (let index = scanner.filledCount - 1; index >= 0 && (scanner.columns[index] ?? 0) >= column; index--) {
    const [start, end] = [scanner.starts[index], scanner.ends[index]];
    if (/[^ ]/.test(bytes.toString('latin1', start, end))) return true;
  }
  return false;
}

/** Takes the bytes of a file and calls the handler with its rows. */
export function readerOf(
  { encoding, separator }: FileRules,
  handle: RowHandler,
  { withBlanks = false } = {},
): EncodedRows {
  const encodingAdvice =
    'save the file as CSV in UTF-8, or state its encoding: --encoding windows-1252 for CSV of Excel in Western Europe';
  const rules = { withBlanks, separator: separator.charCodeAt(0), encodingAdvice };
  return new EncodedRows(new CsvRows(matchFileLimits.columnsMax, handle, rules), encoding);
}

/** With such line ends all rows are columns of the header. */
function refuseLoneReturns(columns: readonly string[]): void {
  // A line break of a quoted name of a column is LF or CRLF.
  if (columns.some((column) => /\r(?!\n)/.test(column))) throw new FileRefusal(loneReturns);
}

/** Otherwise the message about a missing column would show them as escapes. */
function refuseNuls(columns: readonly string[], line: number): void {
  if (!columns.some((column) => column.includes('\0'))) return;
  throw new FileRefusal(
    `line ${line} has NUL characters; UTF-16 without a byte order mark is read with --encoding utf-16le`,
  );
}

export function refusing<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof FileRefusal ? new ExpectedFailure('bad-csv', error.message) : error;
  }
}

export const separatorNames: Readonly<Record<Separator, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'bar',
};
