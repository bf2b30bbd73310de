import { expect, test } from 'bun:test';
import { attack } from './requests.ts';

test('every fuzzed request gets a problem or an envelope, and the service survives it', async () => {
  const { tried, wrong } = await attack.run({ rounds: 3, seed: 1, say: () => undefined });
  expect(wrong).toEqual([]);
  expect(tried).toBe(300);
}, 60_000);
