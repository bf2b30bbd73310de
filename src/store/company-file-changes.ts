/**
 * Changes a copy of a company file (company-file.ts) to that of the next publication: rows keep their place, and only
 * the bytes of changed rows are written. A row that has outgrown its room goes to the end.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { checksum, hashItems } from '../bytes/hash.ts';
import { withRoom } from '../bytes/room.ts';
import { writeAll } from '../bytes/write-all.ts';
import type { ColumnTexts } from './columns/codes.ts';
import { parseTexts } from './columns/column-reader.ts';
import { ColumnWriter } from './columns/column-writer.ts';
import {
  cellBytes,
  cellsOfCheck,
  cellsPerCheck,
  checkBytes,
  checksFrom,
  columnsFrom,
  companyFileMark,
  entitiesMost,
  firstCell,
  headerAt,
  headerBytes,
  placeBytes,
  placesFrom,
  placeUnit,
  roomFor,
  rowAt,
  rowHeadBytes,
  rowsFrom,
} from './company-file.ts';
import { type CompanyRow, contentBytes, packRow, writeHeader, writeTexts } from './company-file-writer.ts';
import { leiLength } from './company-record.ts';
import type { EntityNumber } from './publication-reader.ts';

/** Share of the rows' bytes that may be unused before the file is rewritten. */
const leftShareMax = 0.25;

export class CompanyFileChanges {
  readonly #file: number;
  readonly #header = Buffer.alloc(headerBytes);
  readonly #cells: number;
  /** The offset for the next row at the end. */
  #end: number;
  #row = Buffer.allocUnsafeSlow(4096);
  readonly #numbers = Buffer.alloc(4);
  #columns: ColumnWriter | null = null;
  /** The checksums of cells that have changed. */
  readonly #outdated = new Set<number>();

  /** @param path a complete copy of the file of another publication, of this version */
  constructor(path: string) {
    this.#file = openSync(path, 'r+');
    this.#read(this.#header, 0);
    this.#cells = this.#header.readUInt32LE(headerAt.cells);
    this.#end = fstatSync(this.#file).size;
  }

  /** Whether the file can become that of a publication with this many entities; otherwise it must be rewritten. */
  takes(lastEntity: EntityNumber): boolean {
    const left = this.#header.readUInt32LE(headerAt.left) * placeUnit;
    return (
      this.#header.toString('latin1', 0, headerAt.id) === companyFileMark &&
      lastEntity <= entitiesMost(this.#cells) &&
      left <= (this.#end - rowsFrom(this.#cells)) * leftShareMax
    );
  }

  /** Writes the row of an entity that has one, or of a new one. */
  put(row: CompanyRow): void {
    this.#ofColumns().put(row.entity, row.record);
    const bytes = contentBytes(row);
    const needed = roomFor(bytes);
    const place = this.#number(this.#placeAt(row.entity));
    const at = place * placeUnit;
    const room = place === 0 ? 0 : this.#number(at + rowAt.room);
    // A row may keep its place with less free room than a new row gets.
    if (rowHeadBytes + bytes <= room) {
      this.#write(row, at, room);
      return;
    }
    const end = this.#end;
    this.#end += needed;
    this.#write(row, end, needed);
    this.#point(row, place, end / placeUnit);
    // Nothing leads to the old row any more. Without this, a damaged number could, and would show an earlier record.
    if (place !== 0) this.#putNumber(at + rowAt.entity, 0);
    const left = this.#header.readUInt32LE(headerAt.left) + room / placeUnit;
    this.#header.writeUInt32LE(left, headerAt.left);
  }

  #write(row: CompanyRow, at: number, room: number): void {
    this.#row = withRoom(this.#row, 0, room, Buffer.allocUnsafeSlow);
    packRow(this.#row.subarray(0, room), row);
    writeAll(this.#file, this.#row.subarray(0, room), at);
  }

  #ofColumns(): ColumnWriter {
    this.#columns ??= new ColumnWriter(this.#file, columnsFrom(this.#cells), {
      lastEntity: this.#header.readUInt32LE(headerAt.lastEntity),
      texts: this.#texts(),
    });
    return this.#columns;
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
    let cell = firstCell(hash, this.#cells);
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

  /** Makes the file that of a publication. It is then complete, though not yet durable. */
  finish(id: string, lastEntity: EntityNumber): void {
    this.#ofColumns().finish(lastEntity);
    const texts = this.#ofColumns().newTexts();
    if (texts !== null) writeTexts(this.#file, texts, this.#header, this.#end);
    this.#header.fill(0, headerAt.id, headerAt.lastEntity);
    this.#header.write(id, headerAt.id, 'latin1');
    this.#header.writeUInt32LE(lastEntity, headerAt.lastEntity);
    writeHeader(this.#file, this.#header);
    for (const check of this.#outdated) this.#putCheck(check);
  }

  #putCheck(check: number): void {
    const { from, to } = cellsOfCheck(check, this.#cells);
    const cells = Buffer.allocUnsafe(to - from);
    this.#read(cells, from);
    this.#putNumber(checksFrom(this.#cells) + check * checkBytes, checksum(cells));
  }

  /** Closes the file, finished or not. */
  close(): void {
    closeSync(this.#file);
  }
}
