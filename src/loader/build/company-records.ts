/**
 * The packed records that a load brings, in a file of their own until their rows are written: the identifiers of a company
 * are known only once all files are read.
 *
 *     length, record, bytes up to a multiple of 4; …
 */
import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ByteWriter } from '../../bytes/byte-writer.ts';
import { withRoom } from '../../bytes/memory.ts';
import type { Glimpse } from '../../lmdb.ts';
import { writeAll } from '../../publication/files.ts';
import { createMarks } from './number-list.ts';

const fileName = 'records';
const lengthBytes = 4;
/** A record begins at a multiple of this. */
const unit = 4;
/** Bytes that are written at once. */
const pendingBytes = 1024 * 1024;
/** Bytes read at once: by a reader that goes on where it was, and by one that jumps. */
const windowBytes = { onward: 256 * 1024, elsewhere: 4 * 1024 };

export class CompanyRecords {
  readonly #path: string;
  readonly #file: number;
  /** Where the last record of each entity begins, in units, plus one. */
  readonly #places: ReturnType<typeof createMarks>;
  /** Not yet written. */
  readonly #pending = new ByteWriter();
  /** Bytes of the file. */
  #end = 0;
  #window = Buffer.allocUnsafeSlow(windowBytes.onward);
  /** Which bytes of the file the window has. */
  #from = 0;
  #to = 0;
  #kept = Buffer.allocUnsafeSlow(4096);

  /**
   * @param folder gets the file
   * @param few whether so few companies come that a list of all entities would cost more than they do
   */
  constructor(folder: string, few: boolean) {
    this.#path = join(folder, fileName);
    this.#file = openSync(this.#path, 'w+');
    this.#places = createMarks(few);
  }

  /** Adds a record, which replaces an earlier one of the entity. */
  add(entity: number, record: Uint8Array, provenance: Uint8Array): void {
    const pending = this.#pending;
    this.#places.set(entity, (this.#end + pending.length) / unit + 1);
    pending.uint32(record.length + provenance.length);
    pending.append(record);
    pending.append(provenance);
    while (pending.length % unit !== 0) pending.byte(0);
    if (pending.length >= pendingBytes) this.#flush();
  }

  #flush(): void {
    writeAll(this.#file, this.#pending.view(), this.#end);
    this.#end += this.#pending.length;
    this.#pending.clear();
    // The window may end where the file went on.
    this.#to = this.#from;
  }

  has(entity: number): boolean {
    return this.#places.get(entity) !== 0;
  }

  /** Entities of which the load brought a record, ascending. */
  brought(): Iterable<number> {
    return this.#places.marked();
  }

  /** The record of an entity; null if the load brought none. */
  read(entity: number): Glimpse | null {
    const place = this.#places.get(entity);
    if (place === 0) return null;
    const at = (place - 1) * unit;
    if (at >= this.#end) return this.#keep(this.#pending.view(), at - this.#end);
    const length = this.#window.readUInt32LE(this.#show(at, lengthBytes));
    return this.#keep(this.#window, this.#show(at, lengthBytes + length));
  }

  #keep(bytes: Buffer, at: number): Glimpse {
    const length = bytes.readUInt32LE(at);
    this.#kept = withRoom(this.#kept, 0, length, Buffer.allocUnsafeSlow);
    bytes.copy(this.#kept, 0, at + lengthBytes, at + lengthBytes + length);
    return { bytes: this.#kept, length };
  }

  /** @returns where the window has these bytes of the file */
  #show(at: number, length: number): number {
    if (at >= this.#from && at + length <= this.#to) return at - this.#from;
    const goesOn = at >= this.#from && at <= this.#to;
    const wanted = Math.max(length, goesOn ? windowBytes.onward : windowBytes.elsewhere);
    this.#window = withRoom(this.#window, 0, wanted, Buffer.allocUnsafeSlow);
    this.#from = at;
    this.#to = at + readSync(this.#file, this.#window, 0, wanted, at);
    if (this.#to < at + length) throw new Error(`${this.#path} ends before byte ${at + length}.`);
    return 0;
  }

  /** Deletes the file, of which nothing is needed any more. */
  remove(): void {
    rmSync(this.#path);
  }

  /**
   * Closes the file. It stays where it is if it was not deleted: a load that fails looks at the free space of the disk
   * first, to say why.
   */
  close(): void {
    closeSync(this.#file);
  }
}
