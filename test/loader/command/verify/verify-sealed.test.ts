/** Tests what `lei verify` reports about a publication whose bytes are as sealed but contradict each other. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checksum } from '../../../../src/bytes/hash.ts';
import { openForBuilding, syncAndClose } from '../../../../src/lmdb.ts';
import { verifySealed } from '../../../../src/loader/command/verify/verify-sealed.ts';
import { layout } from '../../../../src/publication/layout.ts';
import { changeOrderWriter } from '../../../../src/store/change-order.ts';
import { placeOfColumn } from '../../../../src/store/columns/layout.ts';
import { CompanyFile } from '../../../../src/store/company-file.ts';
import { columnsFrom, headerAt, rowAt, rowsFrom } from '../../../../src/store/company-file-layout.ts';
import { CompanyFileWriter } from '../../../../src/store/company-file-writer.ts';
import { isinRows } from '../../../../src/store/isin-lists.ts';
import { readMeta, writeMeta } from '../../../../src/store/meta.ts';
import { splitEnds, withEnds } from '../../../../src/store/relationship-record.ts';
import { entryAt, entryBytes, parseHeader, placeUnit } from '../../../../src/store/row-file/layout.ts';
import { type RowFileTable, rowFileTables } from '../../../../src/store/search/format.ts';
import { textOfRow } from '../../../../src/store/stored-companies.ts';
import { openTables, type Tables } from '../../../../src/store/tables.ts';
import { bic, company, isin, lei, operator, relationship } from '../../publishing.ts';
import { reseal } from '../../resealing.ts';

const someone = operator();
const paths = layout(someone.dataDir);
let id = '';
let sound = '';
let soundCompanies = '';

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
  soundCompanies = join(someone.dataDir, 'sound.bin');
  copyFileSync(paths.companies(id), soundCompanies);
});

interface Texts {
  readonly record: string;
  readonly mappings: string;
}

interface Faults {
  /** Changes tables. */
  readonly tables?: (tables: Tables) => void;
  /** Changes rows of the company file. */
  readonly row?: (entity: number, row: Texts) => Texts;
  /** Whether the environment still has the sum of the rows as they were. */
  readonly sumKept?: boolean;
}

/** Plants faults and rewrites the manifest for the resulting bytes. */
async function problemsAfter({ tables, row, sumKept = false }: Faults): Promise<readonly string[]> {
  copyFileSync(sound, paths.environment(id));
  copyFileSync(soundCompanies, paths.companies(id));
  const sum = row === undefined ? null : rewriteRows(row);
  const environment = openForBuilding(paths.publication(id));
  const opened = openTables(environment);
  tables?.(opened);
  if (sum !== null && !sumKept) writeMeta(opened.meta, { ...readMeta(opened.meta, undefined), rowSum: sum });
  await syncAndClose(environment);
  await reseal(someone, id);
  return (await verifySealed(paths, id, () => {})).problems;
}

/** @returns the sum of the rows */
function rewriteRows(change: (entity: number, row: Texts) => Texts): number {
  const file = new CompanyFile(soundCompanies, id, 'through');
  const writer = new CompanyFileWriter(paths.companies(id), id, file.lastEntity, []);
  for (let entity = 1; entity <= file.lastEntity; entity++) {
    const before = {
      record: textOfRow(file.record(entity)) ?? '',
      mappings: textOfRow(file.mappings(entity)) ?? '',
    };
    const { record, mappings } = change(entity, before);
    writer.put({ entity, record: glimpseOf(record), mappings: mappings === '' ? null : glimpseOf(mappings) });
  }
  file.close();
  const sum = writer.finish();
  writer.close();
  return sum;
}

function glimpseOf(text: string) {
  const bytes = Buffer.from(text);
  return { bytes, length: bytes.length };
}

/** Changes the record of one entity. */
const recordOf = (of: number, change: (record: string) => string) => (entity: number, row: Texts) =>
  entity === of ? { ...row, record: change(row.record) } : row;

test('nothing, if nothing was changed', async () => {
  expect(await problemsAfter({})).toEqual([]);
  expect(await problemsAfter({ row: (_entity, row) => row })).toEqual([]);
});

test("a record that is stored under another company's number", async () => {
  const file = new CompanyFile(soundCompanies, id, 'through');
  const other = textOfRow(file.record(2)) ?? '';
  file.close();
  const problems = await problemsAfter({ row: recordOf(1, () => other) });
  expect(problems).toContain(`A look-up of ${lei(2)} does not find it.`);
});

test('a company whose record is missing, and one whose record cannot be read', async () => {
  const gone = await problemsAfter({ row: recordOf(1, () => lei(1)) });
  expect(gone).toEqual([
    'There are 2 companies, but 3 were expected.',
    'Lists have 2 companies, but 3 were expected.',
    'The search index has entity 1, of which the company file has no record.',
  ]);
  const torn = await problemsAfter({ row: recordOf(1, (record) => record.replace('LEEDS', 'LE"EDS')) });
  expect(torn).toEqual([`The record of ${lei(1)} can't be read.`]);
});

test('a row that was not written by the load, though all its checksums fit', async () => {
  const changed = [
    recordOf(1, (record) => record.replace('LEEDS', 'LINCOLN')),
    (entity: number, row: Texts) => (entity === 2 ? { ...row, mappings: '' } : row),
  ];
  for (const row of changed) {
    const problems = await problemsAfter({ row, sumKept: true });
    expect(problems[0]).toMatch(/^The rows of the company file have the sum \d+, but \d+ was written\.$/);
  }
});

test('a company file of fewer entities than the environment has', async () => {
  const tables = ({ meta }: Tables) => {
    const stored = readMeta(meta, undefined);
    writeMeta(meta, { ...stored, lastEntity: stored.lastEntity + 1 });
  };
  expect(await problemsAfter({ tables })).toContain('The company file has 3 entities, but 4 were expected.');
});

/** Changes numbers of the company file whose checksums, if any, then fit. */
async function problemsOfNumbers(change: (bytes: Buffer) => void): Promise<readonly string[]> {
  await problemsAfter({});
  const bytes = readFileSync(paths.companies(id));
  change(bytes);
  bytes.writeUInt32LE(checksum(bytes.subarray(0, headerAt.check)), headerAt.check);
  writeFileSync(paths.companies(id), bytes);
  await reseal(someone, id);
  return (await verifySealed(paths, id, () => {})).problems;
}

test('rows that do not fill the company file, a row to which no number leads, and free rows in no list', async () => {
  const rowAfter = (bytes: Buffer) => rowsFrom(bytes.readUInt32LE(headerAt.cells));
  const unfilled = await problemsOfNumbers((bytes) => bytes.writeUInt32LE(0, rowAfter(bytes) + rowAt.room));
  expect(unfilled[0]).toMatch(/^The company file has no whole row at \d+\.$/);
  const freed = await problemsOfNumbers((bytes) => bytes.writeUInt32LE(1, headerAt.left));
  expect(freed).toEqual(['The company file has 0 bytes of free rows, but states another number.']);
  const listed = await problemsOfNumbers((bytes) => bytes.writeUInt32LE(1, headerAt.free));
  expect(listed).toEqual(['The list 0 of free rows leads to 8, where no such row is free.']);
});

function emptyRows(bytes: Buffer, table: RowFileTable): void {
  const { lists } = parseHeader(bytes, rowFileTables.length) ?? {};
  const { place = 0, rows = 0 } = lists?.[rowFileTables.indexOf(table)] ?? {};
  for (let row = 0; row < rows; row++)
    bytes.writeUInt32LE(0, place * placeUnit + row * entryBytes + entryAt.bytes);
}

/** Changes a search file and seals it again. */
async function problemsOfSearch(change: (bytes: Buffer) => void): Promise<readonly string[]> {
  await problemsAfter({});
  const sealed = readFileSync(paths.search(id));
  const bytes = Buffer.from(sealed);
  change(bytes);
  writeFileSync(paths.search(id), bytes);
  await reseal(someone, id);
  const { problems } = await verifySealed(paths, id, () => {});
  writeFileSync(paths.search(id), sealed);
  return problems;
}

test('a company that a search for its name does not find', async () => {
  const row = recordOf(3, (record) => record.replace('Zebra Crossings', 'Giraffe Walks'));
  const problems = await problemsAfter({ row });
  expect(problems).toEqual([
    `A search for Giraffe Walks Limited does not find ${lei(3)}.`,
    `The search index has other names of ${lei(3)}.`,
    `The search index does not lead from each whole name and number of ${lei(3)} to it.`,
  ]);
});

describe('a search file that was changed and sealed again', () => {
  test('is reported where it lacks the names of companies that its words lead to', async () => {
    const problems = await problemsOfSearch((bytes) => emptyRows(bytes, 'names'));
    const lacking = /^A search for .+ fails: The search index has no document \d+\.$/;
    expect(problems.slice(0, 3)).toEqual([1, 2, 3].map(() => expect.stringMatching(lacking)));
    expect(problems).toContain(`The search index lacks ${lei(3)}.`);
  });

  test.each([
    ['a word', 'zebra', 'zebra'],
    ['a filter', 'sISSUED', '¢sISSUED'],
  ])('is reported where %s leads to another company', async (_what, letters, term) => {
    const problems = await problemsOfSearch((bytes) => {
      // Behind the letters are the number of companies, the bytes of their list, and the first of them.
      const at = bytes.indexOf(letters) + letters.length + 2;
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    });
    expect(problems).toContain(
      `The search index has other companies under “${term}” than those that have it.`,
    );
  });

  test('is reported where whole names and numbers lead to no company', async () => {
    const problems = await problemsOfSearch((bytes) => emptyRows(bytes, 'keys'));
    expect(problems).toContain(
      `The search index does not lead from each whole name and number of ${lei(2)} to it.`,
    );
  });

  test('is reported if it lacks the words that an opening reads', async () => {
    const problems = await problemsOfSearch((bytes) => emptyRows(bytes, 'terms'));
    expect(problems).toEqual([
      expect.stringMatching(/^The publication does not open: The search index has no term \d+\.$/),
    ]);
  });

  test('is reported if it does not open', async () => {
    const problems = await problemsOfSearch((bytes) => bytes.writeUInt8(0, 0));
    expect(problems).toEqual([`${paths.search(id)} is damaged: its header is not the written one.`]);
  });
});

test.each([
  ['a company file', () => paths.companies(id)],
  ['an environment', () => paths.environment(id)],
  ['a search file', () => paths.search(id)],
])('%s that differs from the sealed one, before anything in it is read', async (_what, path) => {
  await problemsAfter({});
  const bytes = readFileSync(path());
  const changed = Buffer.from(bytes);
  changed.writeUInt8(changed.readUInt8(bytes.length - 9) ^ 1, bytes.length - 9);
  writeFileSync(path(), changed);
  const { problems, checked } = await verifySealed(paths, id, () => {});
  writeFileSync(path(), bytes);
  expect(problems).toEqual([expect.stringMatching(/ has SHA-256 \w+, not the \w+ it was sealed/)]);
  expect(problems[0]).toStartWith(path());
  expect(checked.companies).toBe(0);
});

test('a company whose columns are not those of its record', async () => {
  await problemsAfter({});
  const bytes = readFileSync(paths.companies(id));
  const { check, from, bytes: length, bits } = placeOfColumn('country');
  const block = columnsFrom(bytes.readUInt32LE(headerAt.cells));
  for (let bit = 0; bit < bits; bit++) {
    const at = block + from + bit * (length / bits);
    bytes.writeUInt8(bytes.readUInt8(at) & ~(1 << 3), at);
  }
  bytes.writeUInt32LE(checksum(bytes.subarray(block + from, block + from + length)), block + check);
  writeFileSync(paths.companies(id), bytes);
  await reseal(someone, id);
  const { problems } = await verifySealed(paths, id, () => {});
  expect(problems).toEqual(['The columns have another country of entity 3 than its record.']);
});

test('a relationship that is not listed at its start, or has no end', async () => {
  expect(await problemsAfter({ tables: (tables) => tables.relationshipsOf.removeSync(1) })).toEqual([
    'Relationship 1 is not listed at its start node.',
    '0 relationships are listed, but 1 are stored.',
  ]);
  const endless = await problemsAfter({
    tables: (tables) => {
      const { start, record } = splitEnds(tables.relationships.get(1) ?? '');
      tables.relationships.putSync(1, withEnds(record, start, 99));
    },
  });
  expect(endless).toEqual(['Relationship 1 has no end node.']);
});

test('an identifier whose company does not name it', async () => {
  const problems = await problemsAfter({ row: (_entity, row) => ({ ...row, mappings: '' }) });
  expect(problems).toEqual([
    `BIC ${bic(2)} leads to entity 2, which does not name it.`,
    `ISIN ${isin(1)} leads to entity 1, which does not name it.`,
  ]);
});

test('missing identifiers, with both numbers', async () => {
  const problems = await problemsAfter({ tables: (tables) => tables.isin.clearSync() });
  expect(problems).toEqual(['There are 0 isin pairs, but 1 were expected.']);
});

test('a change that cannot be read, with its company', async () => {
  const problems = await problemsAfter({
    tables: ({ changes }) => {
      for (const key of [...changes.getKeys({ limit: 1 })]) changes.putSync(key, '{');
    },
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
  const lacking = await problemsAfter({ tables: listing([]) });
  expect(lacking).toEqual([`Version ${id} has 3 changes that are not in order.`]);
  // Both ends report the relationship before the company reports its city.
  const wrong = await problemsAfter({ tables: listing([lei(1), lei(2), lei(1), lei(3)]) });
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
  await problemsAfter({});
  const outcome = await someone.load({
    at: '2024-05-07T00:00:00Z',
    companies: [company(1), company(2), company(3)],
    isins: isins.map((value) => [1, value]),
  });
  id = outcome.manifest.id;
  copyFileSync(paths.environment(id), sound);
  copyFileSync(paths.companies(id), soundCompanies);
  const listing = (entity: number, list: readonly string[]) => (tables: Tables) => {
    if (entity === 1) tables.isinLists.clearSync();
    for (const { key, value } of rowsOf(entity, list)) tables.isinLists.putSync(key, value);
  };
  expect(await problemsAfter({})).toEqual([]);
  expect(await problemsAfter({ tables: listing(1, isins.slice(1)) })).toEqual([
    'The list of entity 1 holds 29 ISINs, but 30 were expected.',
  ]);
  expect(await problemsAfter({ tables: listing(1, [...isins.slice(1), isin(99)]) })).toEqual([
    `ISIN ${isin(99)} does not lead to entity 1.`,
  ]);
  expect(await problemsAfter({ tables: listing(8, isins.slice(0, 1)) })).toEqual([
    `ISIN ${isin(0)} does not lead to entity 8.`,
    'Entity 8 has a list of ISINs, but no mappings.',
  ]);
});
