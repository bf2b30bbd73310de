/**
 * Lays out the company file, which holds all companies of a publication with their identifiers. company-file.ts reads it; a
 * full load writes it (company-file-writer.ts); a delta changes rows of a copy (company-file-changes.ts).
 *
 *     header   magic and version, id of the publication, lengths of the parts, first free row of each size, checksum
 *     cells    hash of an LEI, place of its row: a hash table with open addressing, 1.5 cells for each entity
 *     checks   checksum of every 64 cells
 *     places   place of each entity's row, by its number; with room for as many entities as the cells bear
 *     columns  of the same entities (columns/layout.ts)
 *     rows     entity number, bytes of the record, bytes of the mappings, bytes of the row, checksum, the record, the
 *              mappings, free bytes for a longer record. The texts of the columns' codes stand among them. A row whose
 *              entity number is 0 is free: it has the place of the next free row of its size where others have the length
 *              of the record
 *
 * Numbers have 32 bits and are little-endian. Each row begins at a multiple of 8 bytes; its place is its offset in the
 * file divided by 8, and 0 means no row.
 */
import { blocksFor, columnBlockBytes } from './columns/layout.ts';

/** Any change of the format needs a new version. */
export const companyFileVersion = 10;
/** From this version on, rows and what leads to them are as now: loads read them. */
export const rowsVersion = 5;
/** The first bytes of a company file of any version; the version and a line end follow. */
export const mark = 'LEI companies ';
/** The first bytes of one of this version. */
export const companyFileMark = markOf(companyFileVersion);
/** Free rows are listed by their size in units of 16 bytes; the last list has all larger ones. */
export const freeLists = 128;
/** Bytes of a row are a multiple of this. */
export const roomUnit = 16;
/**
 * Offsets in the header: the publication's id, behind the mark and ended by zeros, the numbers of entities and cells, the
 * bytes of free rows, divided by eight; of the texts of the columns their place, bytes, room and checksum; the first free
 * row of each list; and the checksum of all of them.
 */
export const headerAt = {
  ...{ id: companyFileMark.length, lastEntity: 56, cells: 60, left: 64 },
  ...{ texts: 68, textsBytes: 72, textsRoom: 76, textsCheck: 80, free: 84, check: 84 + 4 * freeLists },
} as const;
export const headerBytes = headerAt.check + 4;
export const cellBytes = 8;
/** Cells with a checksum together. Only an LEI that is not found needs it. */
export const cellsPerCheck = 64;
export const checkBytes = 4;
export const placeBytes = 4;
export const placeUnit = 8;
/** Offsets in a row. */
export const rowAt = { entity: 0, record: 4, mappings: 8, room: 12, check: 16 } as const;
/** Where a free row has the place of the next one. */
export const nextFreeAt = rowAt.record;
export const rowHeadBytes = 20;
/** Largest record, and largest mappings of one company, in bytes: several times the largest in GLEIF's files. */
export const partBytesMax = 128 * 1024 * 1024;

/** The first bytes of a company file of a version. */
export function markOf(version: number): string {
  return `${mark}${version}\n`;
}

/** Count of cells for a number of entities: few enough to stay in caches, enough that most LEIs take one access. */
export function cellsFor(entities: number): number {
  return Math.ceil((entities + 1) * 1.5);
}

/**
 * How many entities fit a number of cells: a twelfth more than were written, as companies come in a year. Their places and
 * columns take room from the beginning.
 */
export function entitiesMost(cells: number): number {
  return Math.floor(cells * 0.72);
}

/** Bytes of a row with this content: a renewed record is rarely more than a few bytes longer. */
export function roomFor(bytes: number): number {
  return roomOf(rowHeadBytes + bytes + 4);
}

/** The next multiple of the unit of rows. */
export function roomOf(bytes: number): number {
  return Math.ceil(bytes / roomUnit) * roomUnit;
}

/** The list of free rows of a size. */
export function freeListOf(room: number): number {
  return Math.min(freeLists, Math.floor(room / roomUnit)) - 1;
}

/** The offset of the columns, which follow the places. */
export function columnsFrom(cells: number): number {
  return placesFrom(cells) + (entitiesMost(cells) + 1) * placeBytes;
}

/** The offset of the rows, which follow the columns. */
export function rowsFrom(cells: number): number {
  const end = columnsFrom(cells) + blocksFor(entitiesMost(cells)) * columnBlockBytes;
  return Math.ceil(end / placeUnit) * placeUnit;
}

/** Offset of the checksums of the cells, which follow the cells. */
export function checksFrom(cells: number): number {
  return headerBytes + cells * cellBytes;
}

/** How many checksums the cells have. */
export function checksFor(cells: number): number {
  return Math.ceil(cells / cellsPerCheck);
}

/** Offset of the places, which follow the checksums. */
export function placesFrom(cells: number): number {
  const end = checksFrom(cells) + checksFor(cells) * checkBytes;
  return Math.ceil(end / placeUnit) * placeUnit;
}

/** Where the cells begin and end that have a checksum together. */
export function cellsOfCheck(check: number, cells: number): { readonly from: number; readonly to: number } {
  const bytes = cellsPerCheck * cellBytes;
  const from = headerBytes + check * bytes;
  return { from, to: Math.min(from + bytes, checksFrom(cells)) };
}
