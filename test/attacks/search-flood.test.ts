import { expect, test } from 'bun:test';
import { attack } from './search-flood.ts';

test('a thousand searching addresses delay an honest client by no more than one search each', async () => {
  const { tried, wrong } = await attack.run({ rounds: 3, seed: 1, say: () => undefined });
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(1_000);
}, 120_000);
