import { expect, test } from 'bun:test';
import { attack } from './clock.ts';

test('moving the clock gives no client more than its daily quota, and locks none out', async () => {
  const { tried, wrong } = await attack.run({ rounds: 4, seed: 1, say: () => undefined });
  expect(wrong).toEqual([]);
  expect(tried).toBe(20);
}, 120_000);
