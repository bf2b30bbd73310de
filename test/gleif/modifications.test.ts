/** Field modifications of GLEIF's API: what changed from one publication to the next, in the fields of GLEIF's own formats. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folders.ts';
import { leiJson } from '../support/lei-here.ts';
import { startTestService, type TestService } from '../support/service.ts';

const lei = '529900T8BM49AURSDO55';
const record = '/lei:LEIData/lei:LEIRecords/lei:LEIRecord';

/** @param changed values by column, in which the file differs from the others */
function level1File(changed: Readonly<Record<string, string>>): string {
  const row = {
    LEI: lei,
    'Entity.LegalName': 'Beispiel AG',
    'Entity.OtherEntityNames.OtherEntityName.1': '',
    'Entity.OtherEntityNames.OtherEntityName.1.xmllang': '',
    'Entity.OtherEntityNames.OtherEntityName.1.type': '',
    'Entity.OtherEntityNames.OtherEntityName.2': '',
    'Entity.OtherEntityNames.OtherEntityName.2.xmllang': '',
    'Entity.OtherEntityNames.OtherEntityName.2.type': '',
    'Entity.LegalAddress.Country': 'DE',
    'Entity.HeadquartersAddress.Country': 'DE',
    'Entity.EntityStatus': 'ACTIVE',
    'Entity.EntityExpirationDate': '',
    'Registration.RegistrationStatus': 'ISSUED',
    'Registration.LastUpdateDate': '2025-05-01T00:00:00+02:00',
    ...changed,
  };
  const path = join(temporaryFolder('modifications'), 'lei2.csv');
  writeFileSync(path, `${Object.keys(row).join()}\n${Object.values(row).join()}\n`);
  return path;
}

const dataDir = temporaryFolder('modifications-data');
let service: TestService;

async function load(day: string, file: string): Promise<void> {
  const loaded = await leiJson(dataDir, 'load', '--published-at', `${day}T12:00:00Z`, file);
  expect([loaded.code, loaded.stderr]).toEqual([0, expect.any(String)]);
}

beforeAll(async () => {
  await load('2025-05-01', level1File({}));
  const times = {
    'Entity.EntityExpirationDate': '2025-05-02T00:00:00+02:00',
    'Registration.LastUpdateDate': '2025-05-02T00:00:00+02:00',
  };
  await load('2025-05-02', level1File(times));
  const names = [1, 2].flatMap((place) => [
    [`Entity.OtherEntityNames.OtherEntityName.${place}`, `Muster ${place} AG`],
    [`Entity.OtherEntityNames.OtherEntityName.${place}.xmllang`, 'de'],
    [`Entity.OtherEntityNames.OtherEntityName.${place}.type`, 'PREVIOUS_LEGAL_NAME'],
  ]);
  await load('2025-05-03', level1File({ ...times, ...Object.fromEntries(names) }));
  service = await startTestService({ dataDir });
});
afterAll(() => service.stop());

interface Listed {
  readonly id: string;
  readonly attributes: {
    readonly field: string;
    readonly valueOld: string | null;
    readonly valueNew: string | null;
  };
}

async function modificationsOn(day: string): Promise<readonly Listed[]> {
  const query = `filter[date]=${day}&page[size]=200`;
  const answer = await service.fetch(`/gleif/api/v1/lei-records/${lei}/field-modifications?${query}`);
  return JSON.parse(await answer.text()).data;
}

test('a changed time is one modification: GLEIF’s formats have no days beside times', async () => {
  const found = await modificationsOn('2025-05-02');
  expect(found.map(({ attributes: { field, valueOld, valueNew } }) => [field, valueOld, valueNew])).toEqual([
    [`${record}/lei:Entity/lei:EntityExpirationDate`, null, '2025-05-01T22:00:00Z'],
    [`${record}/lei:Registration/lei:LastUpdateDate`, '2025-04-30T22:00:00Z', '2025-05-01T22:00:00Z'],
  ]);
});

test('two equal modifications in one publication have different ids', async () => {
  const found = await modificationsOn('2025-05-03');
  const equal = found.filter(({ attributes }) => attributes.valueNew === 'PREVIOUS_LEGAL_NAME');
  expect(equal).toHaveLength(2);
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
});
