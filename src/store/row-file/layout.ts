/**
 * Lays out a row file: rows of bytes, each under its number in one of several tables. rows.ts reads it, writer.ts writes a new
 * one, and changes.ts changes a copy.
 *
 *     header   mark, for each table the place of its list, its rows and the rows that the list has room for, checksum
 *     rows     in any order
 *     lists    one for each table: of every row its place, its bytes and its room
 *
 * Numbers have 32 bits and are little-endian. A place is an offset divided by 8, and room counts units of 8 bytes. There is no row
 * with 0 bytes. Free bytes may be between all of these.
 */
import { checksum } from '../../bytes/hash.ts';

/** Any change of the format needs a new version. */
const mark = 'LEI rows 1\n';
const listsAt = 16;
const listHeadBytes = 12;

export const placeUnit = 8;
/** Of a row in its list. */
export const entryBytes = 12;
/** The same in numbers. */
export const entryNumbers = 3;
/** Offsets in an entry. */
export const entryAt = { place: 0, bytes: 4, room: 8 } as const;

/** Where the list of a table stands. */
export interface StoredList {
  readonly place: number;
  /** The number of rows, those without bytes included. */
  readonly rows: number;
  /** The number of rows that the list has room for. */
  readonly room: number;
}

export function headerBytes(tables: number): number {
  return unitsFor(listsAt + tables * listHeadBytes + 4) * placeUnit;
}

/** How many units hold so many bytes. */
export function unitsFor(bytes: number): number {
  return Math.ceil(bytes / placeUnit);
}

/** Room of a new row: a changed one is rarely more than a little longer. */
export function roomFor(bytes: number): number {
  return unitsFor(bytes + (bytes >>> 5));
}

/** @returns the header and its checksum */
export function packHeader(lists: readonly StoredList[]): {
  readonly header: Buffer;
  readonly check: number;
} {
  const header = Buffer.alloc(headerBytes(lists.length));
  header.write(mark, 'latin1');
  let at = listsAt;
  for (const { place, rows, room } of lists) {
    for (const number of [place, rows, room]) at = header.writeUInt32LE(number, at);
  }
  const check = checksum(header.subarray(0, at));
  header.writeUInt32LE(check, at);
  return { header, check };
}

/** @returns null if it is not the header of a file with so many tables */
export function parseHeader(
  header: Buffer,
  tables: number,
): { readonly lists: readonly StoredList[]; readonly check: number } | null {
  const end = listsAt + tables * listHeadBytes;
  const check = header.readUInt32LE(end);
  const isWhole =
    header.toString('latin1', 0, mark.length) === mark && checksum(header.subarray(0, end)) === check;
  if (!isWhole) return null;
  const lists = Array.from({ length: tables }, (_, table) => {
    const at = listsAt + table * listHeadBytes;
    const numberAt = (number: number) => header.readUInt32LE(at + 4 * number);
    return { place: numberAt(0), rows: numberAt(1), room: numberAt(2) };
  });
  return { lists, check };
}
