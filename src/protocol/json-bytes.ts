/**
 * JSON text under construction, as its UTF-8 bytes: constants and stored values are copied one behind the other
 * into a buffer that is used again for every record. A record is joined from some seventy pieces; as strings they
 * cost over twice as much (decision 030), most of it for what the collector then has to take away.
 */
import { withRoom } from '../bytes/room.ts';
import { release } from './release.ts';

/** A constant piece of JSON. */
export function piece(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export const nullPiece = piece('null');

export class JsonBytes {
  #bytes: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(initialBytes);
  #length = 0;

  /** Begins anew. There is always room: it grows while it is written. */
  begin(): void {
    if (this.#bytes.length > keptBytesMax) {
      release(this.#bytes);
      this.#bytes = Buffer.allocUnsafeSlow(initialBytes);
    }
    this.#length = 0;
  }

  get length(): number {
    return this.#length;
  }

  byte(code: number): void {
    this.#makeRoom(1);
    this.#bytes[this.#length++] = code;
  }

  /** A constant. Copied in a loop, which for pieces this short is quicker than a call into native code. */
  put(constant: Uint8Array): void {
    this.copy(constant, 0, constant.length);
  }

  /** Many bytes, for which the call into native code pays. */
  block(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Bytes `from` to `to` (exclusive) of `source`. */
  copy(source: Uint8Array, from: number, to: number): void {
    this.#makeRoom(to - from);
    const bytes = this.#bytes;
    let end = this.#length;
    for (let at = from; at < to; at++) bytes[end++] = source[at] ?? 0;
    this.#length = end;
  }

  /** Text of JSON: its UTF-8, which is at most three bytes for each of its UTF-16 units. */
  text(value: string): void {
    this.#makeRoom(3 * value.length);
    this.#length += this.#bytes.write(value, this.#length);
  }

  /** What was written from `from` to `to`, once more. */
  repeat(from: number, to: number): void {
    // Before the text is looked at: growing moves it.
    this.#makeRoom(to - from);
    this.copy(this.#bytes, from, to);
  }

  /** What another one holds. */
  append(other: JsonBytes): void {
    this.copy(other.#bytes, 0, other.#length);
  }

  /** What another one holds from `from` to `to`. */
  appendPart(other: JsonBytes, from: number, to: number): void {
    this.copy(other.#bytes, from, to);
  }

  /** The text so far, where it stands: valid until anything more is written, for which the memory may move. */
  bytes(): Buffer<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  toString(from = 0, to = this.#length): string {
    return this.#bytes.toString('utf8', from, to);
  }

  #makeRoom(more: number): void {
    if (this.#length + more > this.#bytes.length) this.#grow(more);
  }

  /** What stood there before is gone afterwards. */
  #grow(more: number): void {
    const outgrown = this.#bytes;
    this.#bytes = withRoom(outgrown, this.#length, this.#length + more, Buffer.allocUnsafeSlow);
    release(outgrown);
  }
}

const initialBytes = 64 * 1024;
/** What a rare text needed beyond this is not kept for those after it. */
const keptBytesMax = 1024 * 1024;
