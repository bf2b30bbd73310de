/**
 * Columns: a few bytes for each term or document, one after the other, in rows that fill a page each. Readers keep whole
 * columns in memory.
 */
import { type Appendable, append, type BytesTable } from '../../../lmdb.ts';

/** With lmdb's header, a row of this many bytes fills one page. */
const rowBytes = 4_064;

/** @param what its content, for the message about a missing row */
export function readColumn(table: BytesTable, bytes: number, what: string): Uint8Array<ArrayBuffer> {
  const column = new Uint8Array(bytes);
  for (let row = 0; row * rowBytes < bytes; row++) {
    const stored = table.getBinaryFast(row);
    if (stored === undefined) throw new Error(`The search index has no ${what} ${row}.`);
    // Cut lmdb's buffer to the row.
    column.set(stored.subarray(0, stored.length), row * rowBytes);
  }
  return column;
}

/** Writes a column into an empty table. */
export function appendColumn(table: Appendable, column: Uint8Array | Uint16Array): void {
  for (const [row, bytes] of rowsOf(column)) append(table, row, bytes);
}

/** Writes the rows that are not as before. */
export function changeColumn<Column extends Uint8Array | Uint16Array>(
  table: BytesTable,
  before: Column,
  after: Column,
): void {
  const old = new Map(rowsOf(before));
  for (const [row, bytes] of rowsOf(after)) {
    if (old.get(row)?.equals(bytes) !== true) table.putSync(row, bytes);
  }
}

function* rowsOf({ buffer, byteOffset, byteLength }: Uint8Array | Uint16Array): Generator<[number, Buffer]> {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  for (let row = 0; row * rowBytes < bytes.length; row++) {
    yield [row, bytes.subarray(row * rowBytes, (row + 1) * rowBytes)];
  }
}
