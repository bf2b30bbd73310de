/**
 * The one door to lmdb: environments opened for building, for reading a sealed publication, and for state.
 *
 * Bun on a musl or unknown platform may load no native build at all; lmdb then throws on the first open, which
 * is why nothing here is opened at import time.
 */
import { getSystemErrorMap } from 'node:util';
import { type Database, open, type RootDatabase, type Transaction } from 'lmdb';
import { withRoom } from './bytes/room.ts';

/** Tables hold texts or bytes. */
type Encoding = 'string' | 'binary';
/** `uint32` keys are native integers (append order = number order); `binary` keys compare byte by byte. */
type KeyKind = 'uint32' | 'binary' | 'string';

export type Key = number | string | Uint8Array;
export type TextTable = Database<string, Key>;
export type BytesTable = Database<Buffer, Key>;
export type Environment = RootDatabase<Buffer, Key>;
export type ReadTransaction = Transaction;

/** Address space only: nothing is allocated until it is written. */
const mapSizeBytes = 64 * 2 ** 30;
/** The tables of a publication and of the search index, with room for later ones. */
const tablesMax = 48;
const readersMax = 512;

/** Opens a new environment for bulk building. Nothing is durable until {@link syncAndClose}. */
export function openForBuilding(path: string): Environment {
  return open({
    path,
    noSync: true,
    overlappingSync: false,
    noMemInit: true,
    mapSize: mapSizeBytes,
    maxDbs: tablesMax,
    encoding: 'binary',
  });
}

/**
 * How a sealed environment is read. `scattered`: rows here and there, for which the kernel must not read on ahead, or
 * every row that is not in memory yet costs a whole stretch of the disk; `through`: from one end to the other.
 */
export type ReadingPattern = 'scattered' | 'through';

/** Opens a sealed environment read-only. One process maps a file once, however many threads open it. */
export function openReadOnly(path: string, pattern: ReadingPattern = 'through'): Environment {
  return open({
    path,
    readOnly: true,
    noReadAhead: pattern === 'scattered',
    mapSize: mapSizeBytes,
    maxDbs: tablesMax,
    maxReaders: readersMax,
    encoding: 'binary',
  });
}

/** Opens the small durable read-write environment of the service's own state. */
export function openState(path: string): Environment {
  return open({
    path,
    mapSize: 4 * 2 ** 30,
    maxDbs: tablesMax,
    maxReaders: readersMax,
    encoding: 'binary',
    // Else what waits for lmdb to flush, as closing does, waits for ever once a commit has failed; and a commit says
    // that it is done before it is durable.
    overlappingSync: false,
    // Its batches promise a commit to nobody: on a full disk a rejection that ends the service with status 1.
    eventTurnBatching: false,
  });
}

/**
 * Waits for a write to be committed. Where it fails, lmdb rejects with "Commit failed" and hides the cause in
 * another promise; that one is waited for too, since a rejection nobody waits for makes Bun exit with status 1.
 * @throws what the disk said
 */
export async function committed<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof Error && 'commitError' in error) await error.commitError;
    throw error;
  }
}

/**
 * An error in which lmdb gives no more than the system's number, as the runtime's own errors are: with the name of
 * the code, the call and the path. Any other error as it is.
 */
export function systemError(error: unknown, syscall: 'open' | 'write', path: string): unknown {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'number')) return error;
  const known = getSystemErrorMap().get(-error.code);
  if (known === undefined) return error;
  const [code, words] = known;
  const told = new Error(`${code}: ${words}, ${syscall} '${path}'`, { cause: error });
  return Object.assign(told, { code, syscall, path });
}

function tableOptions(name: string, encoding: Encoding, key: KeyKind) {
  // 'ordered-binary' is lmdb's own name for its default key encoding, which orders ASCII strings as bytes.
  return { name, encoding, keyEncoding: key === 'string' ? ('ordered-binary' as const) : key };
}

/** A table of UTF-8 texts. Throws where a read-only environment does not have it. */
export function textTable(environment: Environment, name: string, key: KeyKind): TextTable {
  const table: TextTable | undefined = environment.openDB<string, Key>(tableOptions(name, 'string', key));
  if (table === undefined) throw new Error(`The environment has no table "${name}".`);
  return table;
}

/** A table of packed bytes. Throws where a read-only environment does not have it. */
export function bytesTable(environment: Environment, name: string, key: KeyKind): BytesTable {
  const table: BytesTable | undefined = environment.openDB<Buffer, Key>(tableOptions(name, 'binary', key));
  if (table === undefined) throw new Error(`The environment has no table "${name}".`);
  return table;
}

/** What rows of bytes are appended to: a table, or what stands for one. */
export interface Appendable {
  putSync(key: Key, value: Buffer, options: { append: true }): unknown;
}

/**
 * Appends a row whose key must be greater than every key in the table (an lmdb append silently drops a row that
 * is out of order, so the answer is checked here).
 */
export function append(table: Appendable, key: Key, value: Buffer): void {
  // False where the row was not stored.
  const stored = table.putSync(key, value, { append: true });
  if (stored === false) {
    throw new Error(`A row was appended out of order (key ${String(key)}).`);
  }
}

/** Texts are encoded here: lmdb, which copies a value at once, would make a buffer of each. */
let encoded = Buffer.allocUnsafeSlow(64 * 1024);

/** As {@link append}. */
export function appendText(table: TextTable, key: Key, text: string): void {
  // Three bytes are the most UTF-8 needs for one character of a string.
  encoded = withRoom(encoded, 0, text.length * 3, Buffer.allocUnsafeSlow);
  append(table, key, encoded.subarray(0, encoded.write(text, 0)));
}

declare module 'lmdb' {
  // lmdb's own types leave out that this takes the options of `get`.
  interface Database<V, K extends Key> {
    getBinaryFast(id: K, options?: GetOptions): Buffer | undefined;
    // And that a value may be given as the bytes that it is stored as.
    putSync(id: K, value: Uint8Array, options: PutOptions): boolean;
  }
  // And this option of an environment.
  interface RootDatabaseOptions {
    noReadAhead?: boolean;
  }
}

/** A value where lmdb has read it to: valid until the next read of any table in this thread. */
export interface Glimpse {
  /** Longer than the value. */
  readonly bytes: Buffer;
  readonly length: number;
}

/** Reads a value without making a copy of its own of it; null where there is none. */
export function glimpse(
  table: TextTable | BytesTable,
  key: Key,
  options: { readonly transaction?: ReadTransaction },
): Glimpse | null {
  const bytes = table.getBinaryFast(key, options);
  // lmdb sets the buffer's length to that of the value it holds just now.
  return bytes === undefined ? null : { bytes, length: bytes.length };
}

/** How many rows a table holds. */
export function rowCount<Value>(table: Database<Value, Key>): number {
  const statistics = table.getStats();
  if ('entryCount' in statistics && typeof statistics.entryCount === 'number') return statistics.entryCount;
  throw new Error('lmdb tells no row count.');
}

/**
 * Deletes the tables whose names begin with `prefix`. Whoever makes them again must open the environment anew: a
 * handle of a deleted table is not to be used.
 */
export function dropTables(environment: Environment, prefix: string): void {
  const names = [...environment.getKeys({})].map(String).filter((name) => name.startsWith(prefix));
  for (const name of names) bytesTable(environment, name, 'binary').dropSync();
}

/** Makes everything written durable and closes the environment. */
export async function syncAndClose(environment: Environment): Promise<void> {
  await environment.flushed;
  await environment.close();
}
