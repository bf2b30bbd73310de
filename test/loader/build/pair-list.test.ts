import { expect, test } from 'bun:test';
import { createPairs, openPairs } from '../../../src/loader/build/pair-list.ts';

test('identifiers of any length are read back complete', () => {
  const identifiers = ['gb/1', `gb/${'é'.repeat(100_000)}`, `de/${'9'.repeat(70_000)}`, 'gb/2'];
  const pairs = createPairs(null);
  for (const [index, identifier] of identifiers.entries()) pairs.push(identifier, index + 1);
  const { identifier } = openPairs(pairs.columns());
  expect(identifiers.map((_, pair) => identifier(pair))).toEqual(identifiers);
});
