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

/** Records that another thread of the process reads: plain data. */
export interface SharedRecords {
  /** Its descriptor: the file may be deleted meanwhile. */
  readonly file: number;
  readonly path: string;
  /** Entities, each followed by the place of its record. */
  readonly places: Uint32Array;
}

/** @returns a function that reads the record of an entity; null if the load brought none */
export function openShared({ file, path, places }: SharedRecords): (entity: number) => Glimpse | null {
  const reader = new RecordReader(file, path);
  const placeOf = new Map<number, number>();
  for (let at = 0; at < places.length; at += 2) placeOf.set(places[at] ?? 0, places[at + 1] ?? 0);
  return (entity) => {
    const place = placeOf.get(entity);
    return place === undefined ? null : reader.read((place - 1) * unit);
  };
}

/** Reads records of a file. A record is valid until the next is read. */
class RecordReader {
  readonly #file: number;
  readonly #path: string;
  #window = Buffer.allocUnsafeSlow(windowBytes.onward);
  /** Which bytes of the file the window has. */
  #from = 0;
  #to = 0;
  #kept = Buffer.allocUnsafeSlow(4096);

  constructor(file: number, path: string) {
    this.#file = file;
    this.#path = path;
  }

  read(at: number): Glimpse {
    // A long record may replace the buffer of the window, so the window is read only after the record is in it.
    const head = this.#show(at, lengthBytes);
    const length = this.#window.readUInt32LE(head);
    const from = this.#show(at, lengthBytes + length);
    return this.keep(this.#window, from);
  }

  /** Copies a record, because the bytes around it change. */
  keep(bytes: Buffer, at: number): Glimpse {
    const length = bytes.readUInt32LE(at);
    this.#kept = withRoom(this.#kept, 0, length, Buffer.allocUnsafeSlow);
    bytes.copy(this.#kept, 0, at + lengthBytes, at + lengthBytes + length);
    return { bytes: this.#kept, length };
  }

  /** Forgets the window: it may end where the file went on. */
  forget(): void {
    this.#to = this.#from;
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
}

export class CompanyRecords {
  readonly #path: string;
  readonly #file: number;
  /** Where the last record of each entity begins, in units, plus one. */
  readonly #places: ReturnType<typeof createMarks>;
  /** Not yet written. */
  readonly #pending = new ByteWriter();
  /** Bytes of the file. */
  #end = 0;
  readonly #reader: RecordReader;

  /**
   * @param folder gets the file
   * @param few whether so few companies come that a list of all entities would cost more than they do
   */
  constructor(folder: string, few: boolean) {
    this.#path = join(folder, fileName);
    this.#file = openSync(this.#path, 'w+');
    this.#places = createMarks(few);
    this.#reader = new RecordReader(this.#file, this.#path);
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
    this.#reader.forget();
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
    if (at >= this.#end) return this.#reader.keep(this.#pending.view(), at - this.#end);
    return this.#reader.read(at);
  }

  /** Lets another thread read the records that came so far, while the file is open. */
  shared(): SharedRecords {
    this.#flush();
    const places = [...this.brought()].flatMap((entity) => [entity, this.#places.get(entity)]);
    return { file: this.#file, path: this.#path, places: Uint32Array.from(places) };
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
