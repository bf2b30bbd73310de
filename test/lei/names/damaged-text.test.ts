import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  readAgain,
  withAnyLetter,
  withoutLostLetters,
  wordsLike,
} from '../../../src/lei/names/damaged-text.ts';
import { foldedWords } from '../../../src/lei/names/fold.ts';
import { readRealCompanies } from '../../bench/search/real-names.ts';
import { misreadAsWindows1252 } from '../../support/misread.ts';

test('letters of UTF-8 that were read as Windows-1252 are read again, also if that happened twice', () => {
  for (const name of [
    'Müller',
    'Škoda',
    'Łódź',
    'Société',
    'Bitēna',
    'Ромашка',
    'Ελλάς',
    'Əmanət',
    'Việt',
    '株式会社',
  ]) {
    const misread = misreadAsWindows1252(`x ${name} x`);
    expect(foldedWords(misread), misread).toEqual(foldedWords(`x ${name} x`));
    const again = misreadAsWindows1252(misread);
    expect(foldedWords(again), again).toEqual(foldedWords(`x ${name} x`));
  }
});

test('words of letters with marks become the same words, whichever letters they have', () => {
  const letters = fc.string({
    unit: fc.constantFrom(...'abcäöüßéèêñçøåæœšžčřěąęłńśźőűşğıțșēģķļņ'),
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(letters, (word) => {
      expect(foldedWords(misreadAsWindows1252(`a${word}a`))).toEqual(foldedWords(`a${word}a`));
    }),
  );
});

test('what stands behind a letter with a mark stays what it is', () => {
  const texts = [
    '“BLÅ” AB',
    'CAFÉ’S',
    'Ó’BRIEN',
    'FUNDACIÓ”',
    'CAFÉ™ Ltd',
    '“GRÄ”',
    'ÑANDÚ – Sur',
    'GESTIÓ–B',
    'FUNDACIÓ\u00a0CATALANA',
    'LULEÅ\u00a0AB',
    '«\u00a0Liberté\u00a0»',
    'Santé\u00a0–\u00a0X',
    'café\u00a0\u00a0bar',
    'CAFFÈ® «UNIÓ»',
    'Cité…»',
    'VËLLEZËR\u00a0DRINË\u00a0SH.P.K.',
  ];
  for (const text of texts) expect(readAgain(text)).toBe(text);
});

test('an accent behind its letter is dropped', () => {
  expect(foldedWords('Mu¨ller')).toEqual(['muller']);
});

test('names of real companies stay as they are', async () => {
  const changed = (await readRealCompanies())
    .flatMap(({ names }) => names.map(({ name }) => name))
    .filter((name) => withoutLostLetters(readAgain(name)) !== name);
  expect(changed).toEqual([]);
});

test('a word with a lost letter stays one word', () => {
  expect(foldedWords('M?ller Stra\ufffdenbau')).toEqual(['mller', 'straenbau']);
  expect(foldedWords('Why? Not')).toEqual(['why', 'not']);
});

test('a lost letter may be any one, or two', () => {
  const like = (text: string) => wordsLike(withAnyLetter(text) ?? text);
  expect(like('m?ller')?.test('muller')).toBe(true);
  expect(like('m??ller')?.test('muller')).toBe(true);
  expect(like('stra?e')?.test('strasse')).toBe(true);
  expect(like('soci?t?')?.test('societe')).toBe(true);
  expect(like('m?ller')?.test('mailler')).toBe(true);
  expect(like('m?ller')?.test('miller ')).toBe(false);
  expect(like('m?ller')?.test('mller')).toBe(false);
  expect(like('muller')).toBeNull();
  expect(withAnyLetter('Who?')).toBeNull();
});
