import { expect, test } from 'bun:test';
import { attack } from './slow-readers.ts';

test('slow readers of a list of several megabytes neither exhaust memory nor keep others out', async () => {
  const { tried, wrong } = await attack.run({ rounds: 4, seed: 1, say: () => undefined });
  expect(wrong).toEqual([]);
  // All forty requests of each address were answered.
  expect(tried).toBe(160);
}, 120_000);
