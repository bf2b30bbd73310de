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
    '20b5c051b6366a301400448ae0944b2825438e47e9a333a87edf17417098c9a2',
  ]);
});
