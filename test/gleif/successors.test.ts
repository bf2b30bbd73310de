/** The language of a successor's name: GLEIF's API shows it and filters by it, the service's own answers don't have it. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folders.ts';
import { leiJson } from '../support/lei-here.ts';
import { startTestService, type TestService } from '../support/service.ts';

const lei = '529900T8BM49AURSDO55';
const columns = [
  'LEI',
  'Entity.LegalName',
  'Entity.LegalAddress.Country',
  'Entity.HeadquartersAddress.Country',
  'Entity.EntityStatus',
  'Entity.SuccessorEntity.1.SuccessorLEI',
  'Entity.SuccessorEntity.1.SuccessorEntityName',
  'Entity.SuccessorEntity.1.SuccessorEntity.xmllang',
  'Entity.SuccessorEntity.2.SuccessorLEI',
  'Entity.SuccessorEntity.2.SuccessorEntityName',
  'Entity.SuccessorEntity.2.SuccessorEntity.xmllang',
  'Registration.RegistrationStatus',
  'Registration.LastUpdateDate',
];
/** A file in which the first successor has a name in a language, as far as it is given, and the second an LEI. */
function level1File(language: string): string {
  const successors = ['', 'Nachfolger AG', language, '549300FVJ8VP83LAQV68', '', ''];
  const row = [lei, 'Vorgänger AG', 'DE', 'DE', 'INACTIVE', ...successors, 'RETIRED', '2025-05-01T00:00:00Z'];
  const path = join(temporaryFolder('successors'), 'lei2.csv');
  writeFileSync(path, `${columns.join()}\n${row.join()}\n`);
  return path;
}

const dataDir = temporaryFolder('successors-data');
let service: TestService;

async function load(language: string, day: string, ...options: string[]): Promise<void> {
  const loaded = await leiJson(
    dataDir,
    'load',
    ...options,
    '--published-at',
    `${day}T00:00:00Z`,
    level1File(language),
  );
  expect([loaded.code, loaded.stderr]).toEqual([0, expect.any(String)]);
}

beforeAll(async () => {
  await load('', '2025-05-01');
  await load('fr', '2025-05-02');
  await load('de', '2025-05-03', '--delta');
  service = await startTestService({ dataDir });
});
afterAll(() => service.stop());

const json = async (path: string) => JSON.parse(await (await service.fetch(path)).text());

test('a record of GLEIF’s API has the language of a successor’s name where there is one', async () => {
  const { data } = await json(`/gleif/api/v1/lei-records/${lei}`);
  expect(data.attributes.entity.successorEntities).toEqual([
    { name: 'Nachfolger AG', lang: 'de' },
    { lei: '549300FVJ8VP83LAQV68' },
  ]);
  expect(data.attributes.entity.successorEntity).toEqual({ lei: null, name: 'Nachfolger AG' });
});

test('a list of GLEIF’s API is filtered by that language', async () => {
  const totals = ['de', 'fr', '!de', '!fr'].map(async (language) => {
    const query = `filter[entity.successorEntities.lang]=${language}`;
    return (await json(`/gleif/api/v1/lei-records?${query}`)).meta.pagination.total;
  });
  expect(await Promise.all(totals)).toEqual([1, 0, 0, 1]);
});

test('the service’s own answer is the same with and without the language, and no change is recorded', async () => {
  const { data } = await json(`/api/v1/lei/${lei}`);
  expect(data.entity.successorEntities).toEqual([
    { lei: null, name: 'Nachfolger AG' },
    { lei: '549300FVJ8VP83LAQV68', name: null },
  ]);
  expect(data.provenance.lastChanged).toBe(data.provenance.firstSeen);
  const { data: changes } = await json(`/api/v1/lei/${lei}/changes`);
  expect(changes.items).toEqual([]);
});
