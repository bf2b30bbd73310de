/** Which companies have words, as the columns of a company file tell it. */
import { afterEach, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Glimpse } from '../../src/lmdb.ts';
import { RecordWords } from '../../src/store/record-words.ts';
import { atOnce } from '../../src/store/steps.ts';
import { searchedPlaces } from '../../src/store/text-parts.ts';
import {
  change,
  changedOn,
  closeOpened,
  commonOf,
  companiesOf,
  openLists,
  storedAt,
  wordsOfCompany,
  write,
} from './company-columns.ts';

afterEach(closeOpened);

test('a company is among those that may have its words, before and after changes', () => {
  fc.assert(
    fc.property(companiesOf(30), companiesOf(30), (before, after) => {
      write(before);
      const now = [...before];
      const day = after.map((renewed, at) => [at, renewed] as const);
      if (!change(now, changedOn(day, now))) return;
      const { lists, file } = openLists();
      for (const [index, each] of now.entries()) {
        const words = each === null ? [] : wordsOfCompany(each);
        const found = atOnce(
          lists.matching([{ is: 'words', alternatives: [['none'], words], isSearched: true }]),
        );
        expect(found.includes(index + 1)).toBe(each !== null);
        expect(file.columns.differenceFrom(index + 1, storedAt(each, index).record)).toBeNull();
      }
    }),
    { numRuns: 30 },
  );
});

/** Whether a stored record has a word in its names, addresses and numbers. */
function hasWord(stored: Glimpse, word: string): boolean {
  const words = new RecordWords();
  words.read(stored, searchedPlaces);
  return words.hashes.some((_, index) => index < words.count && words.wordAt(index) === word);
}

test('of a common word, exactly the companies that have it are found, before and after changes', () => {
  fc.assert(
    fc.property(companiesOf(30), companiesOf(30), (before, after) => {
      write(before);
      const now = [...before];
      if (!change(now, changedOn([...after.entries()], now))) return;
      const { lists } = openLists();
      for (const word of commonOf(before)) {
        expect(lists.isExact(word)).toBeTrue();
        const found = atOnce(lists.matching([{ is: 'words', alternatives: [[word]], isSearched: true }]));
        const right = now.flatMap((each, index) =>
          each !== null && hasWord(storedAt(each, index).record, word) ? index + 1 : [],
        );
        expect([...found]).toEqual(right);
      }
    }),
    { numRuns: 30 },
  );
});
