/**
 * From fixed-width ASCII or binary keys to dense numbers from 1, in order of arrival.
 *
 * Open addressing over one byte array: three million LEIs take a hundred megabytes where a Map of strings takes
 * five times that and a garbage collector's attention.
 */
export interface KeyIndex {
  /** The greatest number given. */
  readonly size: number;
  /** The key's number, giving it the next one where it is new. */
  add(key: string): number;
  /** Gives a key the number it had in an earlier index. Only before the first add, each number once, no gaps. */
  restore(key: string, number: number): void;
  /** The key's number, or 0. */
  find(key: string): number;
  /** The key of a number. */
  key(number: number): string;
  /** Order of the keys of two numbers. */
  compare(a: number, b: number): number;
  /** All keys in number order, for the packed table; valid until the next add. */
  bytes(): Uint8Array;
}

/** Grown past this share, probes get long. */
const loadMax = 0.6;

export function createKeyIndex(width: number, expected = 1024): KeyIndex {
  let keys: Uint8Array = new Uint8Array(expected * width);
  let slots: Uint32Array = new Uint32Array(slotsFor(expected));
  let size = 0;
  const probe = new Uint8Array(width);

  const place = (bytes: Uint8Array, from: number): number => {
    const mask = slots.length - 1;
    let slot = hash(bytes, from, width) & mask;
    for (;;) {
      const number = slots[slot] ?? 0;
      if (number === 0 || equal(keys, (number - 1) * width, bytes, from, width)) return slot;
      slot = (slot + 1) & mask;
    }
  };
  const load = (key: string) => {
    if (key.length !== width) throw new Error(`A key of ${key.length} characters where ${width} are due.`);
    for (let i = 0; i < width; i++) probe[i] = key.charCodeAt(i);
  };
  const reserve = (number: number) => {
    if (number * width <= keys.length) return;
    const wider = new Uint8Array(Math.max(keys.length * 2, number * width));
    wider.set(keys);
    keys = wider;
  };
  const rehash = () => {
    slots = new Uint32Array(slots.length * 2);
    for (let number = 1; number <= size; number++) slots[place(keys, (number - 1) * width)] = number;
  };

  return {
    get size() {
      return size;
    },
    add(key) {
      load(key);
      const slot = place(probe, 0);
      const known = slots[slot] ?? 0;
      if (known !== 0) return known;
      reserve(size + 1);
      keys.set(probe, size * width);
      size++;
      slots[slot] = size;
      if (size > slots.length * loadMax) rehash();
      return size;
    },
    restore(key, number) {
      load(key);
      reserve(number);
      keys.set(probe, (number - 1) * width);
      size = Math.max(size, number);
      if (size > slots.length * loadMax)
        throw new Error('An index is restored into fewer places than expected.');
      slots[place(probe, 0)] = number;
    },
    find(key) {
      load(key);
      return slots[place(probe, 0)] ?? 0;
    },
    key: (number) => Buffer.from(keys.buffer, (number - 1) * width, width).toString('latin1'),
    compare(a, b) {
      for (let i = 0; i < width; i++) {
        const difference = (keys[(a - 1) * width + i] ?? 0) - (keys[(b - 1) * width + i] ?? 0);
        if (difference !== 0) return difference;
      }
      return 0;
    },
    bytes: () => keys.subarray(0, size * width),
  };
}

function slotsFor(expected: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(16, expected / loadMax)));
}

function hash(bytes: Uint8Array, from: number, width: number): number {
  let value = 0x811c9dc5;
  for (let i = from; i < from + width; i++) value = Math.imul(value ^ (bytes[i] ?? 0), 0x01000193);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}

function equal(a: Uint8Array, aFrom: number, b: Uint8Array, bFrom: number, width: number): boolean {
  for (let i = 0; i < width; i++) if (a[aFrom + i] !== b[bFrom + i]) return false;
  return true;
}
