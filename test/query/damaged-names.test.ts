/** Tests that names whose encoding was damaged on the way find their company. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { matchCompany } from '../../src/query/match.ts';
import type { PublicationReader } from '../../src/store/publication-reader.ts';
import { company, operator } from '../loader/publishing.ts';
import { misreadAsWindows1252 } from '../support/misread.ts';

const names = [
  'Möwenstein Gerätebau GmbH',
  'Société Brévignon Énergie SA',
  'Uždaroji akcinė bendrovė "Žuvėdra"',
  'Łąkowe Młyny Spółka Akcyjna',
  'ООО Ласточкины Мельницы',
];
const misread = 'Krähenfels Mühle AG';

let publication: PublicationReader;
beforeAll(async () => {
  const someone = operator();
  const records = [...names, misreadAsWindows1252(misread)];
  const companies = records.map((name, n) => company(n + 1, { name, country: 'CH', legalForm: '9999' }));
  await someone.load({ at: '2026-01-01T00:00:00Z', companies });
  publication = await someone.open();
});
afterAll(() => publication.close());

function bestMatch(name: string) {
  const nothing = { city: null, registrationNumber: null, lei: null };
  const { verdict, candidates } = matchCompany(publication, { name, country: 'CH', ...nothing });
  return [verdict, candidates[0]?.name];
}

test('a name in UTF-8 that was read as Windows-1252 is the company', () => {
  for (const name of names) {
    expect(bestMatch(misreadAsWindows1252(name))).toEqual(['match', name]);
    expect(bestMatch(misreadAsWindows1252(misreadAsWindows1252(name)))).toEqual(['match', name]);
  }
});

test('a record that was published misread is found by its name as it was', () => {
  expect(bestMatch(misread)).toEqual(['match', misreadAsWindows1252(misread)]);
});

test('a name with lost letters is the company if the others agree', () => {
  expect(bestMatch('M?wenstein Ger?tebau GmbH')).toEqual(['match', names[0]]);
  expect(bestMatch('M\ufffdwenstein Ger\ufffdtebau GmbH')).toEqual(['match', names[0]]);
  expect(bestMatch('Soci?t? Br?vignon ?nergie SA')).toEqual(['match', names[1]]);
  expect(bestMatch('M?wenstein Turmbau GmbH')[0]).not.toBe('match');
});
