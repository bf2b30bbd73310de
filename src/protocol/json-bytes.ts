/**
 * A buffer in which JSON is built as UTF-8 bytes. Constants and stored values are copied into it one after the other,
 * and it is reused for every record. A record consists of about seventy pieces. Joining them as strings costs over
 * twice as much, mostly in garbage collection (decision 030).
 */
import { withRoom } from '../bytes/room.ts';
import { freeMemory } from './free-memory.ts';

/** A constant piece of JSON. */
export function piece(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export const nullPiece = piece('null');

export class JsonBytes {
  #bytes: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(initialBytes);
  #length = 0;

  /** Empties the buffer. If the coming length is given, it grows to it at once; otherwise it grows as it is written. */
  begin(length = 0): void {
    if (this.#bytes.length > keptBytesMax) {
      freeMemory(this.#bytes);
      this.#bytes = Buffer.allocUnsafeSlow(initialBytes);
    }
    this.#length = 0;
    this.#makeRoom(length);
  }

  /** Returns the bytes so far, which then belong to the caller, and starts an empty buffer. */
  handOver(): Uint8Array<ArrayBuffer> {
    const bytes = this.bytes();
    this.#bytes = Buffer.allocUnsafeSlow(initialBytes);
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

  /** Appends a constant. For short pieces a loop is faster than a call into native code. */
  put(constant: Uint8Array): void {
    this.copy(constant, 0, constant.length);
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
    const bytes = this.#bytes;
    let end = this.#length;
    for (let at = from; at < to; at++) bytes[end++] = source[at] ?? 0;
    this.#length = end;
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
    this.copy(this.#bytes, from, to);
  }

  /** Appends the content of another buffer. */
  append(other: JsonBytes): void {
    this.copy(other.#bytes, 0, other.#length);
  }

  /** Appends bytes `from` to `to` of another buffer. */
  appendPart(other: JsonBytes, from: number, to: number): void {
    this.copy(other.#bytes, from, to);
  }

  /** A view of the bytes so far, valid until the next write, which may move them. */
  bytes(): Buffer<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  toString(from = 0, to = this.#length): string {
    return this.#bytes.toString('utf8', from, to);
  }

  #makeRoom(more: number): void {
    if (this.#length + more > this.#bytes.length) this.#grow(more);
  }

  /** Makes room. Earlier views become invalid. */
  #grow(more: number): void {
    const outgrown = this.#bytes;
    this.#bytes = withRoom(outgrown, this.#length, this.#length + more, Buffer.allocUnsafeSlow);
    freeMemory(outgrown);
  }
}

const initialBytes = 64 * 1024;
/** A buffer that grew beyond this for a rare large text is freed. */
const keptBytesMax = 1024 * 1024;
