import { expect, test } from 'bun:test';
import { attack } from './hostile-mirror.ts';

test('every trick of a hostile mirror ends soon, within the announced sizes and on the allowed hosts', async () => {
  const { tried, wrong } = await attack.run({ rounds: 19, seed: 1, say: () => undefined });
  expect(wrong).toEqual([]);
  expect(tried).toBe(57);
}, 120_000);
