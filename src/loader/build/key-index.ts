/**
 * Maps fixed-width ASCII or binary keys to dense numbers from 1, in order of arrival.
 *
 * It uses open addressing over one byte array: three million LEIs take a hundred megabytes, a fifth of a Map of
 * strings, and no work of the garbage collector.
 */
import { compareKeys, hashItems } from '../../bytes/hash.ts';
import { ownMemory, withRoom } from '../../bytes/memory.ts';

/** Beyond this share, probes get long. */
const loadMax = 0.6;

/** @param memory of the keys */
export function createKeyIndex(width: number, expected = 1024, memory = ownMemory) {
  let keys: Uint8Array = memory.bytes(expected * width);
  let cells: Uint32Array = new Uint32Array(cellsFor(expected));
  let size = 0;
  const probe = new Uint8Array(width);
  /** The key that was added last, and its number: many rows of one company follow each other. */
  let last = '';
  let lastNumber = 0;

  const place = (bytes: Uint8Array, from: number): number => {
    const mask = cells.length - 1;
    let cell = hashItems(bytes, from, from + width) & mask;
    for (;;) {
      const number = cells[cell] ?? 0;
      if (number === 0 || compareKeys(keys, (number - 1) * width, bytes, from, width) === 0) return cell;
      cell = (cell + 1) & mask;
    }
  };
  const load = (key: string) => {
    if (key.length !== width) throw new Error(`A key of ${key.length} characters where ${width} are due.`);
    for (let i = 0; i < width; i++) probe[i] = key.charCodeAt(i);
  };
  const reserve = (number: number) => {
    keys = withRoom(keys, size * width, number * width, memory.bytes);
  };
  const rehash = () => {
    cells = new Uint32Array(cells.length * 2);
    for (let number = 1; number <= size; number++) cells[place(keys, (number - 1) * width)] = number;
  };

  const numberOf = (key: string): number => {
    load(key);
    const cell = place(probe, 0);
    const known = cells[cell] ?? 0;
    if (known !== 0) return known;
    reserve(size + 1);
    keys.set(probe, size * width);
    size++;
    cells[cell] = size;
    if (size > cells.length * loadMax) rehash();
    return size;
  };

  return {
    /** The greatest number given. */
    get size(): number {
      return size;
    },
    /** The key's number; assigns the next one if it is new. */
    add(key: string): number {
      if (key === last && lastNumber !== 0) return lastNumber;
      lastNumber = numberOf(key);
      last = key;
      return lastNumber;
    },
    /** The key's number, or 0. */
    find(key: string): number {
      load(key);
      return cells[place(probe, 0)] ?? 0;
    },
    /** The key of a number. */
    key: (number: number) => Buffer.from(keys.buffer, (number - 1) * width, width).toString('latin1'),
    /** All keys so far in number order, not copied, for the packed table. */
    bytes: () => keys.subarray(0, size * width),
  };
}

function cellsFor(expected: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(16, expected / loadMax)));
}
