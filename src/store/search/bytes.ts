/** Growing buffers for building an index: bytes, and 32-bit numbers in pieces that are never copied. */

export class ByteWriter {
  bytes = Buffer.allocUnsafe(1 << 16);
  length = 0;

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + more));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }

  clear(): void {
    this.length = 0;
  }

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.length++] = value;
  }

  uint16(value: number): void {
    this.reserve(2);
    this.bytes[this.length++] = value;
    this.bytes[this.length++] = value >>> 8;
  }

  uint24(value: number): void {
    this.reserve(3);
    const { bytes, length } = this;
    bytes[length] = value;
    bytes[length + 1] = value >>> 8;
    bytes[length + 2] = value >>> 16;
    this.length = length + 3;
  }

  uint32(value: number): void {
    this.reserve(4);
    this.length = this.bytes.writeUInt32LE(value, this.length);
  }

  varint(value: number): void {
    this.reserve(5);
    let rest = value;
    while (rest > 127) {
      this.bytes[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  append(other: Uint8Array): void {
    this.reserve(other.length);
    this.bytes.set(other, this.length);
    this.length += other.length;
  }

  setUint16(at: number, value: number): void {
    this.bytes.writeUInt16LE(value, at);
  }

  setUint32(at: number, value: number): void {
    this.bytes.writeUInt32LE(value, at);
  }

  /** What was written, still in this writer's own memory. */
  view(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}

const pieceBits = 18;
const pieceMask = (1 << pieceBits) - 1;

/** Grows by pieces, so that growing costs neither a copy nor twice the memory. */
export class Numbers {
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

  /** Gives the memory back. */
  clear(): void {
    this.pieces.length = 0;
    this.length = 0;
  }
}
