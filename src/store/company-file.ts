/**
 * Reads the company file: a read-optimised copy of the company tables, where one read finds a company with its
 * identifiers. Loads work on the tables and write the file at the end of a build: completely (company-file-writer.ts),
 * or as a copy in which only the rows of a delta change (company-file-changes.ts).
 *
 *     header   magic and version, id of the publication, lengths of the parts
 *     cells    hash of an LEI, place of its row: a hash table with open addressing, 1.5 cells for each entity
 *     places   place of each entity's row, by its number; with room for as many entities as the cells bear
 *     rows     entity number, bytes of the record, bytes of the mappings, bytes of the row, the record, the mappings,
 *              free bytes for a longer record; rows that outgrew theirs stand at the end
 *
 * Numbers have 32 bits and are little-endian. Each row begins at a multiple of 8 bytes; its place is its offset in the
 * file divided by 8, and 0 means no row.
 */
import { compareKeys, putKey } from '../bytes/fixed-keys.ts';
import { hashItems } from '../bytes/hash.ts';
import { withRoom } from '../bytes/room.ts';
import { ExpectedFailure, isMissing } from '../errors.ts';
import type { Glimpse } from '../lmdb.ts';
import { MappedFile } from '../system/mapped-file.ts';
import { isRecord, leiLength } from './company-record.ts';
import type { DirectoryEntry, EntityNumber } from './publication-reader.ts';

/** Any change of the format needs a new version. */
export const companyFileVersion = 2;
const mark = 'LEI companies ';
/** The first bytes of a company file. */
export const companyFileMark = `${mark}${companyFileVersion}\n`;
/**
 * Offsets in the header: the publication's id, ended by zeros, the numbers of entities and cells, and the bytes that
 * moved rows have left behind, divided by eight.
 */
export const headerAt = { id: 16, lastEntity: 56, cells: 60, left: 64 } as const;
export const headerBytes = 72;
export const cellBytes = 8;
export const placeBytes = 4;
export const placeUnit = 8;
export const rowHeadBytes = 16;
/** Largest record, and largest mappings of one company, in bytes: several times the largest in GLEIF's files. */
export const partBytesMax = 128 * 1024 * 1024;

/** Count of cells for a number of entities: few enough to stay in caches, enough that most LEIs take one access. */
export function cellsFor(entities: number): number {
  return Math.ceil((entities + 1) * 1.5);
}

/** How many entities fit a number of cells: with more, unknown LEIs take many accesses. */
export function entitiesMost(cells: number): number {
  return Math.floor(cells * 0.8);
}

/** Bytes of a row with this content: a renewed record is rarely more than a few bytes longer. */
export function roomFor(bytes: number): number {
  return Math.ceil((rowHeadBytes + bytes + 4) / 16) * 16;
}

/** The offset of the rows, which follow the places. */
export function rowsFrom(cells: number): number {
  const end = placesFrom(cells) + (entitiesMost(cells) + 1) * placeBytes;
  return Math.ceil(end / placeUnit) * placeUnit;
}

/** The first cell to read for a hash. */
export function firstCell(hash: number, cells: number): number {
  return Math.floor((hash / 2 ** 32) * cells);
}

/** Offset of the places, which follow the cells. */
export function placesFrom(cells: number): number {
  return headerBytes + cells * cellBytes;
}

/** Reads rows into two buffers of its own, so a row is valid only until the next is read. */
export class CompanyFile {
  readonly #file: MappedFile;
  readonly #lastEntity: number;
  readonly #cells: number;
  readonly #places: number;
  readonly #key = new Uint8Array(leiLength);
  /** The last row read. */
  #entity: EntityNumber = 0;
  #at = 0;
  #record = Buffer.allocUnsafeSlow(4096);
  #recordLength = 0;
  #mappings = Buffer.allocUnsafeSlow(4096);

  /**
   * @param scattered true if single rows are read in any order, false if all are read in turn
   * @throws if the file is missing or damaged, or belongs to another publication or version
   */
  constructor(path: string, id: string, scattered: boolean) {
    this.#file = open(path, scattered);
    try {
      checkHeader(this.#file, id);
      this.#lastEntity = this.#file.uint32At(headerAt.lastEntity);
      this.#cells = this.#file.uint32At(headerAt.cells);
      this.#places = placesFrom(this.#cells);
      if (this.#lastEntity > entitiesMost(this.#cells) || rowsFrom(this.#cells) > this.#file.length) {
        throw damage(path, `it states ${this.#lastEntity} entities and ${this.#cells} cells`);
      }
    } catch (error) {
      this.#file.close();
      throw error;
    }
  }

  find(lei: string): DirectoryEntry | null {
    if (!putKey(lei, this.#key)) return null;
    const hash = hashItems(this.#key, 0, leiLength);
    let cell = firstCell(hash, this.#cells);
    // There are more cells than entities, so an empty cell ends the search, except in a damaged file.
    for (let looked = 0; looked < this.#cells; looked++) {
      const at = headerBytes + cell * cellBytes;
      const place = this.#file.uint32At(at + 4);
      if (place === 0) return null;
      if (this.#file.uint32At(at) === hash && this.#isOfKey(place, hash)) {
        return { entity: this.#entity, hasRecord: isRecord({ length: this.#recordLength }) };
      }
      cell = cell + 1 === this.#cells ? 0 : cell + 1;
    }
    return null;
  }

  #isOfKey(place: number, hash: number): boolean {
    this.#read(place);
    if (compareKeys(this.#record, 0, this.#key, 0, leiLength) === 0) return true;
    // Another LEI has the same hash, or the file is damaged.
    if (hashItems(this.#record, 0, leiLength) === hash) return false;
    throw damage(this.#file.path, `the row at ${this.#at} does not have the LEI under which it is listed`);
  }

  /** The record of an entity, or its LEI alone; null if the publication has no entity with this number. */
  record(entity: EntityNumber): Glimpse | null {
    if (!this.#turnTo(entity)) return null;
    return { bytes: this.#record, length: this.#recordLength };
  }

  /** Its packed mappings; null if it has none. */
  mappings(entity: EntityNumber): Glimpse | null {
    if (!this.#turnTo(entity)) return null;
    const length = this.#file.uint32At(this.#at + 8);
    if (length === 0) return null;
    this.#mappings = this.#copyOut(this.#at + rowHeadBytes + this.#recordLength, length, this.#mappings);
    return { bytes: this.#mappings, length };
  }

  close(): void {
    this.#file.close();
  }

  #turnTo(entity: EntityNumber): boolean {
    // Keep the row: the next call usually asks for the same company.
    if (entity === this.#entity && entity !== 0) return true;
    if (entity < 1 || entity > this.#lastEntity) return false;
    const place = this.#file.uint32At(this.#places + entity * placeBytes);
    if (place === 0) return false;
    this.#read(place);
    if (this.#entity === entity) return true;
    throw damage(this.#file.path, `the row at ${this.#at} is not of entity ${entity}`);
  }

  #read(place: number): void {
    const at = place * placeUnit;
    const entity = this.#file.uint32At(at);
    const length = this.#file.uint32At(at + 4);
    if (entity < 1 || entity > this.#lastEntity || length < leiLength) {
      throw damage(this.#file.path, `there is no row at ${at}`);
    }
    // Set this last: after an error the previous row is still intact.
    this.#record = this.#copyOut(at + rowHeadBytes, length, this.#record);
    this.#recordLength = length;
    this.#at = at;
    this.#entity = entity;
  }

  /** Copies part of a row into `room`, or into a longer buffer if `room` is too short. @returns that buffer */
  #copyOut(offset: number, length: number, room: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
    // Check first: a damaged length could ask for all memory of the machine.
    if (length > partBytesMax) throw damage(this.#file.path, `a row around ${offset} states ${length} bytes`);
    const target = withRoom(room, 0, length, Buffer.allocUnsafeSlow);
    this.#file.copy(offset, length, target);
    return target;
  }
}

function damage(path: string, what: string): Error {
  return new Error(`${path} is damaged: ${what}.`);
}

function open(path: string, scattered: boolean): MappedFile {
  try {
    return new MappedFile(path, scattered);
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new ExpectedFailure(
      'no-company-file',
      `${path} is missing, because an earlier version of this program did not write it. Load the data again.`,
    );
  }
}

/**
 * Reads the head of a company file. @throws ExpectedFailure if this program can't read such a file, an Error if it is
 * damaged
 */
export function checkCompanyFile(path: string, id: string): void {
  const file = open(path, false);
  try {
    checkHeader(file, id);
  } finally {
    file.close();
  }
}

function checkHeader(file: MappedFile, id: string): void {
  const header = Buffer.alloc(headerBytes);
  file.copy(0, Math.min(headerBytes, file.length), header);
  checkMark(file.path, header);
  const found = header.toString('latin1', headerAt.id, headerAt.lastEntity).replace(/\0+$/, '');
  if (found !== id) throw new Error(`${file.path} is of publication ${found}, not of ${id}.`);
}

/** @throws ExpectedFailure if another version made the file, and an Error if it is damaged */
function checkMark(path: string, header: Buffer): void {
  const found = header.toString('latin1', 0, headerAt.id);
  if (found === companyFileMark) return;
  const version = /^\d+(?=\n)/.exec(found.slice(mark.length))?.[0];
  if (!found.startsWith(mark) || version === undefined)
    throw damage(path, 'it does not start like a company file');
  throw new ExpectedFailure(
    'company-file-format',
    `${path} has format ${version}; this program reads ${companyFileVersion}. Load the data again with it.`,
  );
}
