import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { RepeatedTexts } from '../../../src/loader/parse/csv/repeated-texts.ts';

/** A field within a row, as the scanner finds it. */
function found(texts: RepeatedTexts, text: string, column: number): string | null {
  const bytes = Buffer.from(`"a","${text}","b"`);
  return texts.find(bytes, 5, 5 + text.length, column);
}

const code = fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 24 });

test('a field has its own text, whatever came before it', () => {
  const texts = new RepeatedTexts(3);
  fc.assert(
    fc.property(code, fc.nat({ max: 2 }), (text, column) => {
      expect(found(texts, text, column) ?? text).toBe(text);
    }),
    { numRuns: 5_000 },
  );
});

test('more texts than there are places are told apart', () => {
  const texts = new RepeatedTexts(10);
  for (let round = 0; round < 2; round++) {
    for (let index = 0; index < 10_000; index++) {
      const text = `RA${String(index).padStart(6, '0')}`;
      expect(found(texts, text, index % 10) ?? text).toBe(text);
    }
  }
});

test('a column whose texts rarely repeat is left alone, and others go on', () => {
  const texts = new RepeatedTexts(2);
  for (let index = 0; index < 3_000; index++) {
    found(texts, `name ${index}`, 0);
    found(texts, 'ACTIVE', 1);
  }
  expect(found(texts, 'ACTIVE', 0)).toBeNull();
  expect(found(texts, 'ACTIVE', 1)).toBe('ACTIVE');
});

test('a long text is left alone', () => {
  expect(found(new RepeatedTexts(1), 'x'.repeat(25), 0)).toBeNull();
});
