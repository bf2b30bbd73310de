/** Filters on names find words of legal forms. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** The legal names of all companies that meet a filter. */
async function namesWith(filter: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (let number = 1, last = 1; number <= last; number++) {
    const path = `/gleif/api/v1/lei-records?${filter}page[size]=200&page[number]=${number}`;
    const { data, meta } = JSON.parse(await (await service.fetch(path)).text());
    last = meta.pagination.lastPage;
    for (const { attributes } of data) names.push(attributes.entity.legalName.name);
  }
  return names;
}

test('a word that is a legal form is also found inside of a longer one', async () => {
  const names = await namesWith('');
  for (const word of ['limited', 'private', 'company']) {
    const withWord = names.filter((name) => new RegExp(`\\b${word}\\b`, 'i').test(name));
    expect(withWord.length).toBeGreaterThan(100);
    const found = new Set(await namesWith(`filter[entity.legalName]=${word}&`));
    expect(withWord.filter((name) => !found.has(name))).toEqual([]);
  }
  const whole = names.find((name) => /^[a-z]{4,} [a-z]{4,} Private Limited$/i.test(name));
  if (whole === undefined) throw new Error('The sample has no plain name of a private limited company.');
  const text = whole.replace(/ private/i, '').replaceAll(' ', '+');
  // An excluded text finds nothing that is only like it.
  expect(await namesWith(`filter[entity.names]=!${text}&`)).toHaveLength(names.length - 1);
});

test('a light word inside of a form is found beside a word of no form', async () => {
  const names = await namesWith('');
  const whole = names.find((name) => /^[a-z]{5,} [a-z]{5,}[ ,]+S\.?A\.? de C\.?V\.?$/i.test(name));
  if (whole === undefined) throw new Error('The sample has no plain name of a company of variable capital.');
  const [first = '', second = ''] = whole.split(/[ ,]+/);
  for (const field of ['entity.names', 'entity.legalName']) {
    // An excluded text finds nothing that is only like it.
    const others = await namesWith(`filter[${field}]=!de+${second}+${first}&`);
    expect(others).toHaveLength(names.length - 1);
    expect(others).not.toContain(whole);
  }
});
