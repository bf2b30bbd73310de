import { expect, test } from 'bun:test';
import { Recall } from '../../../src/accounts/access/key-ring.ts';
import { accessLimits } from '../../../src/accounts/access/limits.ts';

const { rememberedMax, rememberedMs } = accessLimits;
const start = Date.UTC(2026, 10, 21);

/** Asks for so many texts, once each. */
function passBy(recall: Recall<number>, texts: number, now: number): void {
  for (let text = 0; text < texts; text++) recall.set(`${now} ${text}`, text, now);
}

test('entries that nobody asks for are forgotten, after a while or when many others come', () => {
  const recall = new Recall<number>();
  recall.set('once', 1, start);
  passBy(recall, rememberedMax, start);
  expect(recall.get('once', start)).toBe(1);
  passBy(recall, 2 * rememberedMax, start);
  expect(recall.get('once', start)).toBeUndefined();

  recall.set('seldom', 2, start);
  for (const spans of [1, 2]) recall.set(`later ${spans}`, 3, start + spans * rememberedMs);
  expect(recall.get('seldom', start + 2 * rememberedMs)).toBeUndefined();
});

test('entries that are asked for repeatedly stay, however many others come and however long it takes', () => {
  const recall = new Recall<number>();
  recall.set('often', 1, start);
  for (let round = 1; round <= 4; round++) {
    const now = start + round * rememberedMs;
    expect(recall.get('often', now)).toBe(1);
    passBy(recall, rememberedMax / 2, now);
  }
});
