import { expect, test } from 'bun:test';
import { attack } from './keys.ts';

test('changed, invented and revoked keys are all refused', async () => {
  const { tried, wrong } = await attack.run({ rounds: 3, seed: 1, say: () => undefined });
  expect(wrong).toEqual([]);
  expect(tried).toBe(151);
}, 60_000);
