import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Environment, openForBuilding, openReadOnly, syncAndClose } from '../../../src/lmdb.ts';
import { openSearchReader } from '../../../src/store/search/open-search.ts';
import { createSearchBuilder } from '../../../src/store/search/search-builder.ts';

let folder: string;
let environment: Environment;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'search-'));
  const building = openForBuilding(join(folder, 'index'));
  const builder = createSearchBuilder(building);
  builder.add({
    entity: 7,
    lei: '213800E5Z6QRDSMZMK84',
    names: [{ name: 'MAXRETS VENTURES PLC', type: 'LEGAL_NAME' }],
    country: 'GB',
    entityStatus: 'ACTIVE',
    registrationStatus: 'ISSUED',
    registeredAs: '10985622',
    legalForm: 'B6ES',
    bics: [],
    directChildren: 0,
  });
  builder.finish(() => undefined);
  await syncAndClose(building);
  environment = openReadOnly(join(folder, 'index'));
});

afterAll(async () => {
  await environment.close();
  await rm(folder, { recursive: true });
});

test('a name finds its company', () => {
  const outcome = openSearchReader(environment).search({
    q: 'maxrets ventures',
    country: null,
    status: null,
    after: null,
    limit: 20,
  });
  expect(outcome).toMatchObject({
    outcome: 'hits',
    total: 1,
    hits: [{ entity: 7, nameIndex: 0 }],
    next: null,
  });
});
