import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  dayBeside,
  isDate,
  readDate,
  secondsOf,
  shownTime,
  utcDate,
  writtenDate,
} from '../../src/lei/dates.ts';

test('a date with an offset becomes the same moment in UTC', () => {
  expect(utcDate('2024-05-04T00:00:00+02:00')).toBe('2024-05-03T22:00:00Z');
  expect(utcDate('2024-01-31T23:00:00-02:30')).toBe('2024-02-01T01:30:00Z');
  expect(utcDate('2024-05-04T09:00:00-00:00')).toBe('2024-05-04T09:00:00Z');
});

test('a fraction is kept as published unless it is zero', () => {
  expect(utcDate('2024-05-03T08:31:20.554+02:00')).toBe('2024-05-03T06:31:20.554Z');
  expect(utcDate('2023-09-03T08:48:03.080+02:00')).toBe('2023-09-03T06:48:03.080Z');
  expect(utcDate('2024-05-03T08:31:20.50Z')).toBe('2024-05-03T08:31:20.50Z');
  expect(utcDate('2012-06-06T00:00:00.000Z')).toBe('2012-06-06T00:00:00Z');
  expect(utcDate('2012-06-06T00:00:00.0+01:00')).toBe('2012-06-05T23:00:00Z');
});

test('years start at 0001, and an offset may cross a century or a leap day', () => {
  expect(utcDate('0001-01-01T00:00:00Z')).toBe('0001-01-01T00:00:00Z');
  expect(utcDate('0099-03-01T00:30:00+01:00')).toBe('0099-02-28T23:30:00Z');
  expect(utcDate('2000-03-01T00:30:00+01:00')).toBe('2000-02-29T23:30:00Z');
  expect(utcDate('2000-02-29T23:30:00Z')).toBe('2000-02-29T23:30:00Z');
  expect(utcDate('1900-03-01T00:30:00+01:00')).toBe('1900-02-28T23:30:00Z');
});

test('the hour 24 is midnight at the end of the day', () => {
  expect(utcDate('2024-05-04T24:00:00+02:00')).toBe('2024-05-04T22:00:00Z');
  expect(utcDate('2024-05-04T24:00:00Z')).toBe('2024-05-05T00:00:00Z');
  expect(utcDate('2024-02-28T24:00:00.000-01:00')).toBe('2024-02-29T01:00:00Z');
  expect(utcDate('2023-12-31T24:00:00.0Z')).toBe('2024-01-01T00:00:00Z');
  expect(readDate('2024-05-04T24:00:00')).toEqual({
    value: '2024-05-05T00:00:00Z',
    oddity: 'has no time zone; UTC is assumed',
  });
});

test('any moment in any zone is converted to its UTC time', () => {
  const moment = fc.date({
    min: new Date('0002-01-01T00:00:00Z'),
    max: new Date('9998-12-31T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(moment, fc.integer({ min: -840, max: 840 }), (when, offset) => {
      const local = new Date(when.getTime() + offset * 60_000).toISOString().slice(0, 23);
      const hours = String(Math.trunc(Math.abs(offset) / 60)).padStart(2, '0');
      const minutes = String(Math.abs(offset) % 60).padStart(2, '0');
      const published = `${local}${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
      expect(utcDate(published)).toBe(when.toISOString().replace('.000Z', 'Z'));
    }),
  );
});

test('a text is a date if it can be read as one', () => {
  const part = fc.constantFrom('2024', '0001', '9999', '02', '29', '30', '12', '24', '00', '23', '59', ':00');
  const zone = fc.constantFrom('Z', '+01:00', '-14:00', '+15:00', '+01:00x', '', '.5Z', '.Z', '.50+00:30');
  const date = fc
    .tuple(part, part, part, part, part, part, zone)
    .map(([y, m, d, h, min, s, z]) => `${y}-${m}-${d}T${h}:${min}:${s}${z}`);
  const likely = fc
    .tuple(fc.constantFrom('0001-01-01', '9999-12-31', '2024-02-29', '2023-02-29'), part, zone)
    .map(([day, hour, z]) => `${day}T${hour}:00:00${z}`);
  fc.assert(
    fc.property(fc.oneof(date, likely), (text) => {
      expect([text, isDate(text)]).toEqual([text, utcDate(text) !== null]);
    }),
    { numRuns: 2_000 },
  );
});

test('an impossible date or time is kept as published and reported as odd', () => {
  for (const text of [
    '2024-02-30T00:00:00Z',
    '2024-02-30',
    '2023-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2024-04-31T00:00:00Z',
    '2024-11-31T00:00:00Z',
    '2024-01-00T00:00:00Z',
    '2024-13-01T00:00:00Z',
    '2024-00-10T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '2024-01-01T24:00:01Z',
    '2024-01-01T24:00:00.5Z',
    '2024-02-30T24:00:00Z',
    '9999-12-31T24:00:00Z',
    '2024-01-01T10:60:00Z',
    '2024-01-01T10:00:60Z',
    '2024-01-01T 9:00:00Z',
    '2024-01.01T10:00:00Z',
    '2024-01-01T10.00:00Z',
    '2024-01-01T10:00.00Z',
    '2024-01-01T10:00:00Z or so',
    '2024-01-01T10:00:00+15:00',
    '2024-01-01T10:00:00+02:60',
    '2024-01-01T10:00:00+02.00',
    '2024-01-01T10:00:00+02:00 or so',
    '2024-01-01T10:00:00.Z',
    '2024-01-01T10:00:00+0200',
    '10000-01-01T00:00:00Z',
    '-0001-01-01T00:00:00Z',
    '05/04/2024',
    'NULL',
  ]) {
    expect(readDate(text)).toEqual({
      value: text,
      oddity: 'is not a valid date and time; kept as published',
    });
  }
});

test('a date that UTC has no year for, from 1 to 9999, is kept as published with its day', () => {
  for (const text of ['0001-01-01T00:00:00+01:00', '9999-12-31T23:30:00.5-01:00']) {
    expect(utcDate(text)).toBeNull();
    const oddity = 'is in UTC outside the years 1 to 9999; kept as published';
    expect(readDate(text)).toEqual({ value: text, oddity });
    expect(shownTime(text)).toEqual({ time: text, day: text.slice(0, 10) });
  }
});

test('the day as written belongs to times with an offset only', () => {
  const time = '1952-11-10T23:00:00Z';
  expect(shownTime('1952-11-11T00:00:00+01:00')).toEqual({ time, day: '1952-11-11' });
  expect(shownTime('1952-11-10T18:00:00-05:00')).toEqual({ time, day: '1952-11-10' });
  expect(shownTime('1952-11-10T23:00:00+00:00')).toEqual({ time, day: '1952-11-10' });
  expect(shownTime(time)).toEqual({ time, day: null });
  expect(shownTime('1952-02-30T00:00:00+01:00')).toEqual({ time: '1952-02-30T00:00:00+01:00', day: null });
});

test('the day beside a time crosses months and leap days', () => {
  expect(dayBeside('2024-05-03T22:00:00Z', 1)).toBe('2024-05-04');
  expect(dayBeside('2024-02-28T23:00:00Z', 1)).toBe('2024-02-29');
  expect(dayBeside('2024-12-31T23:00:00Z', 1)).toBe('2025-01-01');
  expect(dayBeside('2024-03-01T03:00:00Z', -1)).toBe('2024-02-29');
  expect(dayBeside('0001-01-01T03:00:00Z', 0)).toBe('0001-01-01');
  expect(dayBeside('2024-05-31T12:00:00Z', 0)).toBe('2024-05-31');
});

test('a date without a time or a zone is read as UTC and reported as odd', () => {
  expect(readDate('2024-02-29')).toEqual({
    value: '2024-02-29T00:00:00Z',
    oddity: 'has no time; midnight UTC is assumed',
  });
  expect(readDate('2024-02-29T10:00:00.5')).toEqual({
    value: '2024-02-29T10:00:00.5Z',
    oddity: 'has no time zone; UTC is assumed',
  });
});

test('a time typed by a person may lack the time of day, seconds, T and zone, which then is UTC', () => {
  expect(writtenDate('2026-11-20')).toBe('2026-11-20T00:00:00Z');
  expect(writtenDate('2026-11-20 16:00')).toBe('2026-11-20T16:00:00Z');
  expect(writtenDate('2026-11-20 24:00')).toBe('2026-11-21T00:00:00Z');
  expect(writtenDate(' 2026-11-20t16:00:30z ')).toBe('2026-11-20T16:00:30Z');
  expect(writtenDate('2026-11-20T16:00+0200')).toBe('2026-11-20T14:00:00Z');
  expect(writtenDate('2026-11-20T16:00:00.500-01:00')).toBe('2026-11-20T17:00:00.500Z');
});

test.each(['2026-02-30', '2026-11-20T24:01', '9999-12-31T23:59:59-10:00', '2026-11-20 foo', '20.11.2026'])(
  '%j is rejected rather than read as another time',
  (text) => expect(writtenDate(text)).toBeNull(),
);

test('a day spans all its seconds, and a time is the one second that it lies in', () => {
  expect(secondsOf('1970-01-02')).toEqual({ from: 86_400, to: 172_799 });
  expect(secondsOf('1970-01-02T01:00:07.5+01:00')).toEqual({ from: 86_407, to: 86_407 });
  expect(secondsOf('1970-02-30')).toBeNull();
});
