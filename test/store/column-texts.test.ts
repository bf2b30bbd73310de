/** Tests the texts of columns as a publication has them: one JSON row for all columns, read a column at a time. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { byKind } from '../../src/lei/identifier-kinds.ts';
import { newTexts, valueColumns } from '../../src/store/columns/codes.ts';
import { formatTexts, parseTexts, textsIn } from '../../src/store/columns/column-reader.ts';
import { runs } from '../support/runs.ts';

test('the texts of one column are read without those of others, whatever texts there are', () => {
  const text = fc.oneof(
    fc.constantFrom('', '"', '\\', '","', '"],"region":["', 'region', '"commonWords":', '{"country":['),
    fc.string({ unit: 'binary' }),
  );
  const names = [...valueColumns, 'commonWords'] as const;
  const someOrMany = fc.oneof(
    fc.array(text, { maxLength: 4 }),
    fc.array(text, { minLength: 250, maxLength: 600, size: 'max' }),
  );
  const texts = fc.record(byKind(names, () => someOrMany));
  fc.assert(
    fc.property(texts, (all) => {
      const json = formatTexts(all);
      expect(byKind(names, (name) => [...textsIn(json, name)].flat())).toEqual(all);
      expect(parseTexts(json)).toEqual(all);
    }),
    { numRuns: runs(15) },
  );
});

test('texts of several megabytes together are read', () => {
  const long = Array.from({ length: 256 }, (_, index) => `${index}${'"\\'.repeat(5_000)}`);
  const texts = { ...newTexts([]), region: long, country: ['x'.repeat(4_000_000), 'DE'] };
  const json = formatTexts(texts);
  expect([...textsIn(json, 'region')].flat()).toEqual(long);
  expect([...textsIn(json, 'country')].flat()).toEqual(texts.country);
});
