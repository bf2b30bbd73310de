/** Memory of growing columns: where it is allocated, how it grows, and when a load collects its garbage. */

/** Allocates memory for one thread, or shared between threads. All of it is zeros. */
export interface Memory {
  bytes(length: number): Uint8Array;
  numbers(length: number): Uint32Array;
}

export const ownMemory: Memory = {
  bytes: (length) => new Uint8Array(length),
  numbers: (length) => new Uint32Array(length),
};

export const sharedMemory: Memory = {
  bytes: (length) => new Uint8Array(new SharedArrayBuffer(length)),
  numbers: (length) => new Uint32Array(new SharedArrayBuffer(length * Uint32Array.BYTES_PER_ELEMENT)),
};

interface ItemArray<Items> {
  readonly length: number;
  set(source: Items): void;
  subarray(from: number, to: number): Items;
}

/**
 * Makes room in a growing buffer: at least doubles its length, so that an item is copied about once on average.
 * @returns the buffer itself if it has room for `needed` items, otherwise a longer one that begins with its first `used` items.
 * @param make makes a buffer of a length; filled with zeros if unwritten places are read
 */
export function withRoom<Items extends ItemArray<Items>>(
  items: Items,
  used: number,
  needed: number,
  make: (length: number) => Items,
): Items {
  return needed <= items.length ? items : longer(items, used, needed, make);
}

/** A separate function, so that the check alone is short enough for the engine to inline. */
function longer<Items extends ItemArray<Items>>(
  items: Items,
  used: number,
  needed: number,
  make: (length: number) => Items,
): Items {
  const made = make(Math.max(items.length * 2, needed));
  made.set(items.subarray(0, used));
  return made;
}

/** 2 to this power is how many numbers a piece of {@link NumberPieces} has. */
const pieceBits = 18;
const pieceMask = (1 << pieceBits) - 1;

/** A growing list of 32-bit numbers in pieces: growing needs neither a copy nor twice the memory. */
export class NumberPieces {
  length = 0;
  private readonly pieces: Uint32Array[] = [];

  push(value: number): void {
    const at = this.length & pieceMask;
    if (at === 0) this.pieces.push(new Uint32Array(1 << pieceBits));
    const piece = this.pieces[this.length >>> pieceBits];
    if (piece !== undefined) piece[at] = value;
    this.length++;
  }

  at(index: number): number {
    return this.pieces[index >>> pieceBits]?.[index & pieceMask] ?? 0;
  }

  set(index: number, value: number): void {
    const piece = this.pieces[index >>> pieceBits];
    if (piece !== undefined) piece[index & pieceMask] = value;
  }

  /** Empties the list and leaves its memory to the collector. */
  clear(): void {
    this.pieces.length = 0;
    this.length = 0;
  }
}

/** Below this, the garbage of a step is not worth the time of collecting it. */
const largeRows = 250_000;

/**
 * Collects garbage after a step that leaves much of it. By itself, the collector would do so only when the heap has
 * doubled, and typed arrays of hundreds of megabytes count as almost no heap.
 */
export function collectGarbage(rows: number): void {
  if (rows >= largeRows) Bun.gc(true);
}
