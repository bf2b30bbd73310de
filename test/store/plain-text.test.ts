import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { foldedWords } from '../../src/lei/names/fold.ts';
import { PlainFolder } from '../../src/store/columns/plain-text.ts';
import { pack } from '../../src/store/packing.ts';
import { runs } from '../support/runs.ts';

const folder = new PlainFolder();

/** Null for a text that must be folded as a whole. */
function plainFold(text: string, isSpaced: boolean): string | null {
  const bytes = Buffer.from(`before${pack(text)}behind`);
  const isFolded = folder.fold(bytes, 'before'.length, bytes.length - 'behind'.length, isSpaced);
  return isFolded ? folder.bytes.toString('latin1', 0, folder.length) : null;
}

const part = fc.oneof(
  fc.constantFrom(
    'New',
    'York',
    'et',
    'AND',
    'oraz',
    'y',
    'A',
    '7',
    '08',
    "'",
    '`',
    '.',
    '/',
    '-',
    '&',
    '+',
    '"',
  ),
  fc.constantFrom(
    'É',
    'ß',
    'ŁÓDŹ',
    '?',
    'Ã',
    'š',
    'Ó',
    '¼',
    'é',
    '\u00a0',
    'Únd',
    'ǆ',
    'e\u0301',
    'ª',
    '´',
    '東',
    '\\',
    ' ',
    '  ',
    ',',
    'St.',
    "L'Hay",
    'b.v.',
    'S.A',
    'c/o',
    'a.s.',
    'É.',
    '&amp;',
    '\t',
  ),
  fc.string({ unit: 'grapheme-ascii', maxLength: 6 }),
);
const text = fc
  .array(fc.tuple(part, fc.constantFrom('', ' ', '-')), { maxLength: 6 })
  .map((parts) => parts.flat().join(''));

test('a plain text is folded as a whole one is, or left to that', () => {
  let folded = 0;
  fc.assert(
    fc.property(text, fc.boolean(), (written, isSpaced) => {
      const plain = plainFold(written, isSpaced);
      if (plain === null) return;
      folded++;
      expect(plain).toBe(foldedWords(written).join(isSpaced ? ' ' : ''));
    }),
    { numRuns: runs(2000) },
  );
  expect(folded).toBeGreaterThan(100);
});

test('every character of two bytes, with and without a mark behind it, is folded as a whole text is', () => {
  let folded = 0;
  for (let code = 0x80; code < 0x800; code++) {
    const character = String.fromCharCode(code);
    for (const written of [
      `x${character}z${character}`,
      `x ${character}${character} z9`,
      `${character}\u0301x`,
    ]) {
      const plain = plainFold(written, true);
      if (plain === null) continue;
      folded++;
      expect(plain).toBe(foldedWords(written).join(' '));
    }
  }
  expect(folded).toBeGreaterThan(250);
});

test.each([
  ['Frankfurt am Main', 'frankfurt am main'],
  ["Saint-Maur-des-Fosses, Val d'Oise 08", 'saint maur des fosses val doise 08'],
  ['PARIS 8', 'paris 8'],
  ['Köln', 'koln'],
  ['Building B', 'building b'],
  ['Terper Reality s.r.o.', 'terper reality sro'],
  ['c/o Citco S.p.A. 7.A.', 'co citco spa 7 a'],
  ['Große Straße, ŁÓDŹ', 'grosse strasse lodz'],
])('%s is plain', (written, folded) => {
  expect(plainFold(written, true)).toBe(folded);
  expect(plainFold(written, false)).toBe(folded.replaceAll(' ', ''));
});

test.each([
  '',
  '-',
  'Ko\u0308ln',
  'Αθήνα',
  'Å Coruna',
  'Služby X a.s.',
  'A. B. C.',
  'c/o S.p.A.',
  'A Coruna',
  'Bosnia and Herzegovina',
  'R&D',
  'a "b"',
  'a\\b',
])('%j is left to the whole folding', (written) => {
  expect(plainFold(written, true)).toBeNull();
});
