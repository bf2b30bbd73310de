/** Writes a new row file (layout.ts): its rows as they come, then the lists, then the header. */
import { closeSync, openSync } from 'node:fs';
import { byKind } from '../../lei/identifier-kinds.ts';
import type { Appendable } from '../../lmdb.ts';
import { writeAll } from '../../publication/files.ts';
import { BlockWriter } from '../block-writer.ts';
import {
  entryBytes,
  headerBytes,
  packHeader,
  placeUnit,
  roomFor,
  type StoredList,
  unitsFor,
} from './layout.ts';
import { listRoom, RowList } from './list.ts';

export class RowFileWriter<Table extends string> {
  readonly #file: number;
  readonly #rows: BlockWriter;
  /** Rows are appended here: their numbers ascend within a table. */
  readonly tables: Readonly<Record<Table, Appendable>>;
  readonly #tables: readonly Table[];
  readonly #lists: Readonly<Record<Table, RowList>>;

  /** @param path of the file, which is replaced @param tables their names; readers give them in the same order */
  constructor(path: string, tables: readonly Table[]) {
    this.#file = openSync(path, 'w');
    this.#rows = new BlockWriter(this.#file, headerBytes(tables.length));
    this.#tables = tables;
    this.#lists = byKind(tables, () => new RowList());
    this.tables = byKind(tables, (table) => ({
      putSync: (row, bytes) => this.#append(this.#lists[table], Number(row), bytes),
    }));
  }

  #append(list: RowList, row: number, bytes: Uint8Array): void {
    const room = roomFor(bytes.length);
    const place = this.#rows.end / placeUnit;
    const at = this.#rows.reserve(room * placeUnit);
    const { block } = this.#rows;
    block.set(bytes, at);
    // Free bytes are the same whenever the same is written.
    block.fill(0, at + bytes.length, at + room * placeUnit);
    list.set(row, place, bytes.length, room);
  }

  /** Makes the file complete, though not yet durable, and closes it. @returns the checksum of its header */
  finish(): number {
    this.#rows.flush();
    let place = this.#rows.end / placeUnit;
    const lists: StoredList[] = [];
    for (const table of this.#tables) {
      const list = this.#lists[table];
      const room = listRoom(list.count);
      writeAll(this.#file, list.bytes(room), place * placeUnit);
      lists.push({ place, rows: list.count, room });
      place += unitsFor(room * entryBytes);
    }
    const { header, check } = packHeader(lists);
    writeAll(this.#file, header, 0);
    this.close();
    return check;
  }

  close(): void {
    closeSync(this.#file);
  }
}
