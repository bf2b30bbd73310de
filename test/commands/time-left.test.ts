/** Tests the estimate of the time that work still takes. */
import { expect, test } from 'bun:test';
import { timeLeft } from '../../src/commands/time-left.ts';

/** What the estimate says at each progress, one second after the other. */
function estimates(...progress: readonly number[]): readonly (number | null)[] {
  const left = timeLeft();
  return progress.map((each, second) => left(each, second));
}

test('the time left is unknown at the beginning of work', () => {
  expect(estimates(0, 0, 0.01, 0.02, 0.05)).toEqual([null, null, null, null, null]);
});

test('the time left follows from the pace since the first progress', () => {
  // A start of 60 seconds makes no progress; then a tenth takes 10 seconds.
  const left = timeLeft();
  expect([left(0, 0), left(0.1, 60), left(0.2, 70), left(0.5, 100)].map(rounded)).toEqual([
    null,
    null,
    80,
    50,
  ]);
});

test('a resumed download does not count what was there before', () => {
  const left = timeLeft();
  expect([left(0.9, 0), left(0.96, 6)].map(rounded)).toEqual([null, 4]);
});

test('finished work has no time left', () => {
  expect(estimates(0.5, 1)).toEqual([null, 0]);
});

function rounded(left: number | null): number | null {
  return left === null ? null : Math.round(left);
}
