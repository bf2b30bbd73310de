/** The list of a table of a row file (layout.ts) in memory, while it is written. */
import { withRoom } from '../../bytes/memory.ts';
import { packPart } from './free-space.ts';
import { entryBytes, entryNumbers, placeUnit, unitsFor } from './layout.ts';

/** Rows that a list has room for: deltas bring new lists of documents. */
export function listRoom(rows: number): number {
  return rows + (rows >>> 4) + 16;
}

/** The list of a table in memory. */
export class RowList {
  /** One more than the greatest number of a row. */
  count = 0;
  #numbers = new Uint32Array(0);

  /** The place of a row, its bytes and its room; all 0 if there is none. */
  get(row: number): readonly [place: number, bytes: number, room: number] {
    const at = row * entryNumbers;
    const numbers = this.#numbers;
    return row >= this.count ? [0, 0, 0] : [numbers[at] ?? 0, numbers[at + 1] ?? 0, numbers[at + 2] ?? 0];
  }

  set(row: number, place: number, bytes: number, room: number): void {
    const at = row * entryNumbers;
    this.#numbers = withRoom(this.#numbers, this.count * entryNumbers, at + entryNumbers, numbersOf);
    this.count = Math.max(this.count, row + 1);
    this.#numbers.set([place, bytes, room], at);
  }

  /** Takes a stored list. */
  load(bytes: Buffer, rows: number): void {
    this.#numbers = new Uint32Array(rows * entryNumbers);
    Buffer.from(this.#numbers.buffer).set(bytes.subarray(0, rows * entryBytes));
    this.count = rows;
  }

  /** Appends the parts of a file that the rows take. */
  packParts(into: number[]): void {
    for (let row = 0; row < this.count; row++) {
      const [place, bytes, room] = this.get(row);
      if (bytes > 0) packPart({ place, room }, into);
    }
  }

  /** The list as it is stored. @param room the number of rows that it has room for */
  bytes(room: number): Buffer {
    const whole = Buffer.alloc(unitsFor(room * entryBytes) * placeUnit);
    const used = this.count * entryNumbers;
    whole.set(Buffer.from(this.#numbers.buffer, 0, used * 4));
    return whole;
  }
}

function numbersOf(length: number): Uint32Array<ArrayBuffer> {
  return new Uint32Array(length);
}
