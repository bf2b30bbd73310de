/** Tests that times read from bytes are those that a calendar gives for the text. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { secondsOf } from '../../src/store/columns/codes.ts';
import { secondsOfBytes } from '../../src/store/columns/time-of-bytes.ts';
import { packTime, unpack } from '../../src/store/packing.ts';

/** Read in the middle of other bytes, as in a record. */
function read(packed: string): number | null {
  const bytes = Buffer.from(`9${packed}9`);
  return secondsOfBytes(bytes, 1, bytes.length - 1);
}

const days = fc.integer({ min: -719_162, max: 2_932_896 });
const seconds = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 86_399 }));
const zones = fc.constantFrom('Z', '+02:00', '-05:30', '+14:00');

test('a time of any day is read as the calendar reads it, or left to it', () => {
  fc.assert(
    fc.property(days, seconds, zones, (day, second, zone) => {
      const moment = new Date((day * 86_400 + second) * 1000).toISOString();
      const packed = packTime(`${moment.slice(0, 19)}${zone}`);
      const found = read(packed);
      const expected = secondsOf(unpack(packed));
      expect(found ?? expected).toBe(expected);
      // Days that every month has need no calendar.
      const time = unpack(packed) ?? '';
      if (Number(time.slice(8, 10)) <= 28 && time.length === 20) expect(found).toBe(expected);
    }),
    { numRuns: 500 },
  );
});

test('what is no such time is left to others', () => {
  const others = [
    ...['', '"', '"@', '"@2024-05-0', '"@2024-05-044', '"@2024-13-04', '"@2024-02-30', '"@2O24-05-04'],
    ...[
      '2024-05-04',
      '2024-05-04T24:00:00Z',
      '2024-05-04T08:00:61Z',
      '2024-05-04T08:00:00.5Z',
      '2024-05-04 08:00:00Z',
    ],
    ...['\n'.repeat(20), 'x'.repeat(20)],
  ];
  expect(others.map(read)).toEqual(others.map(() => null));
});
