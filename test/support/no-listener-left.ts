/**
 * Fails a file that leaves the process listening to an ending signal: the next file of the same process could end by it,
 * without a failing test. bunfig.toml preloads this file.
 */
import { afterAll, expect } from 'bun:test';
import { endingSignals } from '../../src/protocol/ending-signals.ts';

afterAll(() => {
  const heard = endingSignals.filter((signal) => process.listenerCount(signal) > 0);
  // Only this file fails, not those that follow.
  for (const signal of heard) process.removeAllListeners(signal);
  expect(heard, 'signals that this file still listens to').toEqual([]);
});
