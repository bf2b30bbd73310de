/**
 * The one door to lmdb: opens environments for building, for reading a sealed publication, and for state.
 *
 * lmdb is read at the first open: threads of the loader that only parse or index would pay 90 ms for it. On a platform
 * without a native build (musl, unknown) it throws there.
 */
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import type { Database, RootDatabase, Transaction } from 'lmdb';
import { withRoom } from './bytes/memory.ts';
import { withoutStandardError } from './system/standard-error.ts';

/** `uint32` keys are native integers (append order = number order); `binary` keys compare byte by byte. */
type TableKeyKind = 'uint32' | 'binary' | 'string';

export type Key = number | string | Uint8Array;
export type TextTable = Database<string, Key>;
export type BytesTable = Database<Buffer, Key>;
export type Environment = RootDatabase<Buffer, Key>;
export type ReadTransaction = Transaction;

/** Address space only; writing allocates. */
const mapSizeBytes = 64 * 2 ** 30;
/** Enough for the tables of a publication and of the search index. */
const tablesMax = 48;
const readersMax = 512;

/** Room for the files of a new environment and its first tables. */
const newEnvironmentBytes = 256 * 1024;

/**
 * Refuses a full disk before lmdb creates the files of an environment there: lmdb maps a file before it has room for
 * it, and the first write to the mapping then ends the process.
 * @throws the system's error
 */
function refuseFullDisk(folder: string): void {
  // A file without blocks is a hole, such as a restored lock.mdb: as soon as it is written to, it needs room too.
  const isThere = (name: string) =>
    (statSync(join(folder, name), { throwIfNoEntry: false })?.blocks ?? 0) > 0;
  if (isThere('data.mdb') && isThere('lock.mdb')) return;
  const room = join(folder, 'room');
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(room, new Uint8Array(newEnvironmentBytes));
  } finally {
    rmSync(room, { force: true });
  }
}

/** The module that an import would read: the package has a second one for `require`. */
const readLmdb = (): typeof import('lmdb') => require(import.meta.resolve('lmdb'));

/** Opens a new environment for bulk building. Nothing is durable until {@link syncAndClose}. */
export function openForBuilding(path: string): Environment {
  refuseFullDisk(path);
  return readLmdb().open({
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
 * How a sealed environment is read. `scattered`: single rows, without read-ahead, which would read a stretch of the
 * disk for every row that is not in memory yet; `through`: from beginning to end.
 */
export type ReadingPattern = 'scattered' | 'through';

/** Opens a sealed environment read-only. One process maps a file once, however many threads open it. */
export function openReadOnly(path: string, pattern: ReadingPattern = 'through'): Environment {
  return readLmdb().open({
    path,
    readOnly: true,
    noReadAhead: pattern === 'scattered',
    mapSize: mapSizeBytes,
    maxDbs: tablesMax,
    maxReaders: readersMax,
    encoding: 'binary',
  });
}

/** The folder of an environment. */
export function folderOf({ path }: Environment): string {
  return path;
}

/** Opens the small durable read-write environment of the service's own state. */
export function openState(path: string): Environment {
  refuseFullDisk(path);
  return readLmdb().open({
    path,
    mapSize: 4 * 2 ** 30,
    maxDbs: tablesMax,
    maxReaders: readersMax,
    encoding: 'binary',
    // With overlapping syncs a commit resolves before it is durable, and closing hangs after a failed commit.
    overlappingSync: false,
    // Batching leaves rejections unhandled; Bun then exits with 1, for example on a full disk.
    eventTurnBatching: false,
  });
}

/**
 * Writes in the calling thread. lmdb prints a line without an end when a disk is full; the thrown error says the same.
 * @throws an error of lmdb ({@link systemError})
 */
export function writeAtOnce<Result>(environment: Environment, change: () => Result): Result {
  return withoutStandardError(() => environment.transactionSync(change));
}

/**
 * Waits for a write to be committed. lmdb rejects a failed one with "Commit failed" and hides the cause in another
 * promise. That one is awaited too: an unhandled rejection makes Bun exit with status 1.
 * @throws the cause, as the system reports it
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
 * Turns an error of lmdb that has only the system's number into one like the runtime's, with the name of the code, the
 * call and the path. Returns any other error as it is.
 */
export function systemError(error: unknown, syscall: 'open' | 'write', path: string): unknown {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'number')) return error;
  const known = getSystemErrorMap().get(-error.code);
  if (known === undefined) return error;
  const [code, words] = known;
  const named = new Error(`${code}: ${words}, ${syscall} '${path}'`, { cause: error });
  return Object.assign(named, { code, syscall, path });
}

function tableOptions(name: string, encoding: 'string' | 'binary', key: TableKeyKind) {
  // 'ordered-binary' is lmdb's default key encoding; it orders ASCII strings as bytes.
  return { name, encoding, keyEncoding: key === 'string' ? ('ordered-binary' as const) : key };
}

/** A table of UTF-8 texts. @throws if a read-only environment lacks it */
export function textTable(environment: Environment, name: string, key: TableKeyKind): TextTable {
  const table = knownTextTable(environment, name, key);
  if (table === null) throw new Error(`The environment has no table "${name}".`);
  return table;
}

/** A table of texts; null if a read-only environment lacks it. */
export function knownTextTable(environment: Environment, name: string, key: TableKeyKind): TextTable | null {
  const table: TextTable | undefined = environment.openDB<string, Key>(tableOptions(name, 'string', key));
  return table ?? null;
}

/** A table of packed bytes. @throws if a read-only environment lacks it */
export function bytesTable(environment: Environment, name: string, key: TableKeyKind): BytesTable {
  const table = knownBytesTable(environment, name, key);
  if (table === null) throw new Error(`The environment has no table "${name}".`);
  return table;
}

/** A table of packed bytes; null if a read-only environment lacks it. */
export function knownBytesTable(
  environment: Environment,
  name: string,
  key: TableKeyKind,
): BytesTable | null {
  const table: BytesTable | undefined = environment.openDB<Buffer, Key>(tableOptions(name, 'binary', key));
  return table ?? null;
}

/** A table to which rows of bytes are appended, or a substitute for one. */
export interface Appendable {
  putSync(key: Key, value: Buffer, options: { append: true }): unknown;
}

/**
 * Appends a row whose key is greater than every key in the table.
 * @throws if it is not; lmdb itself silently drops such a row
 */
export function append(table: Appendable, key: Key, value: Buffer): void {
  const stored = table.putSync(key, value, { append: true });
  if (stored === false) {
    throw new Error(`A row was appended out of order (key ${String(key)}).`);
  }
}

/** Keeps one encoded text at a time: lmdb copies a value at once, and would itself allocate a buffer for each. */
let encoded = Buffer.allocUnsafeSlow(64 * 1024);

/** As {@link append}. */
export function appendText(table: Appendable, key: Key, text: string): void {
  // UTF-8 needs at most three bytes for each UTF-16 unit.
  encoded = withRoom(encoded, 0, text.length * 3, Buffer.allocUnsafeSlow);
  append(table, key, encoded.subarray(0, encoded.write(text, 0)));
}

/**
 * A value in a buffer that its reader reuses: read it before the next one is asked for. lmdb has one buffer for all tables
 * of a thread.
 */
export interface Glimpse {
  /** Longer than the value. */
  readonly bytes: Buffer;
  readonly length: number;
}

/** Reads a value without copying it; null if there is none. */
export function glimpse(
  table: TextTable | BytesTable,
  key: Key,
  options: { readonly transaction?: ReadTransaction },
): Glimpse | null {
  const bytes = table.getBinaryFast(key, options);
  // lmdb sets the buffer's length to that of the current value.
  return bytes === undefined ? null : { bytes, length: bytes.length };
}

/** The number of rows in a table. */
export function rowCount<Value>(table: Database<Value, Key>): number {
  const statistics = table.getStats();
  if ('entryCount' in statistics && typeof statistics.entryCount === 'number') return statistics.entryCount;
  throw new Error('lmdb tells no row count.');
}

/**
 * Deletes the tables whose names begin with `prefix`. Reopen the environment before making them again, since handles of
 * deleted tables are invalid.
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

/** The types of lmdb lack these. */
declare module 'lmdb' {
  interface Database<V, K extends Key> {
    getBinaryFast(id: K, options?: GetOptions): Buffer | undefined;
    /** @param value stored bytes, whatever the encoding */
    putSync(id: K, value: Uint8Array, options: PutOptions): boolean;
  }
  interface RootDatabase<V, K extends Key> {
    /** The folder of the environment. */
    readonly path: string;
  }
  interface RootDatabaseOptions {
    noReadAhead?: boolean;
  }
}
