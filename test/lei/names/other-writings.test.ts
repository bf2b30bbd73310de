import { expect, test } from 'bun:test';
import { otherWritings } from '../../../src/lei/names/other-writings.ts';

test('an abbreviation stands for all words it is used for, and each of them for it', () => {
  expect(otherWritings('tech')).toEqual(['technology', 'technologies']);
  expect(otherWritings('technologies')).toEqual(['tech', 'techs']);
});

test('each pair of letters may stand for one with a mark, all of them and each alone, where no word has it by itself', () => {
  expect(otherWritings('mueller')).toEqual(['muller']);
  expect(otherWritings('koenigmueller')).toEqual(['konigmuller', 'konigmueller', 'koenigmuller']);
  for (const word of ['neue', 'bauer', 'unique']) expect(otherWritings(word)).toEqual([]);
});

test('an Arabic word is read with and without its article', () => {
  expect(otherWritings('اتصالات')).toEqual(['الاتصالات']);
  expect(otherWritings('الاتصالات')).toEqual(['اتصالات']);
  // Bank.
  expect(otherWritings('البنك')).toEqual(['بنك']);
});

test('most words are written in one way', () => {
  for (const word of ['siemens', 'газпром', 'בנק', '銀行', '2018', '§ltd'])
    expect(otherWritings(word)).toEqual([]);
});
