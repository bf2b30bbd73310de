import { expect, test } from 'bun:test';
import { attack } from './slow-readers.ts';

test('slow readers of a list of megabytes fill no memory and keep nobody out', async () => {
  const { tried, wrong } = await attack.run({ rounds: 4, seed: 1, say: () => undefined });
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(20);
}, 120_000);
