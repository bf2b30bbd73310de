import { expect, test } from 'bun:test';
import { attack } from './requests.ts';

test('no fuzzed request gets an answer that is neither a problem nor an envelope, or ends the service', async () => {
  const { tried, wrong } = await attack.run({ rounds: 3, seed: 1, say: () => undefined });
  expect(wrong).toEqual([]);
  expect(tried).toBe(300);
}, 60_000);
