/** Tests the one timer for the deadlines of all calls. */
import { expect, mock, test } from 'bun:test';
import { Deadlines } from '../../../src/accounts/shared-state/deadlines.ts';

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

test('time in which this thread does not run does not count', async () => {
  const deadlines = new Deadlines();
  const late = mock();
  const started = performance.now();
  void deadlines.keep(never(), 400).catch(late);
  for (let blocks = 0; blocks < 3; blocks++) {
    while (performance.now() - started < (blocks + 1) * 300);
    // Timers that are due fire meanwhile, and what they end is ended.
    for (let turns = 0; turns < 3; turns++) await new Promise((resume) => setImmediate(resume));
  }
  expect(deadlines.ranMs).toBeLessThan(400);
  expect(late).not.toHaveBeenCalled();
});
