import { expect, test } from 'bun:test';
import { attack } from './crashes.ts';

test('a killed service keeps every count, and a killed load changes nothing', async () => {
  const { tried, wrong } = await attack.run({ rounds: 1, seed: 1, say: () => undefined });
  expect(wrong).toEqual([]);
  expect(tried).toBe(2);
}, 120_000);
