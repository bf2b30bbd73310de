import { expect, test } from 'bun:test';
import { otherWritings } from '../../../src/lei/names/other-writings.ts';

test('an abbreviation matches all its words, and each of them matches it', () => {
  expect(otherWritings('tech')).toEqual(['technology', 'technologies']);
  expect(otherWritings('technologies')).toEqual(['tech', 'techs']);
});

test('a pair of letters may stand for one letter with a mark, alone or together, unless some word has the pair itself', () => {
  expect(otherWritings('mueller')).toEqual(['muller']);
  expect(otherWritings('koenigmueller')).toEqual(['konigmuller', 'konigmueller', 'koenigmuller']);
  for (const word of ['neue', 'bauer', 'unique']) expect(otherWritings(word)).toEqual([]);
});

test('an Arabic word matches with and without its article', () => {
  expect(otherWritings('اتصالات')).toEqual(['الاتصالات']);
  expect(otherWritings('الاتصالات')).toEqual(['اتصالات']);
  // Bank.
  expect(otherWritings('البنك')).toEqual(['بنك']);
});

test('most words are written in one way only', () => {
  for (const word of ['siemens', 'газпром', 'בנק', '銀行', '2018', '§ltd'])
    expect(otherWritings(word)).toEqual([]);
});
