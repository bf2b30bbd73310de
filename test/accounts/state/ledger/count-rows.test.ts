import { expect, test } from 'bun:test';
import { stateLimits } from '../../../../src/accounts/state/limits.ts';
import { openLocalState } from '../../../../src/accounts/state/local-state.ts';
import { layout } from '../../../../src/publication/layout.ts';
import { temporaryFolder } from '../../../support/folders.ts';

test('counts of more callers than fit one transaction are all kept, and those of earlier days forgotten', async () => {
  const state = openLocalState(layout(temporaryFolder('counters')));
  const { counts } = state;
  // One has the greatest lowest byte, the other the least.
  const [yesterday, today] = [0x50ff, 0x5100];
  const callers = Array.from({ length: stateLimits.rowsPerTransaction * 2 + 1 }, (_, n) => `ip_${n}`);
  for (const day of [today, yesterday]) {
    const usage = { units: { lookup: day & 255, search: 0 }, lookup: [], search: [] };
    await counts.save(callers.map((caller) => ({ caller, day, usage })));
  }
  expect(Array.from(counts.all(), ({ day }) => day)).toEqual([
    ...callers.map(() => yesterday),
    ...callers.map(() => today),
  ]);
  await counts.forgetBefore(yesterday);
  expect([...counts.all()]).toHaveLength(2 * callers.length);
  await counts.forgetBefore(today);
  const kept = [...counts.all()];
  expect(kept.map(({ caller }) => caller).sort()).toEqual([...callers].sort());
  expect(kept.every(({ day, usage }) => day === today && usage.units.lookup === 0)).toBe(true);
  await state.close();
});
