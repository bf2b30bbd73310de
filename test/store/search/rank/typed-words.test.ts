/** Tests the order of names that have all words of the question and no others, or hardly any. */
import { expect, test } from 'bun:test';
import type { LinkedCompany } from '../../../support/index-companies.ts';
import { company, smallIndex } from '../small-index.ts';

/** Companies that have a word and one of their own, so that the word says less about a company the more they are. */
function othersWith(word: string, count: number): LinkedCompany[] {
  return Array.from({ length: count }, (_, at) => company({ names: [`${word} other${at}`] }));
}

test('of two names with the typed words, the one in the typed order comes first although it has one of the lightest words more', async () => {
  const index = await smallIndex([
    ...['bank', 'national', 'canada'].flatMap((word) => othersWith(word, 20)),
    ...othersWith('of', 200),
    company({ names: ['Canada National Bank'] }),
    company({ names: ['National Bank of Canada'] }),
  ]);
  expect(index.find('national bank canada').slice(0, 2)).toEqual([
    'National Bank of Canada',
    'Canada National Bank',
  ]);
  await index.close();
});

test('a name of the typed words alone, in another order or not finished, comes before names with another word', async () => {
  const index = await smallIndex([
    ...['of', 'nepal', 'quexley', 'harbour'].flatMap((word) => othersWith(word, 20)),
    company({ names: ['Quexley Nepal Limited'] }),
    company({ names: ['Nepal Quexley of Harbour NV'] }),
    company({ names: ['Quexley Nepal of'] }),
  ]);
  for (const q of ['nepal quexley', 'quexley nep'])
    expect([q, index.find(q)[0]]).toEqual([q, 'Quexley Nepal Limited']);
  await index.close();
});

test('a word that the question repeats is not left out', async () => {
  const index = await smallIndex([
    company({ names: ['Larkmoor Bond Total Return GmbH'] }),
    company({ names: ['Larkmoor Bond Total Return Bond'] }),
  ]);
  expect(index.find('larkmoor bond total retrun bond')[0]).toBe('Larkmoor Bond Total Return Bond');
  await index.close();
});
