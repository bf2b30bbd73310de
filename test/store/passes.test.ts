/** Tests what passes over sets of companies keep for the next pages. */
import { afterEach, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Sets } from '../../src/store/columns/entity-sets.ts';
import { digitMax, stagesOf } from '../../src/store/columns/order.ts';
import { Passes } from '../../src/store/columns/passes.ts';
import { textsOf } from '../../src/store/columns/texts.ts';
import { atOnce } from '../../src/store/steps.ts';
import { closeOpened, company, openLists, write } from './company-columns.ts';

afterEach(closeOpened);

test('the set of a large group is kept for the next pages, until eight others were asked for', () => {
  write(fc.sample(company, { numRuns: 40, seed: 3 }));
  const { file } = openLists();
  const sets = new Sets(file.columns, textsOf(file).published);
  const passes = new Passes(sets);
  const set = atOnce(sets.all(sets.rooms()));
  const [stage] = atOnce(stagesOf(file.columns, { field: 'name', isDescending: false }, new Map()));
  if (stage === undefined || !('column' in stage)) return expect.unreachable();
  const subset = (first: number, last: number) => {
    const rooms = sets.rooms();
    const found = atOnce(passes.subset({ set, stage, step: 0, span: { first, last } }, null, rooms));
    rooms.end();
    return found;
  };
  const whole = subset(0, digitMax);
  const members = whole.words.slice();
  expect(whole.count).toBe(set.count);
  for (let digit = 0; digit < 7; digit++) expect(subset(digit, digit).count).toBe(0);
  expect(subset(0, digitMax)).toBe(whole);
  expect(whole.words).toEqual(members);
  for (let digit = 0; digit < 8; digit++) subset(digit, digit);
  expect(subset(0, digitMax)).not.toBe(whole);
});
