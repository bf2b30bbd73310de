import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { CommandLedger } from '../../src/threads/command-ledger.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('a command fails if no report arrives in time, and a later report is ignored', async () => {
  const ledger = new CommandLedger();
  const outcome = ledger.start('open a', 1_000);
  jest.advanceTimersByTime(1_000);
  expect(await outcome).toBe('it took longer than 1000 ms');
  expect(ledger.finish('open a', null)).toBe(false);
});

test('the time limit of a finished command does not end the next command of that name', async () => {
  const ledger = new CommandLedger();
  const first = ledger.start('open a', 1_000);
  ledger.finish('open a', null);
  expect(await first).toBeNull();
  const second = ledger.start('open a', 5_000);
  jest.advanceTimersByTime(1_000);
  expect(ledger.finish('open a', null)).toBe(true);
  expect(await second).toBeNull();
});

test('the end of a thread fails its commands, and later ones, at once', async () => {
  const ledger = new CommandLedger();
  const before = ledger.start('open a', 1_000);
  ledger.endAll('the thread ended');
  expect(await before).toBe('the thread ended');
  expect(await ledger.start('close a', 1_000)).toBe('the thread ended');
});
