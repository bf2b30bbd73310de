/**
 * Stores all ISINs of each company whose packed mappings show only the first of them, in blocks.
 *
 *     key:   entity number (4), big-endian | first ISIN of the block (12)
 *     value: for each further ISIN: how many characters it shares with the one before (1) | the others
 *
 * The ISINs of a company ascend. Which of them begin a block depends on each ISIN alone, so an added or removed one
 * changes one row, and equal lists give equal rows however they were made.
 */
import { hashItems } from '../bytes/hash.ts';
import type { BytesTable, ReadTransaction } from '../lmdb.ts';

export const isinLength = 12;
const keyLength = 4 + isinLength;

/** One ISIN in this many begins a block, which takes some hundreds of bytes. */
const isinsPerBlock = 64;

export interface IsinRow {
  readonly key: Buffer;
  readonly value: Buffer;
}

/**
 * The rows of one company.
 * @param isins one after the other, ascending and distinct
 */
export function* isinRows(entity: number, isins: Uint8Array): Generator<IsinRow> {
  let from = 0;
  for (let at = isinLength; at <= isins.length; at += isinLength) {
    if (at < isins.length && !beginsBlock(isins, at)) continue;
    yield { key: keyOf(entity, isins, from), value: packBlock(isins, from, at) };
    from = at;
  }
}

function beginsBlock(isins: Uint8Array, at: number): boolean {
  return hashItems(isins, at, at + isinLength) % isinsPerBlock === 0;
}

function keyOf(entity: number, isins: Uint8Array, at: number): Buffer {
  const key = Buffer.alloc(keyLength);
  key.writeUInt32BE(entity, 0);
  key.set(isins.subarray(at, at + isinLength), 4);
  return key;
}

/** Packs the ISINs between two positions; the first of them is in the key. */
function packBlock(isins: Uint8Array, from: number, to: number): Buffer {
  const value = Buffer.allocUnsafe(to - from + (to - from) / isinLength);
  let length = 0;
  for (let at = from + isinLength; at < to; at += isinLength) {
    const shared = sharedWithBefore(isins, at);
    value[length++] = shared;
    for (let i = shared; i < isinLength; i++) value[length++] = isins[at + i] ?? 0;
  }
  return value.subarray(0, length);
}

function sharedWithBefore(isins: Uint8Array, at: number): number {
  let shared = 0;
  while (shared < isinLength && isins[at + shared] === isins[at + shared - isinLength]) shared++;
  return shared;
}

export function entityOfIsinKey(key: Buffer): number {
  return key.readUInt32BE(0);
}

/** The ISINs of a row, ascending. */
export function* isinsInRow({ key, value }: IsinRow): Generator<string> {
  let isin = key.toString('latin1', 4);
  yield isin;
  for (let at = 0; at < value.length; ) {
    const shared = value[at++] ?? 0;
    const end = at + isinLength - shared;
    isin = isin.slice(0, shared) + value.toString('latin1', at, end);
    yield isin;
    at = end;
  }
}

/** The ISINs of a company, ascending. @param after only those beyond this one; null for all */
export function* isinsOf(
  table: BytesTable,
  entity: number,
  after: string | null,
  transaction: ReadTransaction,
): Generator<string> {
  const all = rangeOf(entity);
  const start = after === null ? all.start : blockOf(table, entity, after, transaction);
  for (const row of rowsIn(table, { ...all, start, transaction })) {
    for (const isin of isinsInRow(row)) if (after === null || isin > after) yield isin;
  }
}

/** The rows of a company, ascending. */
export function isinRowsOf(
  table: BytesTable,
  entity: number,
  transaction: ReadTransaction | undefined,
): Generator<IsinRow> {
  return rowsIn(table, { ...rangeOf(entity), ...(transaction === undefined ? {} : { transaction }) });
}

/** The keys of a company's rows. */
function rangeOf(entity: number) {
  const none = Buffer.alloc(isinLength);
  return { start: keyOf(entity, none, 0), end: keyOf(entity + 1, none, 0) };
}

/** The key of the block that an ISIN belongs to. */
function blockOf(table: BytesTable, entity: number, isin: string, transaction: ReadTransaction): Buffer {
  const wanted = keyOf(entity, Buffer.from(isin, 'latin1'), 0);
  const [before] = table.getKeys({ start: wanted, reverse: true, limit: 1, transaction });
  return Buffer.isBuffer(before) && entityOfIsinKey(before) === entity ? before : wanted;
}

interface RowRange {
  readonly start?: Buffer;
  readonly end?: Buffer;
  readonly transaction?: ReadTransaction;
}

function* rowsIn(table: BytesTable, range: RowRange): Generator<IsinRow> {
  for (const { key, value } of table.getRange(range)) if (Buffer.isBuffer(key)) yield { key, value };
}

/** Every row, by entity. */
export function allIsinRows(table: BytesTable, transaction: ReadTransaction): Generator<IsinRow> {
  return rowsIn(table, { transaction });
}
