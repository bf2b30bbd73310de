import { expect, test } from 'bun:test';
import { foldedWords } from '../../../src/lei/names/fold.ts';
import { inOneScript } from '../../../src/lei/names/look-alikes.ts';

/** With letters of the other script, which look the same. */
const words: readonly (readonly [written: string, meant: string])[] = [
  ['СБEРБАНК', 'СБЕРБАНК'],
  ['Cбербанк Poccии', 'Сбербанк России'],
  ['Dаimler', 'Daimler'],
  ['ALРHA', 'ALPHA'],
  ['Беларускi банк развiцця', 'Беларускі банк развіцця'],
  ['ΠΕΙΡΑΙΩΣ MΙΚΤΟ', 'ΠΕΙΡΑΙΩΣ ΜΙΚΤΟ'],
];

test('a word with letters of another script that look alike is the word in one script', () => {
  for (const [written, meant] of words) expect(foldedWords(written)).toEqual(foldedWords(meant));
});

test('a word that may be of either script is of that of the text', () => {
  expect(inOneScript('aо ромашка')).toBe('ао ромашка');
  expect(inOneScript('aо larkmoor')).toBe('ao larkmoor');
});

test('a mistyped letter of another script changes no other letter', () => {
  expect(inOneScript('ромаdка')).toBe('ромаdка');
  expect(inOneScript('larkжoor')).toBe('larkжoor');
});

test('a word with a letter of each script that looks like none of the other stays as it is', () => {
  expect(inOneScript('gжd ромашка')).toBe('gжd ромашка');
  expect(inOneScript('ромашка group')).toBe('ромашка group');
});
