/**
 * Changes a copy of a company file (company-file.ts) to that of the next publication: rows keep their place, and only
 * the bytes of changed rows are written. A row that has outgrown its room takes a free one, or goes to the end.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { bucketOf, checksum, hashItems } from '../bytes/hash.ts';
import { withRoom } from '../bytes/memory.ts';
import { writeAll } from '../publication/files.ts';
import type { ColumnTexts } from './columns/codes.ts';
import { parseTexts } from './columns/column-reader.ts';
import { ColumnWriter } from './columns/column-writer.ts';
import { leiLength } from './company-fields.ts';
import {
  cellBytes,
  cellsOfCheck,
  cellsPerCheck,
  checkBytes,
  checksFrom,
  columnsFrom,
  entitiesMost,
  freeListOf,
  freeLists,
  headerAt,
  headerBytes,
  nextFreeAt,
  placeBytes,
  placesFrom,
  placeUnit,
  roomFor,
  rowAt,
  rowHeadBytes,
  rowsFrom,
} from './company-file-layout.ts';
import {
  type CompanyRow,
  type CompanyRowWriter,
  contentBytes,
  packRow,
  withoutRow,
  withRow,
  writeHeader,
  writeTexts,
} from './company-file-writer.ts';
import type { EntityNumber } from './publication-reader.ts';

/** The publication that a copy becomes the file of. */
interface ChangesPlan {
  readonly id: string;
  readonly lastEntity: EntityNumber;
  /** The sum of the rows of the copy (company-file-writer.ts). */
  readonly sum: number;
}

/** Share of the rows' bytes that may be free before the file is rewritten. */
const freeShareMax = 0.25;
/** The rest of a free row becomes another free row from this size on: smaller ones fit nothing but LEIs. */
const restBytesMin = 128;
/** The number of the largest free rows among which a large enough one is looked for. */
const largeLookedMax = 16;

export class CompanyFileChanges implements CompanyRowWriter {
  readonly #file: number;
  readonly #id: string;
  readonly #lastEntity: EntityNumber;
  readonly #header = Buffer.alloc(headerBytes);
  readonly #cells: number;
  /** The offset for the next row at the end. */
  #end: number;
  #sum: number;
  #row = Buffer.allocUnsafeSlow(4096);
  readonly #head = Buffer.alloc(rowHeadBytes);
  readonly #numbers = Buffer.alloc(4);
  readonly #columns: ColumnWriter;
  /** The checksums of cells that have changed. */
  readonly #outdated = new Set<number>();

  /**
   * @param path a complete copy of the file of another publication, of this version
   * @param id of the publication whose file it becomes
   * @param sum of the rows of the copy
   */
  constructor(path: string, { id, lastEntity, sum }: ChangesPlan) {
    this.#id = id;
    this.#lastEntity = lastEntity;
    this.#sum = sum;
    this.#file = openSync(path, 'r+');
    this.#read(this.#header, 0);
    this.#cells = this.#header.readUInt32LE(headerAt.cells);
    this.#end = fstatSync(this.#file).size;
    const before = this.#header.readUInt32LE(headerAt.lastEntity);
    this.#columns = new ColumnWriter(this.#file, columnsFrom(this.#cells), before, this.#texts());
  }

  /** Whether the file can become that of the publication; otherwise it must be rewritten. */
  get fits(): boolean {
    const free = this.#header.readUInt32LE(headerAt.left) * placeUnit;
    return (
      this.#lastEntity <= entitiesMost(this.#cells) &&
      free <= (this.#end - rowsFrom(this.#cells)) * freeShareMax
    );
  }

  put(row: CompanyRow): void {
    this.#columns.put(row.entity, row.record);
    const bytes = contentBytes(row);
    const place = this.#number(this.#placeAt(row.entity));
    const before = place === 0 ? null : this.#headAt(place);
    if (before !== null) this.#sum = withoutRow(this.#sum, before.check);
    // A row may keep its place with less free room than a new row gets.
    if (before !== null && rowHeadBytes + bytes <= before.room) {
      this.#write(row, place, before.room);
      return;
    }
    const taken = this.#takeRoom(roomFor(bytes));
    this.#write(row, taken.place, taken.room);
    this.#point(row, place, taken.place);
    if (before !== null) this.#free(place, before.room);
  }

  #headAt(place: number): { readonly room: number; readonly check: number; readonly next: number } {
    this.#read(this.#head, place * placeUnit);
    return {
      room: this.#head.readUInt32LE(rowAt.room),
      check: this.#head.readUInt32LE(rowAt.check),
      next: this.#head.readUInt32LE(nextFreeAt),
    };
  }

  /** Room in a free row of this size, else in the smallest larger one, else at the end. */
  #takeRoom(needed: number): { readonly place: number; readonly room: number } {
    for (let list = freeListOf(needed); list < freeLists; list++) {
      const found = this.#takeFree(list, needed);
      if (found === null) continue;
      const rest = found.room - needed;
      if (rest < restBytesMin) return found;
      this.#free(found.place + needed / placeUnit, rest);
      return { place: found.place, room: needed };
    }
    const at = this.#end;
    this.#end += needed;
    return { place: at / placeUnit, room: needed };
  }

  /** Takes the first row of a list that is large enough out of the list. */
  #takeFree(list: number, needed: number): { readonly place: number; readonly room: number } | null {
    let linkAt = 0;
    let place = this.#header.readUInt32LE(headerAt.free + 4 * list);
    for (let looked = 0; place !== 0 && looked < largeLookedMax; looked++) {
      const { room, next } = this.#headAt(place);
      if (room >= needed) {
        if (linkAt === 0) this.#header.writeUInt32LE(next, headerAt.free + 4 * list);
        else this.#putNumber(linkAt, next);
        this.#countFree(-room);
        return { place, room };
      }
      linkAt = place * placeUnit + nextFreeAt;
      place = next;
    }
    return null;
  }

  /** Adds an unused row to its list. It has no entity number, so that even a damaged place can't lead to it. */
  #free(place: number, room: number): void {
    const listAt = headerAt.free + 4 * freeListOf(room);
    this.#head.fill(0);
    this.#head.writeUInt32LE(this.#header.readUInt32LE(listAt), nextFreeAt);
    this.#head.writeUInt32LE(room, rowAt.room);
    writeAll(this.#file, this.#head, place * placeUnit);
    this.#header.writeUInt32LE(place, listAt);
    this.#countFree(room);
  }

  #countFree(bytes: number): void {
    this.#header.writeUInt32LE(this.#header.readUInt32LE(headerAt.left) + bytes / placeUnit, headerAt.left);
  }

  #write(row: CompanyRow, place: number, room: number): void {
    this.#row = withRoom(this.#row, 0, room, Buffer.allocUnsafeSlow);
    this.#sum = withRow(this.#sum, packRow(row, this.#row, 0, room));
    writeAll(this.#file, this.#row.subarray(0, room), place * placeUnit);
  }

  #texts(): ColumnTexts {
    const bytes = Buffer.alloc(this.#header.readUInt32LE(headerAt.textsBytes));
    this.#read(bytes, this.#header.readUInt32LE(headerAt.texts) * placeUnit);
    return parseTexts(bytes.toString());
  }

  /** Points the entity's number and the cell of its LEI to the new place. */
  #point({ entity, record }: CompanyRow, before: number, place: number): void {
    this.#putNumber(this.#placeAt(entity), place);
    const hash = hashItems(record.bytes, 0, leiLength);
    let cell = bucketOf(hash, this.#cells);
    // The cell with the row's old place; for a new row, whose place is 0, the first free one.
    while (this.#number(headerBytes + cell * cellBytes + 4) !== before) {
      cell = cell + 1 === this.#cells ? 0 : cell + 1;
    }
    this.#putNumber(headerBytes + cell * cellBytes, hash);
    this.#putNumber(headerBytes + cell * cellBytes + 4, place);
    this.#outdated.add(Math.floor(cell / cellsPerCheck));
  }

  /** Where the file has the place of an entity's row. */
  #placeAt(entity: EntityNumber): number {
    return placesFrom(this.#cells) + entity * placeBytes;
  }

  #number(at: number): number {
    this.#read(this.#numbers, at);
    return this.#numbers.readUInt32LE(0);
  }

  #putNumber(at: number, value: number): void {
    this.#numbers.writeUInt32LE(value, 0);
    writeAll(this.#file, this.#numbers, at);
  }

  #read(into: Buffer, at: number): void {
    const bytes = readSync(this.#file, into, 0, into.length, at);
    if (bytes < into.length) throw new Error(`The company file ends before byte ${at + into.length}.`);
  }

  finish(): number {
    this.#columns.finish(this.#lastEntity);
    this.#writeTexts();
    this.#header.fill(0, headerAt.id, headerAt.lastEntity);
    this.#header.write(this.#id, headerAt.id, 'latin1');
    this.#header.writeUInt32LE(this.#lastEntity, headerAt.lastEntity);
    writeHeader(this.#file, this.#header);
    for (const check of this.#outdated) this.#putCheck(check);
    return this.#sum;
  }

  #writeTexts(): void {
    if (!this.#columns.hasNewTexts) return;
    const place = this.#header.readUInt32LE(headerAt.texts);
    const room = this.#header.readUInt32LE(headerAt.textsRoom);
    if (writeTexts(this.#file, this.#columns.texts(), this.#header, this.#end)) this.#free(place, room);
  }

  #putCheck(check: number): void {
    const { from, to } = cellsOfCheck(check, this.#cells);
    const cells = Buffer.allocUnsafe(to - from);
    this.#read(cells, from);
    this.#putNumber(checksFrom(this.#cells) + check * checkBytes, checksum(cells));
  }

  close(): void {
    closeSync(this.#file);
  }
}
