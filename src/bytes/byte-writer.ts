/** Builds bytes: the rows of a search index. Numbers are unsigned and little-endian. */
import { withRoom } from './memory.ts';

const initialBytes = 1 << 16;

export class ByteWriter {
  private bytes = Buffer.allocUnsafe(initialBytes);
  length = 0;

  private reserve(more: number): void {
    this.bytes = withRoom(this.bytes, this.length, this.length + more, Buffer.allocUnsafe);
  }

  /** Empties the writer and keeps its memory. */
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

  /** See numbers-in-bytes.ts. */
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

  /** The bytes so far, in the writer's own memory: valid until the next write or {@link clear}. */
  view(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}
