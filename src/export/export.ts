/** Writes the companies of a publication as a file or to standard output, in bounded memory. */
import { writeFile } from 'node:fs/promises';
import type { TSchema } from '@sinclair/typebox';
import { byteOrderMark } from '../csv-cells.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { isOwnFile, writeOutput } from './output.ts';
import { parquet } from './parquet.ts';
import { type ExportRow, type RowOptions, rowSchema, rowsOf } from './rows.ts';
import { csv, ndjson } from './text-formats.ts';

/**
 * Turns rows into the bytes of a file, piece by piece.
 * @param schema of the rows' JSON
 * @param notice the licence texts; a format without a place for them leaves them out
 * @param safeCells whether CSV has an apostrophe before texts that a spreadsheet would run
 */
type WriteFormat = (
  rows: Iterable<ExportRow>,
  schema: TSchema,
  notice: string,
  safeCells: boolean,
) => Iterable<Uint8Array>;

const formats = { ndjson, csv, parquet } satisfies Record<string, WriteFormat>;
export type FormatName = keyof typeof formats;
export const formatNames: readonly FormatName[] = ['ndjson', 'csv', 'parquet'];

export interface ExportOptions extends RowOptions {
  readonly format: FormatName;
  /** Path of the file; null for standard output. */
  readonly path: string | null;
  /** The licence texts, which must go with the data. */
  readonly notice: string;
  /** For CSV. */
  readonly safeCells: boolean;
  /** Whether the file begins with a byte order mark; only for CSV. */
  readonly byteOrderMark: boolean;
}

/**
 * A file appears under its name only when it is complete; its notices are in a file beside it. A device, a pipe or a
 * link has none beside it.
 * @param companies the rows, in their order
 * @param progress receives the number of rows so far
 * @throws the system's error if the output can't be written; the signal's reason if it is aborted
 */
export async function exportCompanies(
  publication: PublicationReader,
  companies: Uint32Array,
  options: ExportOptions,
  progress: (companies: number) => void,
  signal: AbortSignal,
): Promise<{ readonly companies: number; readonly bytes: number }> {
  const done = { companies: 0, bytes: 0 };
  const rows = counted(rowsOf(publication, companies, options), done, progress);
  const { format, path, notice, safeCells } = options;
  const pieces = formats[format](rows, rowSchema(options), notice, safeCells);
  const bytes = measured(options.byteOrderMark ? withByteOrderMark(pieces) : pieces, done);
  await writeOutput(bytes, path, signal);
  if (path !== null && isOwnFile(path)) await writeFile(`${path}.notice.txt`, `${notice}\n`);
  return done;
}

function* withByteOrderMark(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  yield Buffer.from(byteOrderMark);
  yield* pieces;
}

type Done = { companies: number; bytes: number };

function* counted(
  rows: Iterable<ExportRow>,
  done: Done,
  progress: (companies: number) => void,
): Generator<ExportRow> {
  for (const row of rows) {
    yield row;
    progress(++done.companies);
  }
}

function* measured(pieces: Iterable<Uint8Array>, done: Done): Generator<Uint8Array> {
  for (const piece of pieces) {
    done.bytes += piece.length;
    yield piece;
  }
}
