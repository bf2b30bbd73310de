/**
 * A buffer in which JSON is built as UTF-8 bytes. Constants and stored values are copied into it one after the other,
 * and it is reused for every record. A record consists of about seventy pieces. Joining them as strings costs over
 * twice as much, mostly in garbage collection (decision 030).
 */

/**
 * The bytes of one copying step, by words: most values take one step, which costs less than a loop over their bytes or
 * a call into native code. The last step may write some bytes too many, which the next write replaces.
 */
const stepBytes = 8;

/** A constant piece of JSON in UTF-8. */
export interface JsonPiece {
  readonly length: number;
  /** The bytes, with room for a step beyond them. */
  readonly view: DataView;
}

export function piece(text: string): JsonPiece {
  const bytes = Buffer.from(text);
  return { length: bytes.length, view: viewOf(Buffer.concat([bytes], bytes.length + stepBytes)) };
}

export const nullPiece = piece('null');

export class JsonBytes {
  #bytes: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(initialBytes);
  #view = viewOf(this.#bytes);
  #length = 0;
  /** The last copied source, and a view of it. */
  #source: Uint8Array = this.#bytes;
  #sourceView = this.#view;

  /** Empties the buffer. If the coming length is given, it grows to it at once; otherwise it grows as it is written. */
  begin(length = 0): void {
    if (this.#bytes.length > keptBytesMax) this.free();
    this.#length = 0;
    this.#makeRoom(length);
  }

  /** Frees the memory, whose bytes nobody may read any more, and starts an empty buffer. */
  free(): void {
    freeMemory(this.#bytes);
    this.#use(Buffer.allocUnsafeSlow(initialBytes));
    this.#length = 0;
  }

  /** Returns the bytes so far, which then belong to the caller, and starts an empty buffer. */
  handOver(): Uint8Array<ArrayBuffer> {
    const bytes = this.bytes();
    this.#use(Buffer.allocUnsafeSlow(initialBytes));
    this.#length = 0;
    return bytes;
  }

  get length(): number {
    return this.#length;
  }

  byte(code: number): void {
    this.#makeRoom(1);
    this.#bytes[this.#length++] = code;
  }

  /** Appends a constant. */
  put({ view, length }: JsonPiece): void {
    this.#makeRoom(length);
    this.#append(view, 0, length);
  }

  /** Appends many bytes, by one call into native code. */
  block(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Appends bytes `from` to `to` (exclusive) of `source`. */
  copy(source: Uint8Array, from: number, to: number): void {
    this.#makeRoom(to - from);
    if (to + stepBytes > source.length) {
      this.#appendEnd(source, from, to);
      return;
    }
    if (source !== this.#source) {
      this.#source = source;
      this.#sourceView = viewOf(source);
    }
    this.#append(this.#sourceView, from, to);
  }

  /** @param from with room for a step beyond `to` */
  #append(source: DataView, from: number, to: number): void {
    const view = this.#view;
    let end = this.#length;
    for (let at = from; at < to; at += stepBytes) {
      view.setInt32(end, source.getInt32(at, true), true);
      view.setInt32(end + 4, source.getInt32(at + 4, true), true);
      end += stepBytes;
    }
    this.#length += to - from;
  }

  /** Appends bytes near the end of their memory, one by one. */
  #appendEnd(source: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to; at++) this.#bytes[this.#length++] = source[at] ?? 0;
  }

  /** Appends text of JSON. Its UTF-8 has at most three bytes for each UTF-16 unit. */
  text(value: string): void {
    this.#makeRoom(3 * value.length);
    this.#length += this.#bytes.write(value, this.#length);
  }

  /** Appends a copy of the bytes `from` to `to` of this buffer. */
  repeat(from: number, to: number): void {
    // Make room first, since growing moves the bytes.
    this.#makeRoom(to - from);
    this.#append(this.#view, from, to);
  }

  /** Appends the content of another buffer. */
  append(other: JsonBytes): void {
    this.appendPart(other, 0, other.#length);
  }

  /** Appends bytes `from` to `to` of another buffer. */
  appendPart(other: JsonBytes, from: number, to: number): void {
    this.#makeRoom(to - from);
    this.#append(other.#view, from, to);
  }

  /** A view of the bytes so far, valid until the next write, which may move them. */
  bytes(): Buffer<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  toString(from = 0, to = this.#length): string {
    return this.#bytes.toString('utf8', from, to);
  }

  /**
   * Makes room for about so many further bytes, and for one in fifty more. A buffer that doubles would in the end have
   * up to twice the room that it needs, and would need as much again while it grows.
   */
  expect(more: number): void {
    const needed = this.#length + Math.ceil(more * 1.02) + stepBytes;
    if (needed > this.#bytes.length) this.#move(needed);
  }

  #makeRoom(more: number): void {
    if (this.#length + more + stepBytes > this.#bytes.length) this.#grow(more);
  }

  /** At least doubles the room, so that a byte is moved about once on average. */
  #grow(more: number): void {
    this.#move(Math.max(this.#bytes.length * 2, this.#length + more + stepBytes));
  }

  /** Moves the bytes so far to memory of this length. Earlier views become invalid. */
  #move(length: number): void {
    const outgrown = this.#bytes;
    const bytes = Buffer.allocUnsafeSlow(length);
    bytes.set(outgrown.subarray(0, this.#length));
    this.#use(bytes);
    freeMemory(outgrown);
  }

  #use(bytes: Buffer<ArrayBuffer>): void {
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

const initialBytes = 64 * 1024;
/** A buffer that grew beyond this for a rare large text is freed. */
const keptBytesMax = 1024 * 1024;

/**
 * Frees the memory of bytes at once; they are empty afterwards. The collector would keep long-used memory until as much
 * again is allocated: answers of 2 MB kept a service larger by 40 MB (decision 045).
 */
export function freeMemory(bytes: Uint8Array<ArrayBuffer>): void {
  bytes.buffer.transfer(0);
}

/**
 * Call it at the start of every thread that will free memory. The first call invalidates all code that the thread has
 * compiled (decision 046). Without it, the first call would happen in a burst that fills the rings, the worst moment to
 * recompile.
 */
export function expectFreeing(): void {
  freeMemory(new Uint8Array(1));
}
