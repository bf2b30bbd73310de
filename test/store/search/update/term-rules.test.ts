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
    '1ebc0f06b2594f1435348213135a88234c3b5e7a76e2c2c2e3ad0bfa1f8735f2',
  ]);
});
