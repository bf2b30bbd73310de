/** Writes a new company file (company-file-layout.ts): first its rows, in order, then its cells and places. */
import { closeSync, openSync } from 'node:fs';
import { bucketOf, checksum, hashItems } from '../bytes/hash.ts';
import type { Glimpse } from '../lmdb.ts';
import { writeAll } from '../publication/files.ts';
import { BlockWriter } from './block-writer.ts';
import { type ColumnTexts, newTexts } from './columns/codes.ts';
import { formatTexts } from './columns/column-reader.ts';
import { ColumnWriter } from './columns/column-writer.ts';
import { leiLength } from './company-fields.ts';
import { rowChecksum } from './company-file.ts';
import {
  cellBytes,
  cellsFor,
  cellsOfCheck,
  checksFor,
  checksFrom,
  columnsFrom,
  companyFileMark,
  entitiesMost,
  headerAt,
  headerBytes,
  partBytesMax,
  placesFrom,
  placeUnit,
  roomFor,
  roomOf,
  rowAt,
  rowHeadBytes,
  rowsFrom,
} from './company-file-layout.ts';
import type { EntityNumber } from './publication-reader.ts';

/** Writes the rows of a company file, new or changed. */
export interface CompanyRowWriter {
  /** Writes a row; entities ascend. */
  put(row: CompanyRow): void;
  /** Makes the file complete, though not yet durable. @returns the sum of its rows */
  finish(): number;
  /** Closes the file, finished or not. */
  close(): void;
}

export class CompanyFileWriter implements CompanyRowWriter {
  readonly #file: number;
  readonly #id: string;
  readonly #lastEntity: number;
  readonly #cells: number;
  readonly #places: Uint32Array;
  /** The hash of each entity's LEI. */
  readonly #hashes: Uint32Array;
  #sum = 0;
  readonly #rows: BlockWriter;
  readonly #columns: ColumnWriter;

  /**
   * @param lastEntity the greatest entity number that will be written
   * @param commonWords those that the columns tell exactly (columns/signatures.ts)
   */
  constructor(path: string, id: string, lastEntity: EntityNumber, commonWords: readonly string[]) {
    this.#id = id;
    this.#lastEntity = lastEntity;
    this.#cells = cellsFor(lastEntity);
    this.#places = new Uint32Array(entitiesMost(this.#cells) + 1);
    this.#hashes = new Uint32Array(lastEntity + 1);
    this.#file = openSync(path, 'w+');
    this.#rows = new BlockWriter(this.#file, rowsFrom(this.#cells));
    this.#columns = new ColumnWriter(this.#file, columnsFrom(this.#cells), null, newTexts(commonWords));
  }

  put(row: CompanyRow): void {
    const room = roomFor(contentBytes(row));
    this.#places[row.entity] = this.#rows.end / placeUnit;
    const at = this.#rows.reserve(room);
    this.#sum = withRow(this.#sum, packRow(row, this.#rows.block, at, room));
    this.#hashes[row.entity] = hashItems(row.record.bytes, 0, leiLength);
    this.#columns.put(row.entity, row.record);
  }

  finish(): number {
    this.#rows.flush();
    const header = Buffer.alloc(headerBytes);
    header.write(companyFileMark, 0, 'latin1');
    header.write(this.#id, headerAt.id, 'latin1');
    header.writeUInt32LE(this.#lastEntity, headerAt.lastEntity);
    header.writeUInt32LE(this.#cells, headerAt.cells);
    this.#columns.finish(this.#lastEntity);
    writeTexts(this.#file, this.#columns.texts(), header, this.#rows.end);
    writeHeader(this.#file, header);
    const cells = bytesOf(this.#filledCells());
    writeAll(this.#file, cells, headerBytes);
    writeAll(this.#file, bytesOf(checksOfCells(cells)), checksFrom(this.#cells));
    writeAll(this.#file, bytesOf(this.#places), placesFrom(this.#cells));
    return this.#sum;
  }

  /** Hash and place of each cell, alternating. */
  #filledCells(): Uint32Array {
    const cells = new Uint32Array(this.#cells * 2);
    for (let entity = 1; entity <= this.#lastEntity; entity++) {
      const hash = this.#hashes[entity] ?? 0;
      let cell = bucketOf(hash, this.#cells);
      while (cells[cell * 2 + 1] !== 0) cell = cell + 1 === this.#cells ? 0 : cell + 1;
      cells[cell * 2] = hash;
      cells[cell * 2 + 1] = this.#places[entity] ?? 0;
    }
    return cells;
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** The checksums of all cells. */
function checksOfCells(bytes: Buffer): Uint32Array {
  const cells = bytes.length / cellBytes;
  return Uint32Array.from({ length: checksFor(cells) }, (_, check) => {
    const { from, to } = cellsOfCheck(check, cells);
    return checksum(bytes.subarray(from - headerBytes, to - headerBytes));
  });
}

/**
 * Writes the texts of the columns where they were if they fit there, otherwise at the end.
 * @param header gets their place
 * @param end of the file
 * @returns whether they were written at the end
 */
export function writeTexts(file: number, texts: ColumnTexts, header: Buffer, end: number): boolean {
  const bytes = Buffer.from(formatTexts(texts));
  const fits = bytes.length <= header.readUInt32LE(headerAt.textsRoom);
  if (!fits) {
    header.writeUInt32LE(end / placeUnit, headerAt.texts);
    // A delta rarely has many new texts, so they fit for years.
    header.writeUInt32LE(roomOf(bytes.length * 1.5), headerAt.textsRoom);
  }
  header.writeUInt32LE(bytes.length, headerAt.textsBytes);
  header.writeUInt32LE(checksum(bytes), headerAt.textsCheck);
  const whole = Buffer.alloc(header.readUInt32LE(headerAt.textsRoom));
  bytes.copy(whole);
  writeAll(file, whole, header.readUInt32LE(headerAt.texts) * placeUnit);
  return !fits;
}

/** Writes the header with its checksum. */
export function writeHeader(file: number, header: Buffer): void {
  header.writeUInt32LE(checksum(header.subarray(0, headerAt.check)), headerAt.check);
  writeAll(file, header, 0);
}

export interface CompanyRow {
  readonly entity: EntityNumber;
  /** A stored record, or an LEI alone. */
  readonly record: Glimpse;
  readonly mappings: Glimpse | null;
}

/**
 * Fills all bytes of a row, so that unused ones are the same whenever the same is written.
 * @param into gets it, from `at` on
 * @param room its bytes
 * @returns its checksum
 */
export function packRow(
  { entity, record, mappings }: CompanyRow,
  into: Buffer,
  at: number,
  room: number,
): number {
  const mapped = mappings?.length ?? 0;
  const content = at + rowHeadBytes;
  const end = content + record.length + mapped;
  record.bytes.copy(into, content, 0, record.length);
  mappings?.bytes.copy(into, content + record.length, 0, mapped);
  into.fill(0, end, at + room);
  into.writeUInt32LE(entity, at + rowAt.entity);
  into.writeUInt32LE(record.length, at + rowAt.record);
  into.writeUInt32LE(mapped, at + rowAt.mappings);
  into.writeUInt32LE(room, at + rowAt.room);
  // The only view of a row: views are garbage whose size the collector does not see.
  const check = rowChecksum(entity, record.length, mapped, into.subarray(content, end));
  into.writeUInt32LE(check, at + rowAt.check);
  return check;
}

/** Bytes of the record and the mappings. Throws for a row so long that a reader would report it as damage. */
export function contentBytes({ entity, record, mappings }: CompanyRow): number {
  const parts = [record.length, mappings?.length ?? 0];
  const long = parts.find((length) => length > partBytesMax);
  if (long === undefined) return record.length + (mappings?.length ?? 0);
  throw new Error(`What is stored of entity ${entity} takes ${long} bytes, more than ${partBytesMax}.`);
}

/** Every machine that Bun runs on is little-endian. */
function bytesOf(numbers: Uint32Array): Buffer {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/**
 * The sum of the checksums of all rows of a company file is below this; sums are exact below 2⁵³. The environment holds
 * it, so that a row that is not the one a load wrote is found even if its own checksum fits.
 */
const rowSums = 2 ** 48;

export function withRow(sum: number, check: number): number {
  return (sum + check) % rowSums;
}

export function withoutRow(sum: number, check: number): number {
  return (sum - check + rowSums) % rowSums;
}
