import { expect, test } from 'bun:test';
import { foldedWords } from '../../../src/lei/names/fold.ts';
import { lackingOneWord } from '../../../src/lei/names/fold-forms.ts';
import { nameKey, nameTerms } from '../../../src/lei/names/name-terms.ts';

const complete: readonly [string, string][] = [
  ['Terra SPÓŁKA OGRANICZONĄ ODPOWIEDZIALNOŚCIĄ', 'Terra SPÓŁKA Z OGRANICZONĄ ODPOWIEDZIALNOŚCIĄ'],
  ['Terra spółka z odpowiedzialnością', 'Terra spółka z ograniczoną odpowiedzialnością'],
  ['Terra Sabiedrība ierobežotu atbildību', 'Terra Sabiedrība ar ierobežotu atbildību'],
  ['Sabiedrība ierobežotu atbildību "Terra"', 'Sabiedrība ar ierobežotu atbildību "Terra"'],
  ['Terra Gesellschaft beschränkter Haftung', 'Terra GmbH'],
  ['Terra Gesellschaft mit Haftung', 'Terra GmbH'],
  ['Terra Société responsabilité limitée', 'Terra SARL'],
  ['Общество ограниченной ответственностью Терра', 'ООО Терра'],
  ['Terra společnost ručením omezeným', 'Terra s.r.o.'],
];

test('a legal form with a missing word is recognised, before and after a name', () => {
  for (const [incomplete, written] of complete) {
    expect([incomplete, nameTerms(incomplete)]).toEqual([incomplete, nameTerms(written)]);
    expect(nameKey(nameTerms(incomplete))).toMatch(/^(?:terra|терра)$/);
  }
});

test('words that also occur in names, and opposites, are not incomplete forms', () => {
  expect(nameTerms('Joint Stock Commercial Bank')).toEqual(['joint', 'stock', 'commercial', 'bank']);
  expect(nameTerms('Terra Property Holding Company')).toContain('holding');
  const rests = (form: string) => lackingOneWord(foldedWords(form)).map((words) => words.join(' '));
  expect(rests('domestic not for profit corporation')).not.toContain('domestic for profit corporation');
  expect(rests('spółka z ograniczoną odpowiedzialnością')).toEqual([
    'spolka ograniczona odpowiedzialnoscia',
    'spolka z odpowiedzialnoscia',
  ]);
  expect(rests('joint stock co')).toEqual([]);
});
