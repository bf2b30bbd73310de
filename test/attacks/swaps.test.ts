import { expect, test } from 'bun:test';
import { attack } from './swaps.ts';

test('no request fails and no answer mixes publications while publications are activated under hostile load', async () => {
  const { tried, wrong } = await attack.run({ rounds: 2, seed: 1, say: () => undefined });
  expect(wrong).toEqual([]);
  expect(tried).toBe(20);
}, 120_000);
