/** Finds the pages of a company file with rows that a delta changed. */
import { closeSync, openSync, readSync } from 'node:fs';
import {
  headerAt,
  headerBytes,
  placeBytes,
  placesFrom,
  placeUnit,
  rowHeadBytes,
} from '../../../src/store/company-file-layout.ts';
import { pageBytes } from './difference.ts';

/** Rows of the company file, by entity number. */
class Rows {
  readonly #file: number;
  readonly #places: Buffer;
  readonly lastEntity: number;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
    const header = this.#read(headerBytes, 0);
    this.lastEntity = header.readUInt32LE(headerAt.lastEntity);
    const from = placesFrom(header.readUInt32LE(headerAt.cells));
    this.#places = this.#read((this.lastEntity + 1) * placeBytes, from);
  }

  #read(bytes: number, at: number): Buffer {
    const buffer = Buffer.alloc(bytes);
    readSync(this.#file, buffer, 0, bytes, at);
    return buffer;
  }

  /** The byte at which the entity's row begins. */
  placeOf(entity: number): number {
    return entity > this.lastEntity ? 0 : this.#places.readUInt32LE(entity * placeBytes) * placeUnit;
  }

  /** Its row with all its room. */
  rowAt(place: number): Buffer {
    return this.#read(this.#read(rowHeadBytes, place).readUInt32LE(12), place);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** @param changed 1 for each page of the file that changed */
export function changedRowPages(base: string, next: string, changed: Uint8Array): number {
  const [before, after] = [new Rows(base), new Rows(next)];
  const holding = new Set<number>();
  for (let entity = 1; entity <= after.lastEntity; entity++) {
    const place = after.placeOf(entity);
    const first = Math.floor(place / pageBytes);
    // Rows are usually shorter than a page; longer ones change on their first page too, which has their head.
    if (changed[first] !== 1 && changed[first + 1] !== 1) continue;
    const row = after.rowAt(place);
    const old = before.placeOf(entity);
    if (old > 0 && before.rowAt(old).equals(row)) continue;
    const last = Math.floor((place + row.length - 1) / pageBytes);
    for (let page = first; page <= last; page++) if (changed[page] === 1) holding.add(page);
  }
  before.close();
  after.close();
  return holding.size;
}
