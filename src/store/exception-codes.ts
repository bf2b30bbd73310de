/**
 * Stores the reporting exceptions of each entity: a direct and an ultimate code per entity number, in pages of 128
 * entities. Code 0 means none; another code is a row of the `exceptions` table, which contains each distinct text once.
 */

import { uint32At } from '../bytes/numbers-in-bytes.ts';
import { append, type BytesTable, glimpse, type ReadTransaction } from '../lmdb.ts';
import type { EntityNumber } from './publication-reader.ts';

const entitiesPerPage = 128;
const bytesPerEntity = 8;

interface ExceptionCodes {
  readonly direct: number;
  readonly ultimate: number;
}
export const noExceptions: ExceptionCodes = { direct: 0, ultimate: 0 };

export function readExceptionCodes(
  table: BytesTable,
  entity: EntityNumber,
  transaction: ReadTransaction | undefined,
): ExceptionCodes {
  const page = glimpse(table, pageOf(entity), transaction === undefined ? {} : { transaction });
  return page === null ? noExceptions : codesIn(page.bytes, entity);
}

/** A page always has its full length. */
function codesIn(page: Uint8Array, entity: EntityNumber): ExceptionCodes {
  const at = offsetOf(entity);
  return { direct: uint32At(page, at), ultimate: uint32At(page, at + 4) };
}

/** Reads the codes of many entities in ascending order. It reads every page once, not once for each of its entities. */
export function exceptionCodesReader(
  table: BytesTable,
  transaction: ReadTransaction,
): (entity: EntityNumber) => ExceptionCodes {
  let number = -1;
  let page: Buffer | undefined;
  return (entity) => {
    if (pageOf(entity) !== number) {
      number = pageOf(entity);
      page = table.get(number, { transaction });
    }
    return page === undefined ? noExceptions : codesIn(page, entity);
  };
}

/** Changes single codes, reading and writing only their pages. */
export function exceptionCodesWriter(table: BytesTable) {
  const pages = new Map<number, Buffer>();
  const pageFor = (entity: EntityNumber): Buffer => {
    const number = pageOf(entity);
    const known = pages.get(number) ?? table.get(number) ?? Buffer.alloc(entitiesPerPage * bytesPerEntity);
    pages.set(number, known);
    return known;
  };
  return {
    /** @param side 0 for the direct parent's, 1 for the ultimate one's */
    get: (entity: EntityNumber, side: number) => uint32At(pageFor(entity), offsetOf(entity) + side * 4),
    set: (entity: EntityNumber, side: number, code: number) =>
      void pageFor(entity).writeUInt32LE(code, offsetOf(entity) + side * 4),
    write() {
      table.transactionSync(() => {
        for (const [number, page] of pages) {
          if (page.some((byte) => byte !== 0)) table.putSync(number, page);
          else table.removeSync(number);
        }
      });
    },
  };
}

/** Writes all pages; `codes` holds a direct and an ultimate code per entity number from 0. Empty pages are left out. */
export function writeExceptionCodes(table: BytesTable, codes: Uint32Array): void {
  const codesPerPage = (entitiesPerPage * bytesPerEntity) / 4;
  table.transactionSync(() => {
    for (let first = 0; first < codes.length; first += codesPerPage) {
      const page = codes.subarray(first, first + codesPerPage);
      if (page.every((code) => code === 0)) continue;
      const bytes = Buffer.alloc(entitiesPerPage * bytesPerEntity);
      page.forEach((code, index) => void bytes.writeUInt32LE(code, index * 4));
      append(table, first / codesPerPage, bytes);
    }
  });
}

function pageOf(entity: EntityNumber): number {
  return Math.floor(entity / entitiesPerPage);
}

function offsetOf(entity: EntityNumber): number {
  return (entity % entitiesPerPage) * bytesPerEntity;
}
