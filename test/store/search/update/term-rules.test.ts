import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { nameKey, nameTerms, termRulesVersion } from '../../../../src/lei/names/name-terms.ts';
import { readRealCompanies } from '../../../bench/search/real-names.ts';

test('the names of the sample still give the same terms: other rules need another version', async () => {
  const digest = createHash('sha256');
  for (const { names } of await readRealCompanies()) {
    for (const { name } of names) {
      const terms = nameTerms(name);
      digest.update(`${terms.join(' ')}\n${nameKey(terms)}\n`);
    }
  }
  expect([termRulesVersion, digest.digest('hex')]).toEqual([
    7,
    '6444c61307c67b6df5e30c755821d82d776874654025e45e50941c6480460d54',
  ]);
});
