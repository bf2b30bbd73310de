/**
 * Stores the reporting exceptions of each entity: a direct and an ultimate code per entity number, in pages of 128
 * entities. Code 0 means none; another code is a row of the `exceptions` table, which contains each distinct text once.
 * The codes of a page have as many bytes as its greatest needs; earlier versions used four.
 */

import { append, type BytesTable, type Glimpse, glimpse, type ReadTransaction } from '../lmdb.ts';
import type { EntityNumber } from './publication-reader.ts';

const entitiesPerPage = 128;
const codesPerPage = 2 * entitiesPerPage;

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
  return page === null ? noExceptions : codesIn(page, entity);
}

function codesIn(page: Glimpse, entity: EntityNumber): ExceptionCodes {
  const place = placeOf(entity);
  return { direct: codeAt(page, place), ultimate: codeAt(page, place + 1) };
}

/** A page has all its codes. */
function codeAt({ bytes, length }: Glimpse, place: number): number {
  const width = length / codesPerPage;
  let code = 0;
  for (let at = (place + 1) * width - 1; at >= place * width; at--) code = code * 256 + (bytes[at] ?? 0);
  return code;
}

function packPage(codes: Uint32Array): Buffer {
  const greatest = codes.reduce((most, code) => Math.max(most, code), 0);
  const width = greatest < 2 ** 8 ? 1 : greatest < 2 ** 16 ? 2 : 4;
  const page = Buffer.alloc(codesPerPage * width);
  for (const [place, code] of codes.entries()) page.writeUIntLE(code, place * width, width);
  return page;
}

function unpackPage(page: Buffer | undefined): Uint32Array {
  if (page === undefined) return new Uint32Array(codesPerPage);
  return Uint32Array.from({ length: codesPerPage }, (_, place) =>
    codeAt({ bytes: page, length: page.length }, place),
  );
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
    return page === undefined ? noExceptions : codesIn({ bytes: page, length: page.length }, entity);
  };
}

/** Changes single codes, reading and writing only their pages. */
export function exceptionCodesWriter(table: BytesTable) {
  const pages = new Map<number, Uint32Array>();
  const pageFor = (entity: EntityNumber): Uint32Array => {
    const number = pageOf(entity);
    const known = pages.get(number) ?? unpackPage(table.get(number));
    pages.set(number, known);
    return known;
  };
  return {
    /** @param side 0 for the direct parent's, 1 for the ultimate one's */
    get: (entity: EntityNumber, side: number) => pageFor(entity)[placeOf(entity) + side] ?? 0,
    set(entity: EntityNumber, side: number, code: number): void {
      pageFor(entity)[placeOf(entity) + side] = code;
    },
    write() {
      table.transactionSync(() => {
        for (const [number, codes] of pages) {
          if (codes.some((code) => code !== 0)) table.putSync(number, packPage(codes));
          else table.removeSync(number);
        }
      });
    },
  };
}

/** Writes all pages; `codes` holds a direct and an ultimate code per entity number from 0. Empty pages are left out. */
export function writeExceptionCodes(table: BytesTable, codes: Uint32Array): void {
  table.transactionSync(() => {
    for (let first = 0; first < codes.length; first += codesPerPage) {
      const page = codes.subarray(first, first + codesPerPage);
      if (page.some((code) => code !== 0)) append(table, first / codesPerPage, packPage(page));
    }
  });
}

function pageOf(entity: EntityNumber): number {
  return Math.floor(entity / entitiesPerPage);
}

/** Of its direct code; the ultimate one follows. */
function placeOf(entity: EntityNumber): number {
  return (entity % entitiesPerPage) * 2;
}
