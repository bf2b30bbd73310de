/**
 * The changes of the history in the order in which publications brought them: which companies changed, in blocks. The
 * changes themselves are the rows of change-records.ts.
 *
 *     key:   version index (4) | number of the block's first change in its version (4), big-endian
 *     value: time of the version in ms (6), big-endian | for each change: its kind (1), LEI (20)
 *
 * Every version that can be followed has a block, even if it changed nothing.
 */
import { type ChangeKind, changeKinds } from '../lei/change-kinds.ts';
import { append, type BytesTable, type ReadTransaction } from '../lmdb.ts';
import { changeKeyAt, changeTime } from './change-records.ts';
import { leiLength } from './company-fields.ts';
import type { SealedTables, Tables } from './tables.ts';

const timeBytes = 6;
const entryBytes = 1 + leiLength;
/** A block fills a page of four kilobytes. */
const changesPerBlock = 190;

/** A position in the history: the number of a change in the version that brought it. */
export interface ChangePlace {
  /** Index of the version. */
  readonly version: number;
  readonly sequence: number;
}

/** A change as its block lists it. Most are skipped, so LEI and key are made on demand. */
class ListedChange implements ChangePlace {
  readonly version: number;
  readonly sequence: number;
  readonly #block: Buffer;
  readonly #at: number;

  constructor({ version, sequence }: ChangePlace, block: Buffer, at: number) {
    this.version = version;
    this.sequence = sequence;
    this.#block = block;
    this.#at = at;
  }

  get kind(): ChangeKind {
    return changeKinds[this.#block[this.#at] ?? 0] ?? 'change';
  }

  get lei(): string {
    return this.#block.toString('latin1', this.#at + 1, this.#at + entryBytes);
  }

  /** The key of its row among the changes. */
  get key(): Buffer {
    const { lei, version, sequence } = this;
    return changeKeyAt({ lei, time: this.#block.readUIntBE(0, timeBytes), version, sequence });
  }
}

function blockKey({ version, sequence }: ChangePlace): Buffer {
  const key = Buffer.alloc(8);
  key.writeUInt32BE(version, 0);
  key.writeUInt32BE(sequence, 4);
  return key;
}

interface ChangeOrderWriter {
  /** Receives the changes of a version in order. */
  add(lei: string, kind: ChangeKind): void;
  /** Writes the last block. */
  end(): void;
}

/** Writes the blocks of the newest version. @param at its source time */
export function changeOrderWriter(
  { changeOrder: table }: Tables,
  version: number,
  at: string,
): ChangeOrderWriter {
  const block = Buffer.alloc(timeBytes + changesPerBlock * entryBytes);
  block.writeUIntBE(changeTime(at), 0, timeBytes);
  let written = 0;
  let held = 0;
  const write = () => {
    append(table, blockKey({ version, sequence: written }), block.subarray(0, timeBytes + held * entryBytes));
    written += held;
    held = 0;
  };
  return {
    add(lei, kind) {
      const start = timeBytes + held * entryBytes;
      block.writeUInt8(changeKinds.indexOf(kind), start);
      block.write(lei, start + 1, leiLength, 'latin1');
      if (++held === changesPerBlock) write();
    },
    end: () => {
      if (held > 0 || written === 0) write();
    },
  };
}

/** Copies the blocks from a version on into an empty table. */
export function carryChangeOrder(
  from: { readonly tables: SealedTables; readonly transaction: ReadTransaction },
  { changeOrder: to }: Tables,
  version: number,
): void {
  const { tables, transaction } = from;
  const start = blockKey({ version, sequence: 0 });
  for (const { key, value } of tables.changeOrder?.getRange({ start, transaction }) ?? [])
    append(to, key, value);
}

/** Removes the blocks of the versions before one. */
export function forgetChangeOrder({ changeOrder: table }: Tables, version: number): void {
  const end = blockKey({ version, sequence: 0 });
  for (const key of [...table.getKeys({ end })]) table.removeSync(key);
}

/** The source time of a version in ms; null if the version can't be followed. */
export function timeOfVersion(
  table: BytesTable,
  version: number,
  transaction: ReadTransaction,
): number | null {
  return table.get(blockKey({ version, sequence: 0 }), { transaction })?.readUIntBE(0, timeBytes) ?? null;
}

/** The versions that have blocks, each at least once. */
export function* orderedVersions(table: BytesTable, transaction: ReadTransaction): Generator<number> {
  for (const key of table.getKeys({ transaction })) if (Buffer.isBuffer(key)) yield key.readUInt32BE(0);
}

/** The position before all changes. */
export const beginning: ChangePlace = { version: 0, sequence: -1 };

/** The changes after a position, oldest first. */
export function* listedChanges(
  table: BytesTable,
  after: ChangePlace,
  transaction: ReadTransaction,
): Generator<ListedChange> {
  const next = { version: after.version, sequence: after.sequence + 1 };
  const start = blockKey({ ...next, sequence: next.sequence - (next.sequence % changesPerBlock) });
  for (const { key, value } of table.getRange({ start, transaction })) {
    if (!Buffer.isBuffer(key)) continue;
    for (const change of changesInBlock(key, value)) {
      if (change.version > next.version || change.sequence >= next.sequence) yield change;
    }
  }
}

function* changesInBlock(key: Buffer, block: Buffer): Generator<ListedChange> {
  const version = key.readUInt32BE(0);
  let sequence = key.readUInt32BE(4);
  for (let at = timeBytes; at < block.length; at += entryBytes) {
    yield new ListedChange({ version, sequence }, block, at);
    sequence++;
  }
}
