import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { JsonBytes, piece } from '../../src/protocol/json-bytes.ts';

describe('JSON under construction', () => {
  test('grows with every method of writing', () => {
    const writers: readonly ((out: JsonBytes) => void)[] = [
      (out) => out.byte(0x61),
      (out) => out.put(piece('ab')),
      (out) => out.text('日本'),
      (out) => out.block(Buffer.from('abc')),
      (out) => out.repeat(0, out.length),
    ];
    const lines = ['a', 'ab', '日本', 'abc'];
    // Starting at this many bytes, so that it also grows in the middle of a character.
    for (let before = 1; before <= 6; before++) {
      writers.forEach((write, index) => {
        const out = new JsonBytes();
        out.begin();
        let expected = '!'.repeat(before);
        out.text(expected);
        while (expected.length < 70_000) {
          write(out);
          expected += lines[index] ?? expected;
        }
        expect(out.toString()).toBe(expected);
      });
    }
  });

  test('is empty after it is restarted, even after a large text', () => {
    const out = new JsonBytes();
    out.text('x'.repeat(5_000_000));
    out.begin();
    expect(out.length).toBe(0);
    out.text('{}');
    expect(out.toString()).toBe('{}');
  });

  test('frees the memory of a large text when it is restarted or grows', () => {
    const out = new JsonBytes();
    out.text('x'.repeat(5_000_000));
    const before = out.bytes();
    out.text('x'.repeat(50_000_000));
    const after = out.bytes();
    out.begin();
    expect([before.length, after.length]).toEqual([0, 0]);
  });

  test('has room at once for a text of the expected length, and moves no byte of it again', () => {
    const out = new JsonBytes();
    out.text('before');
    out.expect(1_000_000);
    const begun = out.bytes();
    for (let piece = 0; piece < 10_000; piece++) out.block(Buffer.alloc(100, 'x'));
    expect(out.length).toBe(1_000_006);
    // Moving frees what was there.
    expect(begun.toString()).toBe('before');
    expect(begun.buffer.byteLength).toBeLessThan(1_030_000);
    out.expect(10);
    expect(begun.toString()).toBe('before');
  });

  test('appends the content of another buffer, or a part of it', () => {
    const [out, other] = [new JsonBytes(), new JsonBytes()];
    other.text('["é","b"]');
    out.append(other);
    out.appendPart(other, 6, 9);
    expect(out.toString()).toBe('["é","b"]"b"');
  });

  test('has exactly the written bytes, wherever they were copied from and whatever was beside them', () => {
    const writing = fc.tuple(
      fc.constantFrom(put, copy, appendPart, repeat),
      fc.string({ unit: 'binary', maxLength: 40 }).map((text) => Buffer.from(text)),
      fc.nat(60),
      fc.nat(60),
    );
    fc.assert(
      fc.property(fc.array(writing), (writings) => {
        const out = new JsonBytes();
        const written = writings.map(([write, text, one, other]) =>
          write(out, text, Math.min(one, other), Math.max(one, other)),
        );
        expect(Buffer.compare(out.bytes(), Buffer.concat(written))).toBe(0);
      }),
    );
  });
});

/** Each writes the text or a part of it, and returns what it wrote. */
type Write = (out: JsonBytes, text: Buffer, from: number, to: number) => Buffer;

const put: Write = (out, text) => {
  out.put(piece(text.toString()));
  return text;
};

const copy: Write = (out, text, from, to) => {
  out.copy(text, Math.min(from, text.length), Math.min(to, text.length));
  return text.subarray(from, to);
};

const appendPart: Write = (out, text, from, to) => {
  const other = new JsonBytes();
  other.block(text);
  out.appendPart(other, Math.min(from, text.length), Math.min(to, text.length));
  return text.subarray(from, to);
};

const repeat: Write = (out, _text, from, to) => {
  const part = Buffer.from(out.bytes().subarray(from, to));
  out.repeat(Math.min(from, out.length), Math.min(to, out.length));
  return part;
};
