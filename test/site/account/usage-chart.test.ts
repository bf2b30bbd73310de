import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { everyDay, usageChart, usageTable } from '../../../src/site/account/usage-chart.ts';

/** 21 November 2026. */
const today = 20_778;
const usage = fc.uniqueArray(
  fc.record({
    day: fc.integer({ min: today - 40, max: today }),
    lookup: fc.oneof(fc.nat(20), fc.nat(2 ** 31)),
    search: fc.oneof(fc.nat(20), fc.nat(2 ** 31)),
  }),
  { selector: ({ day }) => day, maxLength: 30 },
);

test('every bar starts at the base line and stays within the picture, and one takes two fifths of the height', () => {
  fc.assert(
    fc.property(usage, fc.nat(2 ** 32), (used, daily) => {
      const days = everyDay(used, today);
      const { text } = usageChart(days, daily);
      const bars = [
        ...text.matchAll(/class="(lookups|searches)" x="[\d.]+" y="([\d.]+)" width="7" height="([\d.]+)"/g),
      ];
      expect(bars).toHaveLength(60);
      const boxes = bars.map(([, , y, height]) => ({ top: Number(y), height: Number(height) }));
      for (const [index, { top, height }] of boxes.entries()) {
        const below = index % 2 === 0 ? 100 : (boxes[index - 1]?.top ?? 0);
        expect(Math.abs(top + height - below)).toBeLessThan(0.02);
        expect(top).toBeGreaterThanOrEqual(0);
      }
      const most = Math.max(...days.map(({ lookup, search }) => lookup + search));
      if (most >= 10) expect(Math.min(...boxes.map(({ top }) => top))).toBeLessThanOrEqual(60);
    }),
  );
});

test('the last thirty days are shown, unused ones too, and earlier ones are not', () => {
  const days = everyDay(
    [
      { day: today - 30, lookup: 5, search: 5 },
      { day: today - 29, lookup: 1_234, search: 0 },
    ],
    today,
  );
  expect(days).toHaveLength(30);
  expect(days[0]).toEqual({ day: today - 29, lookup: 1_234, search: 0 });
  const { text } = usageTable(days);
  expect(text).toContain('<tr><th scope="row">23 Oct 2026</th><td>1,234</td><td>0</td><td>1,234</td></tr>');
  expect(text).toContain('<tr><th scope="row">21 Nov 2026</th><td>0</td><td>0</td><td>0</td></tr>');
});
