import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { nameKey, nameTerms, termRulesVersion } from '../../../../src/lei/names/name-terms.ts';
import { readRealCompanies } from '../../../bench/search/real-names.ts';

test('the names of the sample become the terms that they became before: other rules need another version', async () => {
  const digest = createHash('sha256');
  for (const { names } of await readRealCompanies()) {
    for (const { name } of names) {
      const terms = nameTerms(name);
      digest.update(`${terms.join(' ')}\n${nameKey(terms)}\n`);
    }
  }
  expect([termRulesVersion, digest.digest('hex')]).toEqual([
    1,
    '736a0375994d1e43d4586f37b11433d51a754521045096ddb7c734e0ebdf0255',
  ]);
}, 20_000);
