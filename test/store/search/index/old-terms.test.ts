/** Tests the look-up of terms in front-coded blocks. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { openForBuilding } from '../../../../src/lmdb.ts';
import { termsPerBlock } from '../../../../src/store/search/format.ts';
import { openOldTerms } from '../../../../src/store/search/index/old-terms.ts';
import { openIndex } from '../../../../src/store/search/open-index.ts';
import { TimeLimit } from '../../../../src/store/search/time-limit.ts';
import { temporaryFolder } from '../../../support/folders.ts';
import { createIndexing } from '../../../support/index-companies.ts';
import { company } from '../small-index.ts';

/** All words of up to `length` of these letters, of which one takes two bytes. */
function wordsOf(letters: string, length: number): string[] {
  if (length === 0) return [''];
  const shorter = wordsOf(letters, length - 1);
  return ['', ...Array.from(letters, (letter) => shorter.map((rest) => letter + rest)).flat()];
}

test('finds exactly the words that names have, and how many begin with a text', async () => {
  const all = wordsOf('qzж', 5).filter((word) => word.length > 1);
  const named = all.filter((_, at) => at % 3 === 0);
  expect(named.length).toBeGreaterThan(termsPerBlock);
  const environment = openForBuilding(join(temporaryFolder('terms'), 'index'));
  const indexing = createIndexing();
  for (const word of named) indexing.add(company({ names: [`${word} quexley`] }));
  indexing.finish(environment);
  await environment.committed;
  const { tables, shape, close } = openIndex(environment, 'through');
  const terms = openOldTerms(tables, shape, new TimeLimit(() => 0, 1));
  for (const word of all) {
    const found = terms.find(word);
    expect([word, found === null ? null : terms.textOf(found.id)]).toEqual([
      word,
      named.includes(word) ? word : null,
    ]);
    if (found !== null) expect(found).toEqual(terms.byId(found.id));
    const [from, to] = terms.range(word);
    expect([word, to - from]).toEqual([word, named.filter((each) => each.startsWith(word)).length]);
  }
  close();
  await environment.close();
});
