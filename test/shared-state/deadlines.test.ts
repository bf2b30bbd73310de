/** Tests the one timer for the deadlines of all calls. */
import { expect, test } from 'bun:test';
import { Deadlines } from '../../src/shared-state/deadlines.ts';

const never = () => new Promise<never>(() => {});

test('each call ends at its own deadline, whichever was started first', async () => {
  const deadlines = new Deadlines();
  const ended: string[] = [];
  const keep = (name: string, ms: number) => deadlines.keep(never(), ms).catch(() => ended.push(name));
  await Promise.all([keep('long', 300), keep('short', 20), keep('between', 150)]);
  expect(ended).toEqual(['short', 'between', 'long']);
});

test('a call that ends in time keeps its result or its own error, and later calls still end', async () => {
  const deadlines = new Deadlines();
  expect(await deadlines.keep(Promise.resolve('done'), 20)).toBe('done');
  await expect(deadlines.keep(Promise.reject(new Error('its own')), 20)).rejects.toThrow('its own');
  await expect(deadlines.keep(never(), 30)).rejects.toThrow('it did not answer within 30 ms');
  await expect(deadlines.keep(never(), 10)).rejects.toThrow('it did not answer within 10 ms');
});
