/** Writes the formats of text: newline-delimited JSON and CSV. */
import type { TSchema } from '@sinclair/typebox';
import { type CellValue, csvField, safeCsvField } from '../csv-cells.ts';
import { cellsReader, tableColumns } from './columns.ts';
import { type ExportRow, parsed } from './rows.ts';

/** Newline-delimited JSON: each line is the `data` of a look-up. */
export function ndjson(rows: Iterable<ExportRow>): Generator<Uint8Array> {
  return pieces(jsonLines(rows));
}

const lineFeed = Buffer.from('\n');

function* jsonLines(rows: Iterable<ExportRow>): Generator<Uint8Array> {
  for (const row of rows) {
    yield row;
    yield lineFeed;
  }
}

/** CSV after RFC 4180, with a line of column names. An empty cell means an absent value. */
export function csv(
  rows: Iterable<ExportRow>,
  schema: TSchema,
  _notice: string,
  safeCells: boolean,
): Generator<Uint8Array> {
  return pieces(csvLines(rows, schema, safeCells ? safeCsvField : csvField));
}

function* csvLines(
  rows: Iterable<ExportRow>,
  schema: TSchema,
  field: typeof csvField,
): Generator<Uint8Array> {
  const columns = tableColumns(schema);
  const cellsOf = cellsReader(columns);
  yield csvLine(
    columns.map(({ name }) => name),
    field,
  );
  for (const row of rows) yield csvLine(cellsOf(parsed(row)), field);
}

function csvLine(cells: readonly CellValue[], field: typeof csvField): Buffer {
  return Buffer.from(`${cells.map((cell) => field(cell)).join(',')}\r\n`);
}

const pieceBytes = 256 * 1024;

/**
 * Joins small parts to pieces that are large enough for a write.
 * @param parts may each be overwritten once the next one is requested
 */
function* pieces(parts: Iterable<Uint8Array>): Generator<Uint8Array> {
  let piece = Buffer.allocUnsafe(pieceBytes);
  let length = 0;
  for (const part of parts) {
    if (length + part.length > piece.length) {
      yield piece.subarray(0, length);
      // Start a new buffer: a piece is written while the next one is filled.
      piece = Buffer.allocUnsafe(Math.max(pieceBytes, part.length));
      length = 0;
    }
    piece.set(part, length);
    length += part.length;
  }
  yield piece.subarray(0, length);
}
