import { expect, test } from 'bun:test';
import { ordinalAt, otherNumerals, withoutNumberSigns } from '../../../src/lei/names/ordinals.ts';

function lastOrdinal(name: string): string | null {
  const words = name.split(' ');
  return ordinalAt(words, words.length - 1);
}

test('numbers in digits and in Roman numerals are the same', () => {
  expect(lastOrdinal('fund ii')).toBe('2');
  expect(lastOrdinal('fund 2')).toBe('2');
  expect(lastOrdinal('fund 02')).toBe('2');
  expect(lastOrdinal('fund v')).toBe('5');
  expect(lastOrdinal('fund xxxix')).toBe('39');
  expect(lastOrdinal('fund iiii')).toBeNull();
});

test('a letter is a number at the end and behind what is numbered, and an initial elsewhere', () => {
  expect(lastOrdinal('larkmoor a')).toBe('a');
  expect(ordinalAt(['larkmoor', 'series', 'b', 'notes'], 2)).toBe('b');
  expect(ordinalAt(['john', 'b', 'larkmoor'], 1)).toBeNull();
  expect(ordinalAt(['b', 'larkmoor'], 0)).toBeNull();
});

test('a Roman numeral that begins a name is a word of it', () => {
  expect(ordinalAt(['vi', 'larkmoor'], 0)).toBeNull();
});

test('each small number has its other numerals, and no other word has any', () => {
  expect(otherNumerals('14')).toEqual(['xiv']);
  expect(otherNumerals('xiv')).toEqual(['14']);
  for (const word of ['', '0', '40', '2018', 'mix', 'fund', '§ltd']) expect(otherNumerals(word)).toEqual([]);
});

test('what only announces a number is left out', () => {
  expect(withoutNumberSigns(['larkmoor', 'no', '2'])).toEqual(['larkmoor', '2']);
  expect(withoutNumberSigns(['larkmoor', 'no', 'i', 'settlement'])).toEqual(['larkmoor', 'i', 'settlement']);
  expect(withoutNumberSigns(['no', '5', 'larkmoor'])).toEqual(['no', '5', 'larkmoor']);
  expect(withoutNumberSigns(['say', 'no', 'more'])).toEqual(['say', 'no', 'more']);
});
