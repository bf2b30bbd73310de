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
    5,
    'be6f8754f8cb31a623b58548d9e39e9fc789d97e2100e5352f4dde660ab6a1a7',
  ]);
});
