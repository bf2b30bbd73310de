/** Tests that packed times say what their texts say, in every reading of their bytes. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { shownTime } from '../../src/lei/dates.ts';
import { JsonBytes } from '../../src/protocol/json-bytes.ts';
import { secondsOf } from '../../src/store/columns/codes.ts';
import { thousandthsIn } from '../../src/store/columns/layout.ts';
import { comparableRecord } from '../../src/store/company-record.ts';
import { putSeconds } from '../../src/store/gleif/parts.ts';
import { type PutPart, putValue, timeAndDay } from '../../src/store/packed-json.ts';
import { secondsOfBytes, thousandthsOfBytes } from '../../src/store/packed-time.ts';
import { comparableWith, packTime, unpack } from '../../src/store/packing.ts';
import { runs } from '../support/runs.ts';

/** In the middle of other bytes, as in a record. */
function read<Result>(packed: string, by: (bytes: Buffer, from: number, to: number) => Result): Result {
  const bytes = Buffer.from(`9${packed}9`);
  return by(bytes, 1, bytes.length - 1);
}

function jsonOf(packed: string, put: PutPart): string {
  const out = new JsonBytes();
  out.begin();
  read(packed, (bytes, from, to) => put(out, bytes, from, to));
  return out.toString();
}

const days = fc.oneof(fc.integer({ min: -719_162, max: 2_932_896 }), fc.integer({ min: 0, max: 20_000 }));
const seconds = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 86_399 }));
const fractions = fc.constantFrom('', '', '.000', '.5', '.050', '.999', '.1234');
const zones = fc.constantFrom('Z', '+00:00', '+02:00', '-05:30', '+14:00', '-14:00');
const time = fc.tuple(days, seconds, fractions, zones).map(([day, second, fraction, zone]) => {
  const moment = new Date((day * 86_400 + second) * 1000).toISOString();
  return `${moment.slice(0, 19)}${fraction}${zone}`;
});

test('a packed time is the shown one, with its day, in every reading', () => {
  fc.assert(
    fc.property(time, (published) => {
      const shown = shownTime(published);
      const packed = packTime(published);
      expect(unpack(packed)).toBe(shown.time);
      expect(jsonOf(packed, putValue)).toBe(JSON.stringify(shown.time));
      const json = JSON.parse(`{"time":${jsonOf(packed, timeAndDay('day'))}}`);
      expect(json).toEqual({ time: shown.time, day: shown.day });
      expect(jsonOf(packed, putSeconds)).toBe(JSON.stringify(shown.time.replace(/\.\d+Z/, 'Z')));
      const expected = secondsOf(shown.time);
      const found = read(packed, secondsOfBytes);
      expect(found ?? (expected === null ? null : Math.floor(expected))).toBe(
        expected === null ? null : Math.floor(expected),
      );
      const thousandths = expected === null ? 0 : thousandthsIn(expected);
      expect(read(packed, thousandthsOfBytes) ?? thousandths).toBe(thousandths);
      const isShort = /^[0-7]\d{3}-.{5}T.{8}(?:\.\d{3})?Z$/.test(shown.time);
      if (isShort) expect([packed.length < 12, found]).toEqual([true, Math.floor(expected ?? 0)]);
    }),
    { numRuns: runs(500), examples: [['0001-01-01T00:00:00.1234+14:00']] },
  );
});

describe.each([
  '2024-05-04',
  '2024-13-04T00:00:00Z',
  '2024-05-04T24:00:00Z',
  '2024-05-04T08:00:61Z',
  '2024-05-04T08:00:95Z',
  '2024-05-04T08:61:00Z',
  '2O24-05-04T08:00:00Z',
  '2024-05-04 08:00:00Z',
  '8100-05-04T08:00:00Z',
  '0000-05-04T08:00:00Z',
  '0001-01-01T00:00:00+01:00',
  'xxxx-xx-xxTxx:xx:xxZ',
])('%s', (published) => {
  test('is shown as before it was packed', () => {
    const { time: shown, day } = shownTime(published);
    expect(unpack(packTime(published))).toBe(shown);
    const json = `{"time":${jsonOf(packTime(published), timeAndDay('day'))}}`;
    expect(JSON.parse(json)).toEqual({ time: shown, day });
  });
});

test('what is no packed time has no seconds by its bytes', () => {
  const others = ['', '"', '"@', '"@2024-05-04', '2024-05-04T08:00:00Z', '"A', '"='];
  expect(others.map((other) => read(other, secondsOfBytes))).toEqual(others.map(() => null));
});

test('times are compared with those that an earlier version packed as texts', () => {
  const record = `${packTime('2024-05-04T00:00:00Z')}\nname\n${packTime('2024-05-04T00:00:00+02:00')}\t${packTime('2024-05-04T01:02:03.4Z')}`;
  const earlier = '"@2024-05-04\nname\n"\u00032024-05-03T22:00:00Z\t2024-05-04T01:02:03.4Z';
  expect(comparableWith(earlier, record)).toBe(earlier);
  const withoutDays = '"@2024-05-04\nname\n2024-05-03T22:00:00Z\t2024-05-04T01:02:03.4Z';
  expect(comparableWith(withoutDays, record)).toBe(withoutDays);
  expect(comparableRecord(record, record)).toBe(record);
  expect(comparableRecord(earlier, record)).toBe(earlier);
});
