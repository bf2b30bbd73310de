import { expect, test } from 'bun:test';
import {
  numbersIn,
  ordinalAt,
  ordinalsOf,
  otherNumerals,
  withoutNumberSigns,
} from '../../../src/lei/names/ordinals.ts';

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

test('the C of "& C." is a company, and initials with full stops and a letter in brackets are none', () => {
  expect(lastOrdinal('riva & c')).toBeNull();
  expect(lastOrdinal('riva e c')).toBeNull();
  expect(ordinalsOf(['cruzan', 'vi'], 'Cruzan V.I., Inc.')).toEqual([null, null]);
  expect(ordinalsOf(['cruzan', 'vi'], 'Cruzan (VI)')).toEqual([null, '6']);
  expect(ordinalsOf(['cruzan', 'i'], 'Cruzan (I) Ltd')).toEqual([null, null]);
  expect(ordinalsOf(['cruzan', 'i'], 'Cruzan I. Ltd')).toEqual([null, '1']);
});

test('the numbers of a text are those at any place in it', () => {
  expect([...numbersIn('2. Series I Wilmington №07, dated 2013')]).toEqual(['2', '1', '7', '2013']);
});

test('each small number has its other numerals, and no other word has any', () => {
  expect(otherNumerals('14')).toEqual(['xiv']);
  expect(otherNumerals('xiv')).toEqual(['14']);
  for (const word of ['', '0', '1', 'i', '5', 'v', '40', '2018', 'mix', 'fund', '§ltd'])
    expect(otherNumerals(word)).toEqual([]);
});

test('what only announces a number is left out', () => {
  expect(withoutNumberSigns(['larkmoor', 'no', '2'])).toEqual(['larkmoor', '2']);
  expect(withoutNumberSigns(['larkmoor', 'no', 'i', 'settlement'])).toEqual(['larkmoor', 'i', 'settlement']);
  expect(withoutNumberSigns(['larkmoor', 'no2'])).toEqual(['larkmoor', '2']);
  expect(withoutNumberSigns(['larkmoor', 'n', '267'])).toEqual(['larkmoor', '267']);
  expect(withoutNumberSigns(['larkmoor', 'n', 'ii'])).toEqual(['larkmoor', 'n', 'ii']);
  expect(withoutNumberSigns(['n26', 'larkmoor'])).toEqual(['n26', 'larkmoor']);
  expect(withoutNumberSigns(['no', '5', 'larkmoor'])).toEqual(['no', '5', 'larkmoor']);
  expect(withoutNumberSigns(['say', 'no', 'more'])).toEqual(['say', 'no', 'more']);
});
