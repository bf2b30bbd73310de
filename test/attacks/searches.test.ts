import { expect, test } from 'bun:test';
import { attack } from './searches.ts';

test('hill climbing finds no search that exceeds its time limit by more than one step', async () => {
  const { tried, wrong } = await attack.run({ rounds: 4, seed: 1, say: () => undefined });
  expect(wrong).toEqual([]);
  expect(tried).toBe(200);
}, 60_000);
