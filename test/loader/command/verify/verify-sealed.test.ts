/** Tests what `lei verify` reports about a publication whose bytes are as sealed but contradict each other. */
import { beforeAll, expect, test } from 'bun:test';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checksum } from '../../../../src/bytes/hash.ts';
import { openForBuilding, syncAndClose } from '../../../../src/lmdb.ts';
import { verifySealed } from '../../../../src/loader/command/verify/verify-sealed.ts';
import { writeCompanyFile } from '../../../../src/loader/process/company-file.ts';
import { layout } from '../../../../src/publication/layout.ts';
import { changeOrderWriter } from '../../../../src/store/change-order.ts';
import { placeOfColumn } from '../../../../src/store/columns/layout.ts';
import { columnsFrom, headerAt } from '../../../../src/store/company-file.ts';
import { isinRows } from '../../../../src/store/isin-lists.ts';
import { splitEnds, withEnds } from '../../../../src/store/relationship-record.ts';
import { openTables, type Tables } from '../../../../src/store/tables.ts';
import { bic, company, isin, lei, operator, relationship } from '../../publishing.ts';
import { reseal } from '../../resealing.ts';

const someone = operator();
const paths = layout(someone.dataDir);
let id = '';
let sound = '';

beforeAll(async () => {
  const companies = [company(1), company(2), company(3, { name: 'Zebra Crossings Limited' })];
  await someone.load({ at: '2024-05-04T00:00:00Z', companies });
  const outcome = await someone.load({
    at: '2024-05-05T00:00:00Z',
    companies: [company(1, { city: 'LEEDS' }), ...companies.slice(1)],
    relationships: { kept: [relationship(1, 2)] },
    isins: [[1, isin(1)]],
    bics: [[2, bic(2)]],
  });
  id = outcome.manifest.id;
  sound = join(someone.dataDir, 'sound.mdb');
  copyFileSync(paths.environment(id), sound);
});

/** Changes the tables and rewrites the manifest for the resulting bytes. */
async function problemsAfter(
  change: (tables: Tables) => void,
  { companyFile }: { companyFile: 'made of them' | 'as it was' } = { companyFile: 'made of them' },
): Promise<readonly string[]> {
  const folder = paths.publication(id);
  copyFileSync(sound, paths.environment(id));
  await writeCompanyFile(folder, id, () => {});
  const environment = openForBuilding(folder);
  change(openTables(environment));
  await syncAndClose(environment);
  if (companyFile === 'made of them') await writeCompanyFile(folder, id, () => {});
  await reseal(someone, id);
  return (await verifySealed(paths, id, () => {})).problems;
}

const textOf = (tables: Tables, entity: number) => tables.entities.get(entity) ?? '';

test('nothing, if nothing was changed', async () => {
  expect(await problemsAfter(() => {})).toEqual([]);
});

test("a record that is stored under another company's number", async () => {
  const problems = await problemsAfter((tables) => tables.entities.putSync(1, textOf(tables, 2)));
  expect(problems).toContain(`A look-up of ${lei(2)} does not find it.`);
});

test('a company whose record is missing, and one whose record cannot be read', async () => {
  const gone = await problemsAfter((tables) => tables.entities.putSync(1, lei(1)));
  expect(gone).toEqual([
    `A look-up of ${lei(1)} does not find it.`,
    'There are 2 companies, but 3 were expected.',
    'Lists have 2 companies, but 3 were expected.',
  ]);
  const torn = await problemsAfter((tables) =>
    tables.entities.putSync(1, textOf(tables, 1).replace('LEEDS', 'LE"EDS')),
  );
  expect(torn).toEqual([`The record of ${lei(1)} can't be read.`]);
});

test('a missing row, with the numbers of rows', async () => {
  const problems = await problemsAfter((tables) => tables.entities.removeSync(3), {
    companyFile: 'as it was',
  });
  expect(problems).toContain(
    'In the environment there are 2 rows in the entities table, but 3 were expected.',
  );
});

test('a company that a search for its name does not find', async () => {
  const problems = await problemsAfter((tables) =>
    tables.entities.putSync(3, textOf(tables, 3).replace('Zebra Crossings', 'Giraffe Walks')),
  );
  expect(problems).toEqual([`A search for Giraffe Walks Limited does not find ${lei(3)}.`]);
});

test.each([
  ['a company file', () => paths.companies(id)],
  ['an environment', () => paths.environment(id)],
])('%s that differs from the sealed one, before anything in it is read', async (_what, path) => {
  await problemsAfter(() => {});
  const bytes = readFileSync(path());
  bytes.write('X', bytes.length - 9);
  writeFileSync(path(), bytes);
  const { problems, checked } = await verifySealed(paths, id, () => {});
  expect(problems).toEqual([expect.stringMatching(/ has SHA-256 \w+, not the \w+ it was sealed/)]);
  expect(problems[0]).toStartWith(path());
  expect(checked.companies).toBe(0);
});

test('a company whose record or identifiers differ between company file and tables', async () => {
  const problems = await problemsAfter(
    (tables) => {
      tables.entities.putSync(1, textOf(tables, 1).replace('LEEDS', 'LINCOLN'));
      tables.mappings.removeSync(2);
    },
    { companyFile: 'as it was' },
  );
  expect(problems).toEqual([
    `The company file has another record for ${lei(1)} than the tables.`,
    `The company file has other identifiers for ${lei(2)} than the tables.`,
    `BIC ${bic(2)} leads to entity 2, which does not name it.`,
  ]);
});

test('a company whose columns are not those of its record', async () => {
  await problemsAfter(() => {});
  const bytes = readFileSync(paths.companies(id));
  const place = placeOfColumn.get('country');
  if (place === undefined) throw new Error('There is no such column.');
  const { check, from, bytes: length } = place;
  const block = columnsFrom(bytes.readUInt32LE(headerAt.cells));
  bytes.writeUInt16LE(0, block + from + 2 * 3);
  bytes.writeUInt32LE(checksum(bytes.subarray(block + from, block + from + length)), block + check);
  writeFileSync(paths.companies(id), bytes);
  await reseal(someone, id);
  const { problems } = await verifySealed(paths, id, () => {});
  expect(problems).toEqual(['The columns have another country of entity 3 than its record.']);
});

test('a relationship that is not listed at its start, or has no end', async () => {
  expect(await problemsAfter((tables) => tables.relationshipsOf.removeSync(1))).toEqual([
    'Relationship 1 is not listed at its start node.',
    '0 relationships are listed, but 1 are stored.',
  ]);
  const endless = await problemsAfter((tables) => {
    const { start, record } = splitEnds(tables.relationships.get(1) ?? '');
    tables.relationships.putSync(1, withEnds(record, start, 99));
  });
  expect(endless).toEqual(['Relationship 1 has no end node.']);
});

test('an identifier whose company does not name it', async () => {
  const problems = await problemsAfter((tables) => {
    tables.mappings.removeSync(1);
    tables.mappings.removeSync(2);
  });
  expect(problems).toEqual([
    `BIC ${bic(2)} leads to entity 2, which does not name it.`,
    `ISIN ${isin(1)} leads to entity 1, which does not name it.`,
  ]);
});

test('missing identifiers, with both numbers', async () => {
  const problems = await problemsAfter((tables) => tables.isin.clearSync());
  expect(problems).toEqual(['There are 0 isin pairs, but 1 were expected.']);
});

test('a change that cannot be read, with its company', async () => {
  const problems = await problemsAfter((tables) => {
    for (const key of [...tables.changes.getKeys({ limit: 1 })]) tables.changes.putSync(key, '{');
  });
  expect(problems).toEqual([`A change of ${lei(1)} can't be read.`]);
});

test('a change out of the order of its version, and one that is listed but not stored', async () => {
  const moment = { at: '2024-05-05T00:00:00Z', version: 1 };
  const listing = (leis: readonly string[]) => (tables: Tables) => {
    tables.changeOrder.clearSync();
    const order = changeOrderWriter(tables, moment.version, moment.at);
    for (const each of leis) order.add(each, each === lei(1) ? 'change' : 'relationship-change');
    tables.changeOrder.transactionSync(order.end);
  };
  const lacking = await problemsAfter(listing([]));
  expect(lacking).toEqual([`Version ${id} has 3 changes that are not in order.`]);
  // Both ends report the relationship before the company reports its city.
  const wrong = await problemsAfter(listing([lei(1), lei(2), lei(1), lei(3)]));
  expect(wrong).toEqual([
    `A change of ${lei(1)} is listed as change, but is relationship-change.`,
    `A change of ${lei(3)} is listed as relationship-change, but is not stored.`,
    `Version ${id} has 1 changes that are not in order.`,
  ]);
});

test('a list of ISINs that lacks one, has one too many, or belongs to nobody', async () => {
  const isins = Array.from({ length: 30 }, (_, index) => isin(index));
  const rowsOf = (entity: number, list: readonly string[]) =>
    isinRows(entity, Buffer.from(list.toSorted().join(''), 'latin1'));
  // The publication that the test before has changed cannot be built upon.
  await problemsAfter(() => {});
  const outcome = await someone.load({
    at: '2024-05-07T00:00:00Z',
    companies: [company(1), company(2), company(3)],
    isins: isins.map((value) => [1, value]),
  });
  id = outcome.manifest.id;
  copyFileSync(paths.environment(id), sound);
  const listing = (entity: number, list: readonly string[]) => (tables: Tables) => {
    if (entity === 1) tables.isinLists.clearSync();
    for (const { key, value } of rowsOf(entity, list)) tables.isinLists.putSync(key, value);
  };
  expect(await problemsAfter(() => {})).toEqual([]);
  expect(await problemsAfter(listing(1, isins.slice(1)))).toEqual([
    'The list of entity 1 holds 29 ISINs, but 30 were expected.',
  ]);
  expect(await problemsAfter(listing(1, [...isins.slice(1), isin(99)]))).toEqual([
    `ISIN ${isin(99)} does not lead to entity 1.`,
  ]);
  expect(await problemsAfter(listing(8, isins.slice(0, 1)))).toEqual([
    `ISIN ${isin(0)} does not lead to entity 8.`,
    'Entity 8 has a list of ISINs, but no mappings.',
  ]);
});
