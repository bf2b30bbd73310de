/** Tests which sub-fund of which umbrella is meant, however its parts are written. */
import { expect, test } from 'bun:test';
import { namesOfSubFund, subFundIn, withoutShareClass } from '../../src/lei/names/sub-funds.ts';
import { type NameQuestion, testNameQuestions } from './match-questions.ts';

const umbrella = 'Larkmoor Global Funds SICAV';
const bond = 'Larkmoor Global Funds SICAV - Emerging Bond';
const mining = 'Larkmoor Global Funds SICAV - World Mining Fund';
const tidewater = 'Quenbrook Umbrella Fund plc - Tidewater Opportunities Fund';
const april = 'Tamarack Barrier ETF - April';
const harbour = 'Seaglen SICAV - RAIF - Harbour Lending';
const names = [
  umbrella,
  bond,
  mining,
  tidewater,
  april,
  harbour,
  'Ostermoor Liquidity Funds Fixed 2035 - 2039 Swap Fund',
  'Kestrel ICAV - Emerging Bond',
  'Millrace Select Trust',
  'Millrace World ex Japan Equity Fund',
  'Dunmarra Real Estate Debt Fund SCS SICAV-RAIF - Real Estate Debt',
];

const questions: readonly NameQuestion[] = [
  // The umbrella in part, in other places, by its initials, or not at all.
  ['Larkmoor Global Funds - World Mining', 'match', mining],
  ['LARKMOOR World Mining Fund', 'match', mining],
  ['LGF World Mining Fund', 'match', mining],
  ['World Mining Fund (Larkmoor Global Funds SICAV)', 'match', mining],
  ['World Mining Fund, a sub-fund of Larkmoor Global Funds', 'match', mining],
  ['Larkmoor Global Funds SICAV, Sub-Fund: Emerging Bond', 'match', bond],
  ['Larkmoor Global Funds SICAV acting for and on behalf of its sub-fund Emerging Bond', 'match', bond],
  ['Larkmoor Global Funds SICAV - Emerging Bond Class B EUR Acc', 'match', bond],
  ['Tidewater Opportunities Fund', 'match', tidewater],
  ['Quenbrook Umbrella Fund plc in respect of Tidewater Opportunities Fund', 'match', tidewater],
  ['Seaglen - Harbour Lending', 'match', harbour],
  ['Seaglen SICAV-RAIF - Harbour Lending Fund', 'match', harbour],
  ['Tamarack Barrier ETF - April', 'match', april],
  ['Larkmoor Global Funds SICAV', 'match', umbrella],
  ['Millrace World ex-Japan Equity Fund', 'match', 'Millrace World ex Japan Equity Fund'],
  ['Millrace World Equity Fund ex Zellverin Fund', 'ambiguous'],
  // Two umbrellas have it.
  ['Emerging Bond', 'ambiguous'],
  // Another sub-fund of the umbrella, however it is written, and another umbrella.
  ...[
    'Larkmoor Global Funds SICAV - Income Fund',
    'Larkmoor Global Funds SICAV (Income Fund)',
    'Larkmoor Global Funds SICAV, Income Fund',
    'Larkmoor Global Funds SICAV for and on behalf of Income Fund',
    'Tamarack Barrier ETF - May',
    'Millrace Select Trust - Income Fund',
    'Dunmarra Real Estate Debt Fund',
  ].map((name): NameQuestion => [name, 'ambiguous']),
  ['Quenbrook Umbrella Fund plc', 'none'],
  ['Bellwether SICAV - Tidewater Opportunities Fund', 'none'],
  ['Bellwether SICAV acting on behalf of its sub-fund Tidewater Opportunities Fund', 'ambiguous', tidewater],
];

const ask = testNameQuestions({ names, country: 'LU', category: 'FUND', askedCountry: 'LU' }, questions);

test('the LEI of a sub-fund decides although the name next to it is the umbrella alone', () => {
  const name = 'Quenbrook Umbrella Fund plc';
  const [candidate] = ask(name).candidates;
  expect(ask(name, candidate?.lei).verdict).toBe('match');
});

test('a name has the parts of a sub-fund where a dash or a colon is not within a range or before a form', () => {
  const parts = (name: string) => Object.values(subFundIn(name) ?? {});
  expect(parts('Larkmoor SICAV – Bond')).toEqual(['Larkmoor SICAV', 'Bond']);
  expect(parts('Larkmoor Select: Bond')).toEqual(['Larkmoor Select', 'Bond']);
  expect(parts('Seaglen SICAV - RAIF - Harbour')).toEqual(['Seaglen SICAV - RAIF', 'Harbour']);
  expect(parts('Larkmoor Fixed 2035 - 2039')).toEqual([]);
  expect(parts('Larkmoor-Select')).toEqual([]);
});

test('parts in another order are read in that of records', () => {
  expect(namesOfSubFund('Bond (a compartment of Larkmoor SICAV)')).toEqual(['Larkmoor SICAV - Bond']);
  expect(namesOfSubFund('Bond, Larkmoor SICAV')).toEqual(['Larkmoor SICAV - Bond']);
  expect(namesOfSubFund('Larkmoor SICAV, Compartment Bond')).toEqual(['Larkmoor SICAV - Bond']);
  expect(namesOfSubFund('Larkmoor Ltd, London')).toEqual([]);
});

test('a class of shares is no part of the name', () => {
  for (const shares of [' Class A', ' - Class A EUR Acc', ' I USD', ' A2 Acc USD', ' (Class B)'])
    expect([shares, withoutShareClass(`Larkmoor Bond${shares}`)]).toEqual([shares, 'Larkmoor Bond']);
  expect(withoutShareClass('Larkmoor Bond USD')).toBe('Larkmoor Bond USD');
});
