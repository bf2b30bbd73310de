import { expect, test } from 'bun:test';
import { attack } from './connections.ts';

test('hundreds of idle, half-sent and slow connections do not keep other clients from their answers', async () => {
  const { tried, wrong } = await attack.run({ rounds: 6, seed: 1, say: () => undefined });
  expect(wrong).toEqual([]);
  expect(tried).toBe(300);
}, 60_000);
