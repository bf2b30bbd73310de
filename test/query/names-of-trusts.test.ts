/** Tests which company is meant by names of trusts and funds, with and without their trustees. */
import { expect, test } from 'bun:test';
import { type NameQuestion, testNameQuestions } from './match-questions.ts';

const names = [
  'The Trustee for Larkmoor Family Trust',
  'THE TRUSTEE FOR THE QUENBROOK UNIT TRUST',
  'The Trustees of the Tamarack Settlement',
  'NOVARRO TRUSTEES (JERSEY) LIMITED AS TRUSTEE OF THE SEAGLEN TRUST',
  'Ostermoor Income Fund',
  'Kestrel Trust',
  'The Trustee for Kestrel Trust',
  'First Harrow Ltd as Trustee of The Dunmarra Trust',
  'Second Harrow Ltd as Trustee of The Dunmarra Trust',
  'Perpetrix Pty Ltd',
  'Bellwether Manufacturing AG',
  'Millrace ATF Services Limited',
  'Zahnradwerk Quillberg GmbH in Liquidation',
  'Zahnradwerk Quillberg GmbH',
];

const questions: readonly NameQuestion[] = [
  ['The Trustee for Larkmoor Family Trust', 'match', 'The Trustee for Larkmoor Family Trust'],
  ['Larkmoor Family Trust', 'match', 'The Trustee for Larkmoor Family Trust'],
  ['Quenbrook Unit Trust', 'match', 'THE TRUSTEE FOR THE QUENBROOK UNIT TRUST'],
  ['The Tamarack Settlement', 'match', 'The Trustees of the Tamarack Settlement'],
  ['The Seaglen Trust', 'match', 'NOVARRO TRUSTEES (JERSEY) LIMITED AS TRUSTEE OF THE SEAGLEN TRUST'],
  ['The Trustee for Ostermoor Income Fund', 'match', 'Ostermoor Income Fund'],
  // In quotation marks, and with an error in the words that name the trustee.
  ['“The Trustee for Larkmoor Family Trust”', 'match', 'The Trustee for Larkmoor Family Trust'],
  ['The Tustee for Larkmoor Family Trust', 'match', 'The Trustee for Larkmoor Family Trust'],
  // With an address or a short name behind it; a country, a state or a number in brackets names another trust.
  ...[
    'The Trustee for Larkmoor Family Trust, 12 Main Street',
    'The Trustee for Larkmoor Family Trust, Level 3, 12 Main Street, Sydney NSW 2000',
    'Larkmoor Family Trust - 3/12 High St, Sydney',
    'Larkmoor Family Trust, PO Box 12',
    'The Trustee for Larkmoor Family Trust (ABC)',
    'Perpetrix Pty Ltd ATF Larkmoor Family Trust (ABC)',
  ].map((name) => [name, 'match', 'The Trustee for Larkmoor Family Trust'] as const),
  ['The Trustee for Larkmoor Family Trust, Hope', 'ambiguous'],
  ['The Trustee for Larkmoor Family Trust (NSW)', 'ambiguous'],
  ['The Trustee for Larkmoor Family Trust (NZL)', 'ambiguous'],
  ['The Trustee for Larkmoor Family Trust (XII)', 'ambiguous'],
  // With whoever runs it, who may be a company of the data.
  ...[
    'Perpetrix Pty Ltd as trustee for Larkmoor Family Trust',
    'Perpetrix Pty Ltd as trustee of the Larkmoor Family Trust',
    'Perpetrix Pty Ltd, in its capacity as trustee for the Larkmoor Family Trust',
    'Perpetrix Pty Ltd acting solely in its capacity as trustee of Larkmoor Family Trust',
    'Perpetrix Pty Ltd as trustee for and on behalf of Larkmoor Family Trust',
    'Perpetrix Pty Ltd (as trustee for Larkmoor Family Trust)',
    'Perpetrix Pty Ltd ATF Larkmoor Family Trust',
    'PERPETRIX PTY LTD A/T/F THE LARKMOOR FAMILY TRUST',
    'Perpetrix Pty Ltd as responsible entity for Larkmoor Family Trust',
    'As Trustee of Larkmoor Family Trust',
    '12. Perpetrix Pty Ltd ATF Larkmoor Family Trust, Australia',
    'Perpetrix Pty Ltd ATF Larkmoor Family Trust c/o Bellwether Manufacturing AG',
  ].map((name) => [name, 'match', 'The Trustee for Larkmoor Family Trust'] as const),
  ['Perpetrix Pty Ltd as responsible entity for Ostermoor Income Fund', 'match', 'Ostermoor Income Fund'],
  // The one that is named as asked is first.
  ['Kestrel Trust', 'match', 'Kestrel Trust'],
  ['The Trustee for Kestrel Trust', 'match', 'The Trustee for Kestrel Trust'],
  ['Zahnradwerk Quillberg GmbH', 'match', 'Zahnradwerk Quillberg GmbH'],
  [
    'Second Harrow Ltd as trustee of the Dunmarra Trust',
    'match',
    'Second Harrow Ltd as Trustee of The Dunmarra Trust',
  ],
  ['Dunmarra Trust', 'ambiguous'],
  ['Third Harrow Ltd as trustee of the Dunmarra Trust', 'ambiguous'],
  // Never the trustee, nor a company with fewer or more words than the trust.
  ['Perpetrix Pty Ltd', 'match', 'Perpetrix Pty Ltd'],
  ['Perpetrix Pty Ltd as trustee for the Hope Trust', 'none'],
  ['Bellwether Manufacturing AG as trustee for the Hope Trust', 'none'],
  ['Perpetrix Pty Ltd ATF Bellwether Manufacturing AG Superannuation Fund', 'ambiguous'],
  ['Perpetrix Pty Ltd as trustee for Bellwether Manufacturing AG', 'none'],
  ['The Trustee for Larkmoor Trust', 'ambiguous'],
  ['Larkmoor Unit Trust', 'none'],
  ['Novarro Trustees (Jersey) Limited', 'none'],
  ['Novarro Trustees (Jersey) Limited as trustee of the Hope Trust', 'ambiguous'],
  [
    'Bellwether Manufacturing AG trading as Trustees of the Tamarack Settlement',
    'match',
    'Bellwether Manufacturing AG',
  ],
  ['Zellverin AG, formerly known as Trustees of the Tamarack Settlement', 'none'],
  // ATF is a word of other names.
  ['Millrace ATF Services Ltd', 'match', 'Millrace ATF Services Limited'],
];

const ask = testNameQuestions({ names, country: 'AU', askedCountry: null }, questions);

test('of another name of a trust, a match is the trust of the LEI beside it', () => {
  const name = 'The Trustee for Larkmoor Trust';
  const found = ask(name, ask(name).candidates[0]?.lei);
  expect([found.verdict, found.candidates[0]?.name]).toEqual(['match', names[0]]);
});
