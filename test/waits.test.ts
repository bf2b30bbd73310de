/** Tests how tries follow each other. */
import { expect, test } from 'bun:test';
import { withTries } from '../src/waits.ts';

const paused: number[] = [];
const pause = async (milliseconds: number) => void paused.push(milliseconds);

test('tries follow each other, with the wanted pauses, until one succeeds', async () => {
  const pauseAfter = (_: unknown, failed: number) => failed * 100;
  const result = await withTries({ pauseAfter, pause }, async (number) => {
    if (number < 3) throw new Error(`Try ${number} fails.`);
    return `Try ${number} succeeds.`;
  });
  expect({ result, paused }).toEqual({ result: 'Try 3 succeeds.', paused: [100, 200] });
});

test('no try follows once the judge of failures throws', async () => {
  const pauseAfter = (error: unknown, failed: number) => {
    if (failed === 2) throw error;
    return 0;
  };
  const numbers: number[] = [];
  const failing = withTries({ pauseAfter, pause }, async (number) => {
    numbers.push(number);
    throw new Error(`Try ${number} fails.`);
  });
  expect(await failing.catch(String)).toBe('Error: Try 2 fails.');
  expect(numbers).toEqual([1, 2]);
});
