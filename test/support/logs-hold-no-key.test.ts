import { expect, test } from 'bun:test';
import { newSecret } from '../../src/accounts/state/key.ts';
import { linesWithKeys } from './logs-hold-no-key.ts';

test('a line that contains a key, or most of one, is detected', () => {
  const secret = newSecret();
  const log = ['{"caller":"acc_1"}', `{"path":"/${secret}"}`, `{"cut":"${secret.slice(0, 30)}`].join('\n');
  expect(linesWithKeys(log)).toHaveLength(2);
});

test('the visible beginning of a key, which lists and pages show, is not detected as a key', () => {
  expect(linesWithKeys(newSecret().slice(0, 13))).toEqual([]);
});
