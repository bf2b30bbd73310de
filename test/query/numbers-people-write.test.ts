/** Tests which of several funds, trusts or series is meant by names with numbers. */
import { expect, test } from 'bun:test';
import { type NameQuestion, testNameQuestions } from './match-questions.ts';

const names = [
  'Larkmoor Fund I, LLC',
  'Larkmoor Fund II, LLC',
  'Tamarack Fund, LLC',
  'Tamarack Fund I, LLC',
  'Oakmere Income Partners II LP',
  'Quillford Trust A Limited',
  'Bellwether Series B Notes Limited',
  'Millrace Fund 2 LLC',
  'Harrowgate Shipping No. 4 Limited',
  'Kestrel Property Fund II LP',
  'Kestrel Property Fund III LP',
  'Penhaligon Mine 07 GmbH',
  'ООО Завод №7',
  'Solarpark Heide Nr. 12 GmbH',
  'Farmacia Numero 4 Srl',
  'Hindvar Chemicals (I) Private Limited',
  'Cruzan Motors V.I., Inc.',
  'IV Weldon Tech Inc',
  'Hartwel Family Settlement 2022',
  'Projekt Sosna I Sp. z o.o.',
  'Dunmarra Fund',
  'Seaglen Capital LLC',
];

const questions: readonly NameQuestion[] = [
  // The number as the record has it, in other numerals, or announced.
  ['Larkmoor Fund I LLC', 'match', 'Larkmoor Fund I, LLC'],
  ['LARKMOOR FUND 1 LLC', 'match', 'Larkmoor Fund I, LLC'],
  ['Larkmoor Fund 2 LLC', 'match', 'Larkmoor Fund II, LLC'],
  ['Larkmoor Fund No. 2 LLC', 'match', 'Larkmoor Fund II, LLC'],
  ['Millrace Fund II LLC', 'match', 'Millrace Fund 2 LLC'],
  ['Harrowgate Shipping 4 Limited', 'match', 'Harrowgate Shipping No. 4 Limited'],
  ['Harrowgate Shipping No IV Limited', 'match', 'Harrowgate Shipping No. 4 Limited'],
  ['Penhaligon Mine 7 GmbH', 'match', 'Penhaligon Mine 07 GmbH'],
  ['Kestrel Property Fund III', 'match', 'Kestrel Property Fund III LP'],
  ['Quillford Trust A Ltd', 'match', 'Quillford Trust A Limited'],
  ['Tamarack Fund LLC', 'match', 'Tamarack Fund, LLC'],
  ['Tamarack Fund I LLC', 'match', 'Tamarack Fund I, LLC'],
  // A number sign that is joined to its number.
  ['ООО «Завод № 7»', 'match', 'ООО Завод №7'],
  ['Solarpark Heide Nr12 GmbH', 'match', 'Solarpark Heide Nr. 12 GmbH'],
  ['Farmacia n. 4 Srl', 'match', 'Farmacia Numero 4 Srl'],
  ['Harrowgate Shipping No4 Limited', 'match', 'Harrowgate Shipping No. 4 Limited'],
  ['Harrowgate Shipping No. 4 Liimted', 'match', 'Harrowgate Shipping No. 4 Limited'],
  // Letters that are no numbers: a country, initials, the beginning of a name.
  ['Hindvar Chemicals Private Limited', 'match', 'Hindvar Chemicals (I) Private Limited'],
  ['Hindvar Chemicals 1 Private Limited', 'ambiguous'],
  ['Cruzan Motors 6 Inc', 'ambiguous'],
  ['4 Weldon Tech Inc', 'ambiguous'],
  // A number that another reading of the question takes for something else.
  ['Hartwel Family Settlement 2022 1234567', 'match', 'Hartwel Family Settlement 2022'],
  ['PROJEKT SOSNA I SPÓŁKA Z OGRANICZONĄ ODPOWIEDZIALNOŚCIĄ', 'match', 'Projekt Sosna I Sp. z o.o.'],
  // Another number.
  ['Oakmere Income Partners III LP', 'none'],
  ['Kestrel Property Fund I LP', 'none'],
  ['Kestrel Property Fund 4', 'none'],
  ['Quillford Trust B Limited', 'none'],
  ['Bellwether Series A Notes Limited', 'ambiguous'],
  // The question has a number, and the company none. Digits may be those of a list or an account.
  ['Dunmarra Fund XIX', 'ambiguous'],
  ['Dunmarra Fund V', 'ambiguous'],
  ['Seaglen Capital XIX LLC', 'ambiguous'],
  ['Seaglen Capital LLC XIX', 'ambiguous'],
  ['Seaglen Capital LLC 19', 'match', 'Seaglen Capital LLC'],
  // The company has a number, and the question none.
  ['Oakmere Income Partners LP', 'ambiguous'],
  ['Quillford Trust Limited', 'ambiguous'],
  ['Harrowgate Shipping Limited', 'ambiguous'],
  ['Larkmoor Fund LLC', 'ambiguous'],
];

const ask = testNameQuestions({ names, country: 'US', askedCountry: 'US' }, questions);

test('the LEI of a company decides although the name next to it lacks the number', () => {
  const name = 'Oakmere Income Partners LP';
  const [candidate] = ask(name).candidates;
  expect(ask(name, candidate?.lei).verdict).toBe('match');
});
