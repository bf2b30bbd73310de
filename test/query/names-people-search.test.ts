/** Tests which company comes first for names as people type them into a search, over a publication. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { answerQuestion } from '../../src/query/answer-question.ts';
import type { PublicationReader } from '../../src/store/publication-reader.ts';
import { company, operator } from '../loader/publishing.ts';
import { jsonIn } from '../support/answers.ts';

const lapsed = 'LAPSED';
const companies: readonly (readonly [name: string, status?: string])[] = [
  ['EAGLE NORTHFIELD SHIPPING CO. LIMITED', lapsed],
  ['NORTHFIELD SHIPPING CO. VARNA'],
  ['Brightwater Agro (PTY) LTD', lapsed],
  ['Brightwater Agro S.A.'],
  ['Tulcan Comercial S.A. de C.V.', lapsed],
  ['Tulcan Comercial GmbH'],
  ['Quexley Private Limited', lapsed],
  ['Quexley Limited'],
  ['Quexley Capital Bank'],
  ['Ostrava Private Bank', lapsed],
  ['Ostrava Capital Bank'],
  ['JSC Wolfsberg Limited', lapsed],
  ['Wolfsberg AB'],
  ['Zorbia Trading Works', lapsed],
  ['Zorbia Trading Works GmbH & Co. KG'],
  ['Yulenka Limited'],
  ['Yulenka DOO', lapsed],
  ['Halvorsen Timber', lapsed],
  ['Halvorsen Timber Export'],
  ['R. T. Lindqvist AB', lapsed],
  ['Lindqvist Trading AB'],
  ['K. B. Capital Limited', lapsed],
  ['Capital Limited'],
  ['L. V. Ventures Limited', lapsed],
  ['Ventures Limited'],
  ['Hover4pi Master Fund', lapsed],
  ['Master Fund Global Participations ApS'],
  ['Savon Kuituverkko Oy', lapsed],
  ['Kuituverkko Consultancy L.L.C.'],
  ['SE Testa Memphis, LLC', lapsed],
  ['SE Capital Memphis LP'],
];

let publication: PublicationReader;
beforeAll(async () => {
  const someone = operator();
  await someone.load({
    at: '2026-01-01T00:00:00Z',
    companies: companies.map(([name, status = 'ISSUED'], n) => company(n + 1, { name, status })),
  });
  publication = await someone.open();
});
afterAll(() => publication.close());

/** The names that a search finds, best first. */
function namesFor(q: string): string[] {
  const anywhere = { country: null, status: null, after: null };
  const answer = answerQuestion(publication, { kind: 'search', q, ...anywhere, limit: 5 });
  if (answer.outcome !== 'found') throw new Error(`${q}: ${answer.outcome}`);
  const { items }: { items: { name: string }[] } = jsonIn(answer.data);
  return items.map(({ name }) => name);
}

const cases: readonly (readonly [why: string, q: string, name: string])[] = [
  [
    'a part of a form stands before the last word',
    'NORTHFIELD SHIPPING CO EAGLE',
    'EAGLE NORTHFIELD SHIPPING CO. LIMITED',
  ],
  ['a part of a form is typed', 'Brightwater Agro (PTY)', 'Brightwater Agro (PTY) LTD'],
  ['a form is not finished', 'Tulcan Comercial S.A. de', 'Tulcan Comercial S.A. de C.V.'],
  ['half of a form is typed', 'quexley private', 'Quexley Private Limited'],
  ['the other half of a form is typed', 'brightwater agro ltd', 'Brightwater Agro (PTY) LTD'],
  ['a word that may be a form is a word of the name', 'ostrava private', 'Ostrava Private Bank'],
  ['a form in front is a word of the name', 'jsc wolfsberg', 'JSC Wolfsberg Limited'],
  ['a name has fewer additional words, forms included', 'zorbia trading', 'Zorbia Trading Works'],
  ['the typed form counts more than a status', 'yulenka doo', 'Yulenka DOO'],
  ['a word counts more than a status', 'halvorsen timber', 'Halvorsen Timber'],
  ['initials are in another order and apart', 'T Lindqvist R', 'R. T. Lindqvist AB'],
  ['initials are apart and around a word', 'B Capital K', 'K. B. Capital Limited'],
  ['initials are together, beside a typing error', 'lv vantures', 'L. V. Ventures Limited'],
  ['the first word is missing', 'Master Fund', 'Hover4pi Master Fund'],
  ['the first word is missing, the form is typed', 'Kuituverkko Oy', 'Savon Kuituverkko Oy'],
  ['an inner word is missing, the form is typed', 'SE Memphis, LLC', 'SE Testa Memphis, LLC'],
];

for (const [why, q, name] of cases) {
  test(`"${q}" finds ${name} first: ${why}`, () => {
    expect(namesFor(q)[0]).toBe(name);
  });
}
