/** Writes CSV after RFC 4180, with a line of column names. An empty cell means an absent value. */
import type { TSchema } from '@sinclair/typebox';
import { type Cell, cellsReader, tableColumns } from './columns.ts';
import { pieces } from './pieces.ts';
import { parsed, type Row } from './rows.ts';

export function* csv(rows: Iterable<Row>, schema: TSchema): Generator<Uint8Array> {
  yield* pieces(lines(rows, schema));
}

function* lines(rows: Iterable<Row>, schema: TSchema): Generator<Uint8Array> {
  const columns = tableColumns(schema);
  const cellsOf = cellsReader(columns);
  yield line(columns.map(({ name }) => name));
  for (const row of rows) yield line(cellsOf(parsed(row)));
}

function line(cells: readonly Cell[]): Buffer {
  return Buffer.from(`${cells.map(csvField).join(',')}\r\n`);
}

/** An empty text is quoted, to distinguish it from an absent value. */
export function csvField(cell: Cell): string {
  if (cell === null) return '';
  const text = String(cell);
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
