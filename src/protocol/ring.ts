/**
 * A one-way street for records through memory that two threads share: one writes, the other reads, and neither
 * ever waits for the other. What has no room is refused, and the writer sends it another way.
 *
 * ```
 * word 0   bytes written so far ┐ both modulo 2³²; the difference is what
 * word 16  bytes given back     ┘ the reader has not given back yet
 * byte 128 …  length, payload, length, payload …  each on a multiple of four
 * ```
 *
 * A record never goes over the end: a length of −1 says that the next one is at the start again.
 */

/** The two counts are on different cache lines, as different processors write them. */
const writtenWord = 0;
const returnedWord = 16;
const firstByte = 128;
const lengthBytes = 4;
const backToStart = -1;

/** Memory for a ring of so many bytes, which must be a power of two: counts go round at 2³². */
export function ringMemory(bytes: number): SharedArrayBuffer {
  if (bytes < 64 || (bytes & (bytes - 1)) !== 0) throw new Error(`A ring can't have ${bytes} bytes.`);
  return new SharedArrayBuffer(firstByte + bytes);
}

/** What both ends see. */
class RingEnd {
  /** The whole memory, so that offsets are the same in both views. */
  readonly bytes: Buffer;
  readonly words: Int32Array;
  protected readonly capacity: number;

  constructor(memory: SharedArrayBuffer) {
    this.bytes = Buffer.from(memory);
    this.words = new Int32Array(memory);
    this.capacity = memory.byteLength - firstByte;
  }

  /** Where in memory a count of bytes stands. */
  protected place(count: number): number {
    return firstByte + (count & (this.capacity - 1));
  }

  protected word(offset: number): number {
    return this.words[offset >> 2] ?? 0;
  }
}

/** Bytes of memory that a record of so many bytes takes. */
function roomOf(length: number): number {
  return (lengthBytes + length + 3) & ~3;
}

export class RingWriter extends RingEnd {
  #written = 0;

  /**
   * Room for a record, which the reader sees once it is {@link publish}ed. Its bytes may be written in any order.
   * @returns the offset of its first byte, on a multiple of four; −1 where there is no room
   */
  reserve(length: number): number {
    const room = roomOf(length);
    const toEnd = this.capacity - (this.#written & (this.capacity - 1));
    const skipped = room > toEnd ? toEnd : 0;
    const used = (this.#written - Atomics.load(this.words, returnedWord)) | 0;
    if (skipped + room > this.capacity - used) return -1;
    if (skipped > 0) this.words[this.place(this.#written) >> 2] = backToStart;
    const at = this.place(this.#written + skipped);
    this.words[at >> 2] = length;
    this.#written = (this.#written + skipped + room) | 0;
    return at + lengthBytes;
  }

  /** Shows the reader all records reserved so far. */
  publish(): void {
    Atomics.store(this.words, writtenWord, this.#written);
  }
}

export class RingReader extends RingEnd {
  #read = 0;
  #length = 0;

  /** Bytes of the record that {@link next} found. */
  get length(): number {
    return this.#length;
  }

  /** @returns the offset of the next record's first byte, on a multiple of four; −1 where there is none yet */
  next(): number {
    if (this.#read === Atomics.load(this.words, writtenWord)) return -1;
    let at = this.place(this.#read);
    if (this.word(at) === backToStart) {
      this.#read = (this.#read + firstByte + this.capacity - at) | 0;
      at = firstByte;
    }
    this.#length = this.word(at);
    this.#read = (this.#read + roomOf(this.#length)) | 0;
    return at + lengthBytes;
  }

  /** Gives the memory of every record read so far back to the writer. */
  giveBack(): void {
    Atomics.store(this.words, returnedWord, this.#read);
  }
}
