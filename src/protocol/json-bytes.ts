/**
 * JSON text under construction, as its UTF-8 bytes: constants and stored values are copied one behind the other
 * into a buffer that is used again for every record. A record is joined from some seventy pieces; as strings they
 * cost four times as much, most of it for what the collector then has to take away.
 */
/** A constant piece of JSON. */
export function piece(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export const nullPiece = piece('null');

export class JsonBytes {
  #bytes = Buffer.allocUnsafeSlow(initialBytes);
  #length = 0;

  /**
   * Begins anew, with room for this many bytes. Writing more than that is a bug, and {@link bytes} throws. What a
   * rare large text needed is not kept for the small ones after it.
   */
  begin(room: number): void {
    const size = Math.max(initialBytes, room);
    if (room > this.#bytes.length || this.#bytes.length > size * 16) {
      this.#bytes = Buffer.allocUnsafeSlow(size === initialBytes ? size : 2 * size);
    }
    this.#length = 0;
  }

  get length(): number {
    return this.#length;
  }

  byte(code: number): void {
    this.#bytes[this.#length++] = code;
  }

  /** A constant. Copied in a loop, which for pieces this short is quicker than a call into native code. */
  put(constant: Uint8Array): void {
    this.copy(constant, 0, constant.length);
  }

  /** Many bytes, for which the call into native code pays. */
  block(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Bytes `from` to `to` (exclusive) of `source`. */
  copy(source: Uint8Array, from: number, to: number): void {
    const bytes = this.#bytes;
    let end = this.#length;
    for (let at = from; at < to; at++) bytes[end++] = source[at] ?? 0;
    this.#length = end;
  }

  /** Text of JSON: its UTF-8, which is at most three bytes for each of its UTF-16 units. */
  text(value: string): void {
    this.#length += this.#bytes.write(value, this.#length);
  }

  /** What was written from `from` to `to`, once more. */
  repeat(from: number, to: number): void {
    this.copy(this.#bytes, from, to);
  }

  /** What another one holds. */
  append(other: JsonBytes): void {
    this.copy(other.#bytes, 0, other.#length);
  }

  /** The text so far, where it stands: valid until the next {@link begin}. */
  bytes(): Uint8Array<ArrayBuffer> {
    if (this.#length > this.#bytes.length)
      throw new Error(`${this.#length} bytes of JSON overran their room.`);
    return this.#bytes.subarray(0, this.#length);
  }
}

const initialBytes = 64 * 1024;
