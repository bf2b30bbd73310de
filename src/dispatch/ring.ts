/**
 * A ring of records in memory that two threads share. One thread writes, the other reads, and neither waits for the
 * other. A record that has no room is refused, and the writer sends it another way.
 *
 * ```
 * word 0   bytes written so far ┐ both modulo 2³²; the difference
 * word 16  bytes freed so far   ┘ is in use
 * byte 128 …  length, payload, length, payload …  each on a multiple of four
 * ```
 *
 * A record never crosses the end: a length of −1 means that the next record is at the start again.
 */

/** The two counts are on different cache lines, because different processors write them. */
const writtenWord = 0;
const freedWord = 16;
const firstByte = 128;
const lengthBytes = 4;
const backToStart = -1;

/** Memory for a ring of this many bytes. They must be a power of two, because counts wrap at 2³². */
export function ringMemory(bytes: number): SharedArrayBuffer {
  if (bytes < 64 || (bytes & (bytes - 1)) !== 0) throw new Error(`A ring can't have ${bytes} bytes.`);
  return new SharedArrayBuffer(firstByte + bytes);
}

/** The memory that both ends share. */
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

  /** The offset in memory of a count of bytes. */
  protected place(count: number): number {
    return firstByte + (count & (this.capacity - 1));
  }

  protected word(offset: number): number {
    return this.words[offset >> 2] ?? 0;
  }
}

/** Bytes of memory for a record with a payload of this many bytes. */
function roomOf(length: number): number {
  return (lengthBytes + length + 3) & ~3;
}

export class RingWriter extends RingEnd {
  #written = 0;

  /**
   * Reserves room for a record. The reader sees it after {@link publish}; until then its bytes may be written in any
   * order.
   * @returns the offset of its first byte, on a multiple of four; −1 if there is no room
   */
  reserve(length: number): number {
    const room = roomOf(length);
    const toEnd = this.capacity - (this.#written & (this.capacity - 1));
    const skipped = room > toEnd ? toEnd : 0;
    const used = (this.#written - Atomics.load(this.words, freedWord)) | 0;
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

  /** Whether {@link next} would find a record. */
  get hasNext(): boolean {
    return this.#read !== Atomics.load(this.words, writtenWord);
  }

  /** @returns the offset of the next record's first byte, on a multiple of four; −1 if there is none yet */
  next(): number {
    if (!this.hasNext) return -1;
    let at = this.place(this.#read);
    if (this.word(at) === backToStart) {
      this.#read = (this.#read + firstByte + this.capacity - at) | 0;
      at = firstByte;
    }
    this.#length = this.word(at);
    this.#read = (this.#read + roomOf(this.#length)) | 0;
    return at + lengthBytes;
  }

  /** Frees the memory of every record read so far, for the writer to reuse. */
  free(): void {
    Atomics.store(this.words, freedWord, this.#read);
  }
}
