import { expect, test } from 'bun:test';
import { ByteWriter } from '../../src/bytes/byte-writer.ts';
import { NumberPieces } from '../../src/bytes/memory.ts';

const ways: readonly [(writer: ByteWriter) => void, readonly number[]][] = [
  [(writer) => writer.byte(7), [7]],
  [(writer) => writer.uint16(0x0201), [1, 2]],
  [(writer) => writer.uint24(0x030201), [1, 2, 3]],
  [(writer) => writer.uint32(0x84030201), [1, 2, 3, 0x84]],
  [(writer) => writer.varint(128), [0x80, 1]],
  [(writer) => writer.varint(0xffffffff), [0xff, 0xff, 0xff, 0xff, 0x0f]],
  [(writer) => writer.append(new Uint8Array(300_000).fill(9)), Array(300_000).fill(9)],
];

/** Bytes of the memory that a writer begins with. */
const initialBytes = 1 << 16;

test('a writer keeps its content while it grows', () => {
  for (const [write, expected] of ways) {
    for (let room = 0; room <= 5; room++) {
      const writer = new ByteWriter();
      const before = Uint8Array.from({ length: initialBytes - room }, (_, i) => i % 251);
      writer.append(before);
      write(writer);
      expect(Buffer.compare(writer.view(), Buffer.from([...before, ...expected]))).toBe(0);
    }
  }
});

test('numbers can be read from every position, and are gone once the list is cleared', () => {
  const numbers = new NumberPieces();
  const count = 600_000;
  for (let i = 0; i < count; i++) numbers.push(i * 7);
  numbers.set(count - 1, 5);
  expect(numbers.length).toBe(count);
  for (const at of [0, 1, 262_143, 262_144, 524_288, count - 2]) expect(numbers.at(at)).toBe(at * 7);
  expect(numbers.at(count - 1)).toBe(5);
  numbers.clear();
  numbers.push(3);
  expect([numbers.length, numbers.at(0), numbers.at(262_144)]).toEqual([1, 3, 0]);
});
