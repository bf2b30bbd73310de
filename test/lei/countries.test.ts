/** Tests how countries are read and named. */
import { expect, test } from 'bun:test';
import { countryNamesInSteps, readCountry, readCountryCode } from '../../src/lei/countries.ts';
import { countryName } from '../../src/lei/places-of-iso.ts';

test('a code is read without names, and other texts need those of one language after the other', () => {
  const stepsFor = (text: string) => [...countryNamesInSteps(text)].length;
  expect(['DE', ' deu ', 'UK', ''].map(stepsFor)).toEqual([0, 0, 0, 0]);
  expect(stepsFor('Germany')).toBe(0);
  expect(stepsFor('Allemagne')).toBe(2);
  expect(stepsFor('Nowhere Land')).toBeGreaterThan(20);
  expect(['DE', 'Germany', 'Allemagne', 'Nowhere Land'].map(readCountry)).toEqual(['DE', 'DE', 'DE', null]);
  expect(['deu', 'EL', 'Germany'].map(readCountryCode)).toEqual(['DE', 'GR', null]);
});

test('names in full, as registers of a country write them, and a country with its code are read', () => {
  const given: readonly (readonly [string, string | null])[] = [
    ['VR China', 'CN'],
    ['Bundesrepublik Deutschland', 'DE'],
    ['OESTERREICH', 'AT'],
    ['Elfenbeinküste', 'CI'],
    ['Rép. tchèque', 'CZ'],
    ['Fédération de Russie', 'RU'],
    ['Germany (DE)', 'DE'],
    ['DE - Deutschland', 'DE'],
    ['Deutschland/Germany', 'DE'],
    ['Germany (FR)', null],
    ['Nowhere (Land)', null],
    ['DE - ', null],
  ];
  expect(given.map(([text]) => [text, readCountry(text)])).toEqual(given.map((each) => [...each]));
});

test('an odd code of a file is its own name', () => {
  expect(['DE', 'XK', 'X1', '', 'de', 'UNKNOWN', 'D E', null].map((code) => countryName(code))).toEqual([
    ...['Germany', 'Kosovo', 'X1', '', 'de', 'UNKNOWN', 'D E'],
    null,
  ]);
});
