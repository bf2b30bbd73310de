/** Reads a row file (layout.ts) through a mapping: a row costs one look at its list and one copy. */
import { withRoom } from '../../bytes/memory.ts';
import { DamagedFile } from '../../errors.ts';
import { byKind } from '../../lei/identifier-kinds.ts';
import type { ReadingPattern } from '../../lmdb.ts';
import { MappedFile } from '../../system/mapped-file.ts';
import { entryAt, entryBytes, headerBytes, parseHeader, placeUnit, type StoredList } from './layout.ts';

/** The rows of one table. */
export interface RowTable {
  /** Makes a row the current one. @returns its bytes; 0 if there is no such row, and the current one may be lost */
  read(row: number): number;
  /** The current row, in memory that may be longer. The next read of the table overwrites it. */
  readonly bytes: Buffer;
  /** One more than the greatest number of a row. */
  readonly count: number;
}

/** A copy of a row; null if there is none. */
export function copyOfRow(rows: RowTable, row: number): Buffer | null {
  const length = rows.read(row);
  return length === 0 ? null : Buffer.from(rows.bytes.subarray(0, length));
}

export class RowFile<Table extends string> {
  readonly tables: Readonly<Record<Table, RowTable>>;
  /** The checksum of the header. */
  readonly check: number;
  readonly #file: MappedFile;

  /**
   * @param tables as they were written
   * @throws the system's error, and DamagedFile if its header is not that of such a file
   */
  constructor(path: string, tables: readonly Table[], pattern: ReadingPattern) {
    const file = new MappedFile(path, pattern);
    const header = Buffer.alloc(headerBytes(tables.length));
    if (file.length >= header.length) file.copy(0, header.length, header);
    const parsed = parseHeader(header, tables.length);
    if (parsed === null) {
      file.close();
      throw new DamagedFile(path, 'its header is not the written one');
    }
    this.#file = file;
    this.check = parsed.check;
    this.tables = byKind(tables, (table) => new MappedRows(file, parsed.lists[tables.indexOf(table)]));
  }

  close(): void {
    this.#file.close();
  }
}

const firstBytes = 8 * 1024;

class MappedRows implements RowTable {
  readonly count: number;
  bytes = Buffer.allocUnsafeSlow(firstBytes);
  readonly #file: MappedFile;
  readonly #list: number;

  constructor(file: MappedFile, list: StoredList | undefined) {
    this.#file = file;
    this.#list = (list?.place ?? 0) * placeUnit;
    this.count = list?.rows ?? 0;
  }

  read(row: number): number {
    if (row >= this.count) return 0;
    const file = this.#file;
    const entry = this.#list + row * entryBytes;
    const length = file.uint32At(entry + entryAt.bytes);
    if (length === 0) return 0;
    const at = file.uint32At(entry + entryAt.place) * placeUnit;
    // Check first: a damaged length could ask for all memory of the machine.
    if (at + length > file.length)
      throw new DamagedFile(file.path, `row ${row} states ${length} bytes at ${at}`);
    this.bytes = withRoom(this.bytes, 0, length, Buffer.allocUnsafeSlow);
    file.copy(at, length, this.bytes);
    return length;
  }
}
