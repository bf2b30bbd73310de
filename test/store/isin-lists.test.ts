/** The rows that hold all ISINs of a company. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { isinLength, isinRows, isinsInRow } from '../../src/store/isin-lists.ts';
import { isin } from '../loader/publishing.ts';

const isins = fc.uniqueArray(fc.integer({ min: 0, max: 5_000 }).map(isin), { minLength: 1, maxLength: 600 });

function rowsOf(list: readonly string[]) {
  return [...isinRows(7, Buffer.from(list.toSorted().join(''), 'latin1'))];
}

test('the rows of a company list its ISINs, ascending, in ascending order of their keys', () => {
  fc.assert(
    fc.property(isins, (list) => {
      const rows = rowsOf(list);
      expect(rows.flatMap((row) => [...isinsInRow(row)])).toEqual(list.toSorted());
      const keys = rows.map(({ key }) => key);
      expect(keys.toSorted((a, b) => a.compare(b))).toEqual(keys);
    }),
  );
});

test('an added or removed ISIN changes at most two rows', () => {
  fc.assert(
    fc.property(isins, fc.integer({ min: 5_001, max: 9_999 }).map(isin), (list, more) => {
      const text = ({ key, value }: { key: Buffer; value: Buffer }) =>
        `${key.toString('latin1')}${value.toString('latin1')}`;
      const before = new Set(rowsOf(list).map(text));
      const after = new Set(rowsOf([...list, more]).map(text));
      expect(before.difference(after).size).toBeLessThanOrEqual(1);
      expect(after.difference(before).size).toBeLessThanOrEqual(2);
    }),
  );
});

test('a row has tens of ISINs, and takes less room than their characters', () => {
  const list = Array.from({ length: 20_000 }, (_, index) => isin(index));
  const rows = rowsOf(list);
  const bytes = rows.reduce((sum, { key, value }) => sum + key.length + value.length, 0);
  expect(bytes).toBeLessThan(0.5 * list.length * isinLength);
  expect(rows.length).toBeLessThan(list.length / 32);
});
