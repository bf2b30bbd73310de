/**
 * Checks the file of the state before lmdb maps it (decision 064). lmdb trusts the file: if it was overwritten or cut
 * short, the process ends without naming the file or the way out. Damage further inside is left to lmdb.
 */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedFailure } from '../../errors.ts';

/** The state can't be read; for the operator. */
export class DamagedState extends ExpectedFailure {
  override readonly name = 'DamagedState';
  constructor(folder: string, fault: string) {
    super(
      'state-damaged',
      `${dataFile(folder)} is damaged: ${fault}. Stop the service, move ${folder} away and restore the accounts from a backup with lei accounts restore.`,
    );
  }
}

/** @throws DamagedState, or the system's error if the file can't be read */
export function refuseDamage(folder: string): void {
  const path = dataFile(folder);
  if (!existsSync(path)) return;
  const file = openSync(path, 'r');
  try {
    const fault = faultIn(file);
    if (fault !== null) throw new DamagedState(folder, fault);
  } finally {
    closeSync(file);
  }
}

/** The damage that lmdb itself reports when it opens the tables; null for any other error. */
export function damageFound(folder: string, error: unknown): DamagedState | null {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'number')) return null;
  return damageCodes.has(error.code) ? new DamagedState(folder, error.message) : null;
}

/** MDB_PAGE_NOTFOUND and MDB_CORRUPTED. */
const damageCodes: ReadonlySet<number> = new Set([-30797, -30796]);

/** The name that lmdb gives it. */
export function dataFile(folder: string): string {
  return join(folder, 'data.mdb');
}

/** Positions in each of the two meta pages at the beginning of a file. */
const metaPage = {
  flags: 18,
  magic: 24,
  version: 28,
  pageSize: 48,
  /** The first pages of the tree of free pages and of the tree of tables. */
  roots: [88, 136],
  length: 144,
} as const;
const metaFlag = 0x08;
const magic = 0xbeefc0de;
const version = 2;
/** The root of an empty tree. */
const noPage = 2n ** 64n - 1n;

function faultIn(file: number): string | null {
  const first = readMeta(file, 0);
  // lmdb has created the file and written nothing yet.
  if (first.length === 0) return null;
  if (!isMeta(first)) return 'it does not start like an LMDB file';
  const pageSize = first.readUInt32LE(metaPage.pageSize);
  const second = readMeta(file, pageSize);
  if (pageSize === 0 || !isMeta(second)) return 'its second page is not one that LMDB writes';
  // Read the size last: others may write meanwhile, and the file grows before a meta page tells of it. The last page may
  // be missing: lmdb need not have written it.
  const pages = BigInt(Math.floor(fstatSync(file).size / pageSize));
  const roots = [first, second].flatMap((meta) => metaPage.roots.map((at) => meta.readBigUInt64LE(at)));
  return roots.every((root) => root === noPage || root < pages) ? null : 'it is truncated';
}

function readMeta(file: number, position: number): Buffer {
  const meta = Buffer.alloc(metaPage.length);
  return meta.subarray(0, readSync(file, meta, 0, metaPage.length, position));
}

function isMeta(meta: Buffer): boolean {
  return (
    meta.length === metaPage.length &&
    (meta.readUInt16LE(metaPage.flags) & metaFlag) !== 0 &&
    meta.readUInt32LE(metaPage.magic) === magic &&
    // The upper half holds flags.
    meta.readUInt16LE(metaPage.version) === version
  );
}
