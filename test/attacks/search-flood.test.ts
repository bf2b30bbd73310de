import { expect, test } from 'bun:test';
import { attack } from './search-flood.ts';

test('a thousand addresses that search at once keep no honest client waiting for more than a search of each', async () => {
  const { tried, wrong } = await attack.run({ rounds: 3, seed: 1, say: () => undefined });
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(1_000);
}, 120_000);
