/** Tests the values that an option accepts and refuses. */
import { describe, expect, test } from 'bun:test';
import { oneOf, wholeNumber } from '../../src/commands/frame.ts';
import { readInterval, readPublishedAt, readShare } from '../../src/commands/options.ts';

describe('an option accepts', () => {
  test('a whole number in digits within its bounds', () => {
    const read = wholeNumber(5, 1_000);
    expect(['5', '0042', '1000'].map(read)).toEqual([5, 42, 1_000]);
    for (const odd of ['4', '1001', '', ' 7', '1e2', '0x10', '7.0', '-7', '٧', '1'.repeat(16)]) {
      expect(() => read(odd)).toThrow('It must be a whole number from 5 to 1000.');
    }
  });

  test('one of its words in upper or lower case', () => {
    const read = oneOf(['csv', 'xml']);
    expect(read('CSV')).toBe('csv');
    expect(() => read('json')).toThrow('It must be one of csv, xml.');
  });

  test('an interval from a second to 24 days', () => {
    const read = (text: unknown) => readInterval('--every', text);
    expect(['1s', '30m', ' 8h ', '24d'].map(read)).toEqual([1_000, 1_800_000, 28_800_000, 2_073_600_000]);
    for (const odd of ['0s', '25d', '577h', '8', 'h', '1.5h', '8 h', '', true]) {
      expect(() => read(odd)).toThrow(`--every is ${odd} but must be an interval of up to 24 days`);
    }
  });

  test('a share from 0 to 1, or none', () => {
    const read = (text: unknown) => readShare('--min-entities', text, 0.95);
    expect([undefined, '0', '1', '0.5', '1e-3'].map(read)).toEqual([0.95, 0, 1, 0.5, 0.001]);
    for (const odd of ['', ' ', '1.01', '-0.1', 'half', '5%', true]) {
      expect(() => read(odd)).toThrow(`--min-entities is ${odd} but must be a share from 0 to 1`);
    }
  });

  test('a possible date and time, or none', () => {
    expect(readPublishedAt(undefined)).toBeNull();
    expect(readPublishedAt('2026-11-20 16:00')).toBe('2026-11-20T16:00:00Z');
    for (const odd of ['2026-02-30', 'yesterday', '', true]) {
      expect(() => readPublishedAt(odd)).toThrow(`--published-at is ${odd} but must be a valid UTC time`);
    }
  });
});
