import { expect, test } from 'bun:test';
import { isOutdated, laterOf } from '../../../src/lei/dates.ts';

test('a moment is outdated by any later one, to the fraction of a second', () => {
  const inOrder = [
    '2023-12-31T23:59:59Z',
    '2024-05-04T00:00:00Z',
    '2024-05-04T00:00:00.05Z',
    '2024-05-04T00:00:00.5Z',
    '2024-05-04T00:00:01Z',
  ];
  for (const [i, moment] of inOrder.entries()) {
    for (const [k, other] of inOrder.entries()) expect(isOutdated(moment, other)).toBe(i < k);
  }
});

test('half a second is the same however many digits it is written with', () => {
  expect(isOutdated('2024-05-04T00:00:00.5Z', '2024-05-04T00:00:00.500Z')).toBe(false);
  expect(isOutdated('2024-05-04T00:00:00.500Z', '2024-05-04T00:00:00.5Z')).toBe(false);
});

test('a text that is not a time neither outdates another nor is outdated', () => {
  for (const none of ['', 'soon', '04/05/2024', '9']) {
    expect(isOutdated(none, '2024-05-04T00:00:00Z')).toBe(false);
    expect(isOutdated('2024-05-04T00:00:00Z', none)).toBe(false);
  }
});

test('the later of two times, or the only time, outdates the other', () => {
  const [early, late] = ['2024-05-04T00:00:00Z', '2024-05-04T00:00:00.5Z'];
  expect([laterOf(early, late), laterOf(late, early), laterOf(null, early), laterOf(early, null)]).toEqual([
    late,
    late,
    early,
    early,
  ]);
  expect(laterOf(null, null)).toBeNull();
});
