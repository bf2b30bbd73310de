/**
 * Reads the company file (company-file-layout.ts): one read finds a company with its identifiers.
 *
 * No answer comes from a damaged byte. Each read of a row checks it, a row has the LEI and the entity number that led to
 * it, and an LEI counts as unknown only if the cells that were looked at are sound.
 */

import { bucketOf, checksum, compareKeys, hashItems, putKey } from '../bytes/hash.ts';
import { withRoom } from '../bytes/memory.ts';
import { DamagedFile, ExpectedFailure, isMissing } from '../errors.ts';
import type { Glimpse, ReadingPattern } from '../lmdb.ts';
import { MappedFile } from '../system/mapped-file.ts';
import { ColumnReader } from './columns/column-reader.ts';
import { leiLength } from './company-fields.ts';
import {
  cellBytes,
  cellsOfCheck,
  cellsPerCheck,
  checkBytes,
  checksFor,
  checksFrom,
  columnsFrom,
  companyFileVersion,
  headerAt,
  headerBytes,
  mark,
  markOf,
  partBytesMax,
  placeBytes,
  placesFrom,
  placeUnit,
  rowAt,
  rowHeadBytes,
  rowsFrom,
  rowsVersion,
} from './company-file-layout.ts';
import { otherFormat } from './other-format.ts';
import type { DirectoryEntry, EntityNumber } from './publication-reader.ts';

/**
 * The checksum of a row: a CRC-32 of its content, which also depends on the numbers in its head.
 * @param content record and mappings
 */
export function rowChecksum(entity: number, record: number, mappings: number, content: Uint8Array): number {
  const head =
    Math.imul(entity, 0x9e3779b1) ^ Math.imul(record, 0x85ebca77) ^ Math.imul(mappings, 0xc2b2ae3d);
  return (checksum(content) ^ head) >>> 0;
}

/** Bytes of a row that are copied first: most rows are shorter. */
const firstCopyBytes = 768;

/**
 * Reads the rows of a company file, also of one whose columns are of an earlier version. It reads into two buffers of its
 * own, so a row is valid only until the next is read.
 */
export class CompanyRowFile {
  protected readonly file: MappedFile;
  /** The greatest entity number. */
  readonly lastEntity: number;
  readonly #cells: number;
  readonly #places: number;
  readonly #key = new Uint8Array(leiLength);
  /** The last row read: its record, then its mappings. */
  #entity: EntityNumber = 0;
  #row = Buffer.allocUnsafeSlow(4096);
  #head = new DataView(this.#row.buffer, 0, rowHeadBytes);
  #content = this.#row.subarray(rowHeadBytes);
  #recordLength = 0;
  #mappingsLength = 0;
  #mappings = Buffer.allocUnsafeSlow(4096);

  /**
   * @param oldest the earliest version that is read
   * @throws if the file is missing or damaged, or belongs to another publication or version
   */
  constructor(path: string, id: string, pattern: ReadingPattern, oldest = rowsVersion) {
    this.file = open(path, pattern);
    try {
      checkHeader(path, headerOf(this.file), id, oldest);
      this.lastEntity = this.file.uint32At(headerAt.lastEntity);
      this.#cells = this.file.uint32At(headerAt.cells);
      this.#places = placesFrom(this.#cells);
      const rows = oldest < companyFileVersion ? this.#places : rowsFrom(this.#cells);
      if (this.lastEntity >= this.#cells || rows > this.file.length)
        throw new DamagedFile(path, `it states ${this.lastEntity} entities and ${this.#cells} cells`);
    } catch (error) {
      this.file.close();
      throw error;
    }
  }

  get path(): string {
    return this.file.path;
  }

  /** Null for an LEI that the publication does not have. Like every read, throws DamagedFile rather than lie. */
  find(lei: string): DirectoryEntry | null {
    if (!putKey(lei, this.#key)) return null;
    const hash = hashItems(this.#key, 0, leiLength);
    const first = bucketOf(hash, this.#cells);
    let cell = first;
    // There are more cells than entities, so an empty cell ends the search, except in a damaged file.
    for (let looked = 0; looked < this.#cells; looked++) {
      const at = headerBytes + cell * cellBytes;
      const place = this.file.uint32At(at + 4);
      if (place === 0) break;
      if (this.file.uint32At(at) === hash && this.#isOfKey(place, hash)) {
        return { entity: this.#entity, hasRecord: this.#hasRecord };
      }
      cell = cell + 1 === this.#cells ? 0 : cell + 1;
    }
    this.#checkCells(first, cell);
    return null;
  }

  #isOfKey(place: number, hash: number): boolean {
    this.#read(place);
    if (compareKeys(this.#content, 0, this.#key, 0, leiLength) === 0) return true;
    // Another LEI has the same hash, or the file is damaged.
    if (hashItems(this.#content, 0, leiLength) === hash) return false;
    throw new DamagedFile(
      this.file.path,
      `the row at ${place * placeUnit} does not have the LEI under which it is listed`,
    );
  }

  /** Checks the cells of a search that found nothing, from its first to its last. */
  #checkCells(first: number, last: number): void {
    const checks = checksFor(this.#cells);
    const end = Math.floor(last / cellsPerCheck);
    for (let check = Math.floor(first / cellsPerCheck); ; check = check + 1 === checks ? 0 : check + 1) {
      this.#checkCellsOf(check);
      if (check === end) return;
    }
  }

  #checkCellsOf(check: number): void {
    const { from, to } = cellsOfCheck(check, this.#cells);
    const cells = Buffer.allocUnsafe(to - from);
    this.file.copy(from, to - from, cells);
    const sealed = this.file.uint32At(checksFrom(this.#cells) + check * checkBytes);
    if (checksum(cells) !== sealed)
      throw new DamagedFile(this.file.path, `bytes ${from} to ${to} are not the written ones`);
  }

  /** Checks everything except rows that {@link find} relies on. @throws DamagedFile */
  checkAllCells(): void {
    for (let check = 0; check < checksFor(this.#cells); check++) this.#checkCellsOf(check);
  }

  /** The record of an entity, or its LEI alone; null if the publication has no entity with this number. */
  record(entity: EntityNumber): Glimpse | null {
    if (!this.#turnTo(entity)) return null;
    return { bytes: this.#content, length: this.#recordLength };
  }

  /** The same; null also for an entity without a record. */
  companyRecord(entity: EntityNumber): Glimpse | null {
    return this.#turnTo(entity) && this.#hasRecord ? this.record(entity) : null;
  }

  get #hasRecord(): boolean {
    return this.#recordLength > leiLength;
  }

  /** Its packed mappings; null if it has none. */
  mappings(entity: EntityNumber): Glimpse | null {
    if (!this.#turnTo(entity) || this.#mappingsLength === 0) return null;
    const length = this.#mappingsLength;
    if (length > this.#mappings.length) this.#mappings = Buffer.allocUnsafeSlow(2 * length);
    this.#content.copy(this.#mappings, 0, this.#recordLength, this.#recordLength + length);
    return { bytes: this.#mappings, length };
  }

  close(): void {
    this.file.close();
  }

  #turnTo(entity: EntityNumber): boolean {
    // Keep the row: the next call usually asks for the same company.
    if (entity === this.#entity && entity !== 0) return true;
    if (entity < 1 || entity > this.lastEntity) return false;
    const place = this.file.uint32At(this.#places + entity * placeBytes);
    this.#read(place);
    if (this.#entity === entity) return true;
    throw new DamagedFile(this.file.path, `the row at ${place * placeUnit} is not of entity ${entity}`);
  }

  /** Copies a row and checks it. Its head is copied with it, because each number read alone costs as much as the copy. */
  #read(place: number): void {
    const at = place * placeUnit;
    const file = this.file;
    if (at < headerBytes || at + rowHeadBytes > file.length)
      throw new DamagedFile(file.path, `there is no row at ${at}`);
    this.#entity = 0;
    const copied = Math.min(firstCopyBytes, file.length - at);
    file.copy(at, copied, this.#row);
    const head = this.#head;
    const entity = head.getUint32(rowAt.entity, true);
    const record = head.getUint32(rowAt.record, true);
    const mappings = head.getUint32(rowAt.mappings, true);
    const check = head.getUint32(rowAt.check, true);
    if (entity < 1 || entity > this.lastEntity || record < leiLength)
      throw new DamagedFile(file.path, `there is no row at ${at}`);
    const length = record + mappings;
    // Check first: a damaged length could ask for all memory of the machine.
    if (record > partBytesMax || mappings > partBytesMax || at + rowHeadBytes + length > file.length)
      throw new DamagedFile(file.path, `the row at ${at} states ${length} bytes`);
    const end = rowHeadBytes + length;
    if (end > this.#row.length) {
      this.#row = withRoom(this.#row, copied, end, Buffer.allocUnsafeSlow);
      this.#head = new DataView(this.#row.buffer, 0, rowHeadBytes);
      this.#content = this.#row.subarray(rowHeadBytes);
    }
    if (end > copied) file.copy(at + copied, end - copied, this.#row.subarray(copied));
    const found = rowChecksum(entity, record, mappings, this.#content.subarray(0, length));
    if (found !== check) throw new DamagedFile(file.path, `the row at ${at} is not the written one`);
    this.#recordLength = record;
    this.#mappingsLength = mappings;
    this.#entity = entity;
  }
}

/** Reads a company file of this version with its columns. */
export class CompanyFile extends CompanyRowFile {
  /** The columns that lists filter and sort by. */
  readonly columns: ColumnReader;

  /** Parameters and errors as those of a {@link CompanyRowFile}. */
  constructor(path: string, id: string, pattern: ReadingPattern) {
    super(path, id, pattern, companyFileVersion);
    const from = columnsFrom(this.file.uint32At(headerAt.cells));
    this.columns = new ColumnReader(this.file, from, this.lastEntity, () => columnTexts(this.file));
  }
}

function columnTexts(file: MappedFile): string {
  const at = file.uint32At(headerAt.texts) * placeUnit;
  const length = file.uint32At(headerAt.textsBytes);
  if (at + length > file.length)
    throw new DamagedFile(file.path, `the texts of its columns are not at ${at}`);
  const bytes = Buffer.allocUnsafe(length);
  file.copy(at, length, bytes);
  if (checksum(bytes) !== file.uint32At(headerAt.textsCheck))
    throw new DamagedFile(file.path, 'the texts of its columns are not the written ones');
  return bytes.toString();
}

function open(path: string, pattern: ReadingPattern): MappedFile {
  try {
    return new MappedFile(path, pattern);
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new ExpectedFailure(
      'no-company-file',
      `${path} is missing, because an earlier version of this program did not write it. Load the data again.`,
    );
  }
}

/** @throws ExpectedFailure if this program can't read such a company file, an Error if its head is damaged */
export function checkCompanyFile(path: string, id: string): void {
  withHeader(path, (header) => checkHeader(path, header, id, companyFileVersion));
}

/** Whether a company file has the columns of this version. */
export function isOfThisVersion(path: string): boolean {
  return withHeader(path, (header) => versionOf(header) === companyFileVersion);
}

function withHeader<Result>(path: string, use: (header: Buffer) => Result): Result {
  const file = open(path, 'through');
  try {
    return use(headerOf(file));
  } finally {
    file.close();
  }
}

function headerOf(file: MappedFile): Buffer {
  const header = Buffer.alloc(headerBytes);
  file.copy(0, Math.min(headerBytes, file.length), header);
  return header;
}

/** @param oldest the earliest version that is read */
function checkHeader(path: string, header: Buffer, id: string, oldest: number): void {
  checkVersion(path, header, oldest);
  if (checksum(header.subarray(0, headerAt.check)) !== header.readUInt32LE(headerAt.check))
    throw new DamagedFile(path, 'its header is not the written one');
  // The marks of earlier versions are shorter.
  const idAt = markOf(versionOf(header) ?? companyFileVersion).length;
  const found = header.toString('latin1', idAt, headerAt.lastEntity).replace(/\0+$/, '');
  if (found !== id) throw new Error(`${path} is of publication ${found}, not of ${id}.`);
}

/** @throws ExpectedFailure if another version made the file, and an Error if it is damaged */
function checkVersion(path: string, header: Buffer, oldest: number): void {
  const version = versionOf(header);
  if (version === null) throw new DamagedFile(path, 'it does not start like a company file');
  if (version >= oldest && version <= companyFileVersion) return;
  throw otherFormat('company-file-format', path, version, companyFileVersion);
}

/** Null if the header is not that of a company file. */
function versionOf(header: Buffer): number | null {
  // A later version may have more digits than the place of this one.
  const found = header.toString('latin1', 0, mark.length + 8);
  const version = found.startsWith(mark) ? /^\d+(?=\n)/.exec(found.slice(mark.length)) : null;
  return version === null ? null : Number(version[0]);
}
