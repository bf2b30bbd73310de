import { describe, expect, test } from 'bun:test';
import { JsonBytes, piece } from '../../src/protocol/json-bytes.ts';

describe('JSON under construction', () => {
  test('grows with every method of writing', () => {
    const writers: readonly ((out: JsonBytes) => void)[] = [
      (out) => out.byte(0x61),
      (out) => out.put(piece('ab')),
      (out) => out.text('日本'),
      (out) => out.block(piece('abc')),
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

  test('appends the content of another buffer, or a part of it', () => {
    const [out, other] = [new JsonBytes(), new JsonBytes()];
    other.text('["é","b"]');
    out.append(other);
    out.appendPart(other, 6, 9);
    expect(out.toString()).toBe('["é","b"]"b"');
  });
});
