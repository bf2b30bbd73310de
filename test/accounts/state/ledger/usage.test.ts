import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { pack, unpack } from '../../../../src/accounts/state/ledger/count-rows.ts';
import type { Usage } from '../../../../src/accounts/state/ledger/records.ts';
import type { KeptSecond } from '../../../../src/accounts/state/ledger/windows.ts';

const second = fc.tuple(fc.integer({ min: 1, max: 2e12 }), fc.integer({ min: 1, max: 300 }));
const seconds: fc.Arbitrary<KeptSecond[]> = fc.array(second, { maxLength: 61 });
const count = fc.nat(2 ** 32 - 1);
const usage: fc.Arbitrary<Usage> = fc.record({
  units: fc.record({ lookup: count, search: count }),
  lookup: seconds,
  search: seconds,
});

test('a packed usage is unpacked unchanged', () => {
  fc.assert(fc.property(usage, (given) => expect(unpack(pack(given))).toEqual(given)));
});

/** As packed by versions that counted without kinds. */
function packedEarlier(used: number, lookup: readonly KeptSecond[], search: readonly KeptSecond[]): Buffer {
  const values = [...lookup, ...search].flat();
  const bytes = Buffer.alloc(9 + values.length * 8);
  bytes.writeDoubleLE(used, 0);
  bytes.writeUInt8(lookup.length, 8);
  for (const [index, value] of values.entries()) bytes.writeDoubleLE(value, 9 + index * 8);
  return bytes;
}

test('a row of an earlier version counts as look-ups, with its seconds unchanged', () => {
  fc.assert(
    fc.property(count, seconds, seconds, (used, lookup, search) => {
      const units = { lookup: used, search: 0 };
      expect(unpack(packedEarlier(used, lookup, search))).toEqual({ units, lookup, search });
    }),
  );
});

test('an earlier version reads the same count and seconds, and an old row as long over', () => {
  fc.assert(
    fc.property(usage, ({ units, lookup, search }) => {
      const over: KeptSecond = [0, units.lookup];
      const earlier = packedEarlier(units.lookup + units.search, lookup, [over, ...search]);
      expect(pack({ units, lookup, search })).toEqual(earlier);
    }),
  );
});
