import { expect, test } from 'bun:test';
import { attack } from './forwarded.ts';

test('a forged X-Forwarded-For never charges a request to anybody but its sender', async () => {
  const { tried, wrong } = await attack.run({ rounds: 2, seed: 1, say: () => undefined });
  expect(wrong).toEqual([]);
  expect(tried).toBe(200);
}, 60_000);
