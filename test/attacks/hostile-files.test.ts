import { expect, test } from 'bun:test';
import { attack } from './hostile-files.ts';

test('a hostile file ends a load soon, with a sound publication or a clear message and nothing changed', async () => {
  const { tried, wrong } = await attack.run({ rounds: 3, seed: 1, say: () => undefined });
  expect(wrong).toEqual([]);
  expect(tried).toBe(30);
}, 120_000);
