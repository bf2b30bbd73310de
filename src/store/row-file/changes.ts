/**
 * Changes a copy of a row file (layout.ts): a row keeps its place while it fits there. One that has outgrown its room takes a free
 * part, or goes to the end.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, renameSync } from 'node:fs';
import { withRoom } from '../../bytes/memory.ts';
import { DamagedFile } from '../../errors.ts';
import { byKind } from '../../lei/identifier-kinds.ts';
import { append } from '../../lmdb.ts';
import { unfinished, writeAll } from '../../publication/files.ts';
import { type FilePart, FreeSpace, packPart } from './free-space.ts';
import {
  entryBytes,
  headerBytes,
  packHeader,
  parseHeader,
  placeUnit,
  roomFor,
  type StoredList,
  unitsFor,
} from './layout.ts';
import { listRoom, RowList } from './list.ts';
import type { RowTable } from './rows.ts';
import { RowFileWriter } from './writer.ts';

/** The rows of a table that may be changed. They are read as they are now. */
export interface ChangedRows extends RowTable {
  put(row: number, bytes: Uint8Array): void;
  remove(row: number): void;
}

/** The share of a file that may be free before it is written anew. */
const freeShareMost = 0.25;

export class RowFileChanges<Table extends string> {
  readonly tables: Readonly<Record<Table, ChangedRows>>;
  readonly #path: string;
  readonly #file: number;
  readonly #names: readonly Table[];
  readonly #tables: Readonly<Record<Table, ChangedTable>>;
  /** Made when the first row moves. */
  #free: FreeSpace | null = null;

  /** @param tables as they were written @throws the system's error, and DamagedFile if it is no such file */
  constructor(path: string, tables: readonly Table[]) {
    this.#path = path;
    this.#names = tables;
    this.#file = openSync(path, 'r+');
    const header = Buffer.alloc(headerBytes(tables.length));
    readSync(this.#file, header, 0, header.length, 0);
    const parsed = parseHeader(header, tables.length);
    if (parsed === null) {
      this.close();
      throw new DamagedFile(path, 'its header is not the written one');
    }
    const space = () => this.#space();
    this.#tables = byKind(
      tables,
      (table) => new ChangedTable(this.#file, parsed.lists[tables.indexOf(table)], space),
    );
    this.tables = this.#tables;
  }

  #space(): FreeSpace {
    this.#free ??= new FreeSpace(this.#used());
    return this.#free;
  }

  #used(): number[] {
    const used: number[] = [];
    packPart({ place: 0, room: unitsFor(headerBytes(this.#names.length)) }, used);
    for (const table of this.#all()) table.packParts(used);
    return used;
  }

  #all(): ChangedTable[] {
    return this.#names.map((name) => this.#tables[name]);
  }

  /** Makes the file complete, though not yet durable. @returns the checksum of its header */
  finish(): number {
    const { header, check } = packHeader(this.#all().map((table) => table.finish()));
    writeAll(this.#file, header, 0);
    this.#extend();
    const isSparse = this.#free !== null && this.#freeUnits() > this.#free.end * freeShareMost;
    return isSparse ? this.#rewrite() : check;
  }

  /** The file holds the whole room of its last row. */
  #extend(): void {
    const bytes = (this.#free?.end ?? 0) * placeUnit;
    if (fstatSync(this.#file).size < bytes) ftruncateSync(this.#file, bytes);
  }

  #freeUnits(): number {
    const used = this.#all().reduce((sum, table) => sum + table.usedUnits(), 0);
    return this.#space().end - used;
  }

  #rewrite(): number {
    const path = unfinished(this.#path);
    const writer = new RowFileWriter(path, this.#names);
    for (const name of this.#names) {
      const rows = this.tables[name];
      for (let row = 0; row < rows.count; row++) {
        const length = rows.read(row);
        if (length > 0) append(writer.tables[name], row, rows.bytes.subarray(0, length));
      }
    }
    const check = writer.finish();
    renameSync(path, this.#path);
    return check;
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Fills the first bytes of a buffer. @throws if the file ends before */
function readAll(file: number, into: Buffer, length: number, at: number): void {
  const bytes = readSync(file, into, 0, length, at);
  if (bytes < length) throw new Error(`A file of rows ends before byte ${at + length}.`);
}

/** Rows whose entries are written together. */
const blockRows = 512;

class ChangedTable implements ChangedRows {
  bytes = Buffer.allocUnsafeSlow(8 * 1024);
  readonly #file: number;
  readonly #rows = new RowList();
  readonly #space: () => FreeSpace;
  /** Where the list stands. */
  #place: number;
  #room: number;
  /** The blocks of its entries that have changed. */
  readonly #changed = new Set<number>();

  constructor(file: number, list: StoredList = { place: 0, rows: 0, room: 0 }, space: () => FreeSpace) {
    this.#file = file;
    this.#space = space;
    this.#place = list.place;
    this.#room = list.room;
    const entries = Buffer.alloc(list.rows * entryBytes);
    readAll(file, entries, entries.length, list.place * placeUnit);
    this.#rows.load(entries, list.rows);
  }

  get count(): number {
    return this.#rows.count;
  }

  read(row: number): number {
    const [place, length] = this.#rows.get(row);
    if (length === 0) return 0;
    this.bytes = withRoom(this.bytes, 0, length, Buffer.allocUnsafeSlow);
    readAll(this.#file, this.bytes, length, place * placeUnit);
    return length;
  }

  put(row: number, bytes: Uint8Array): void {
    const [place, , room] = this.#rows.get(row);
    const { length } = bytes;
    if (unitsFor(length) <= room) {
      this.#write(row, place, bytes, room);
      return;
    }
    this.remove(row);
    const more = roomFor(length);
    this.#write(row, this.#space().take(more), bytes, more);
  }

  remove(row: number): void {
    const [place, length, room] = this.#rows.get(row);
    if (length === 0) return;
    this.#space().give({ place, room });
    this.#note(row, 0, 0, 0);
  }

  #write(row: number, place: number, bytes: Uint8Array, room: number): void {
    writeAll(this.#file, bytes, place * placeUnit);
    this.#note(row, place, bytes.length, room);
  }

  #note(row: number, place: number, length: number, room: number): void {
    this.#rows.set(row, place, length, room);
    this.#changed.add(Math.floor(row / blockRows));
  }

  /** Appends what the rows and the list take. */
  packParts(into: number[]): void {
    packPart(this.#list(), into);
    this.#rows.packParts(into);
  }

  #list(): FilePart {
    return { place: this.#place, room: unitsFor(this.#room * entryBytes) };
  }

  /** Units of the bytes of all rows and of the list. */
  usedUnits(): number {
    let used = this.#list().room;
    for (let row = 0; row < this.count; row++) used += unitsFor(this.#rows.get(row)[1]);
    return used;
  }

  /** Writes what has changed of the list. */
  finish(): StoredList {
    const { count } = this;
    if (count > this.#room) this.#move();
    const entries = this.#rows.bytes(this.#room);
    const from = this.#place * placeUnit;
    for (const block of this.#changed) {
      const at = block * blockRows * entryBytes;
      writeAll(this.#file, entries.subarray(at, at + blockRows * entryBytes), from + at);
    }
    return { place: this.#place, rows: count, room: this.#room };
  }

  /** The list has outgrown its room. */
  #move(): void {
    const space = this.#space();
    space.give(this.#list());
    this.#room = listRoom(this.count);
    this.#place = space.take(unitsFor(this.#room * entryBytes));
    for (let block = 0; block * blockRows < this.#room; block++) this.#changed.add(block);
  }
}
