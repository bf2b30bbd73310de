import { expect, test } from 'bun:test';
import { attack } from './swaps.ts';

test('activations under honest and hostile requests fail none and mix no answers', async () => {
  const { tried, wrong } = await attack.run({ rounds: 2, seed: 1, say: () => undefined });
  expect(wrong).toEqual([]);
  expect(tried).toBe(20);
}, 120_000);
