import { beforeEach, expect, test } from 'bun:test';
import { calmLog } from '../../src/log/calm-log.ts';

let lines: string[] = [];
let waiting: (() => void)[] = [];
beforeEach(() => {
  lines = [];
  waiting = [];
});

const write =
  (level: string) =>
  (message: string, fields: object = {}) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
const calm = () =>
  calmLog({ info: write('info'), warn: write('warn'), error: write('error') }, (action) =>
    waiting.push(action),
  );

/** Advances the clock by a second. */
function aSecondLater(): void {
  const due = waiting;
  waiting = [];
  for (const action of due) action();
}

test('a repeated message is written at once, and then once a second with its count and latest fields', () => {
  const log = calm();
  for (const requestId of ['a', 'b', 'c']) log.warn('Overloaded.', { requestId });
  expect(lines).toEqual(['warn Overloaded. {"requestId":"a"}']);
  aSecondLater();
  expect(lines.slice(1)).toEqual(['warn Overloaded. {"times":2,"requestId":"c"}']);
  log.warn('Overloaded.', { requestId: 'd' });
  expect(lines).toHaveLength(2);
  aSecondLater();
  expect(lines.slice(2)).toEqual(['warn Overloaded. {"times":1,"requestId":"d"}']);
  aSecondLater();
  log.warn('Overloaded.', { requestId: 'e' });
  expect(lines.slice(3)).toEqual(['warn Overloaded. {"requestId":"e"}']);
});

test('different messages and different errors do not delay each other', () => {
  const log = calm();
  log.warn('Overloaded.');
  log.error('Failed.', { error: new Error('one') });
  log.error('Failed.', { error: new Error('another') });
  log.error('Failed.', { error: new Error('one') });
  expect(lines).toHaveLength(3);
});

test('at the end nothing is lost and nothing is written twice', () => {
  const log = calm();
  log.error('Failed.');
  log.error('Failed.');
  log.flush();
  aSecondLater();
  expect(lines).toEqual(['error Failed. {}', 'error Failed. {"times":1}']);
});

test('a flood of different messages is held back only while there is room for them', () => {
  const log = calm();
  for (let n = 0; n < 1_000; n++) log.error(`Failure ${n}.`);
  expect(lines).toHaveLength(1_000);
  expect(waiting).toHaveLength(100);
});
