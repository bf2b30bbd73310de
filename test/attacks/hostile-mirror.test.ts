import { expect, test } from 'bun:test';
import { attack } from './hostile-mirror.ts';

test('an update from a hostile mirror ends soon, reads no more than the announced sizes and asks allowed hosts only', async () => {
  const { tried, wrong } = await attack.run({ rounds: 19, seed: 1, say: () => undefined });
  expect(wrong).toEqual([]);
  expect(tried).toBe(57);
}, 120_000);
