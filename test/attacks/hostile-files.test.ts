import { expect, test } from 'bun:test';
import { attack } from './hostile-files.ts';

test('a load of a hostile file ends soon: either in a sound publication, or with a clear message and no change', async () => {
  const { tried, wrong } = await attack.run({ rounds: 3, seed: 1, say: () => undefined });
  expect(wrong).toEqual([]);
  expect(tried).toBe(30);
}, 120_000);
