import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { CallingEnd, failureOf, type ThreadCall } from '../../src/threads/calls.ts';

interface Doors {
  open(id: string): string | null;
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A caller whose calls are kept. */
function listening() {
  const calls: ThreadCall<Doors>[] = [];
  return { caller: new CallingEnd<Doors>((call) => void calls.push(call)), calls };
}

test('a call fails if no reply arrives in time, and a later reply is the end of that call only', async () => {
  const { caller, calls } = listening();
  const first = caller.call('open', ['a']);
  const outcome = failureOf(first, 1_000);
  jest.advanceTimersByTime(1_000);
  expect(await outcome).toBe('it took longer than 1000 ms');
  const second = failureOf(caller.call('open', ['a']), 5_000);
  caller.receive({ call: calls[0]?.call ?? 0, result: 'late' });
  expect(await first).toBe('late');
  jest.advanceTimersByTime(1_000);
  caller.receive({ call: calls[1]?.call ?? 0, result: null });
  expect(await second).toBeNull();
});

test('a call that results in a text fails for this reason', async () => {
  const { caller, calls } = listening();
  const outcome = failureOf(caller.call('open', ['a']), 1_000);
  caller.receive({ call: calls[0]?.call ?? 0, result: 'it is locked' });
  expect(await outcome).toBe('it is locked');
});

test('the end of a thread fails its calls, and later ones, at once', async () => {
  const { caller } = listening();
  const before = failureOf(caller.call('open', ['a']), 1_000);
  caller.endAll(new Error('the thread ended'));
  expect(await before).toBe('the thread ended');
  expect(await failureOf(caller.call('open', ['b']), 1_000)).toBe('the thread ended');
});
