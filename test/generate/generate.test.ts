import { beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from '../../src/generate/generate.ts';
import type { GeneratedFile, GenerateOptions } from '../../src/generate/write-plan.ts';
import { mappingTable } from '../../src/lei/identifier-kinds.ts';
import { checkLei, checkMic } from '../../src/lei/identifiers.ts';
import { openSource } from '../../src/loader/process/open-source.ts';
import type { RowFault, SourceHeader, SourceRow } from '../../src/loader/rows.ts';
import type { SourceKind } from '../../src/publication/manifest.ts';
import { temporaryFolder } from '../support/folders.ts';

const entities = 1_000;
let root = '';
let folders = 0;

beforeAll(async () => {
  root = temporaryFolder('generate');
});

const nextDay = { day: 1, changes: null };

interface Generated {
  readonly folder: string;
  readonly files: readonly GeneratedFile[];
}

async function generated(
  options: Partial<Omit<GenerateOptions, 'folder'>> = {},
  folder = join(root, String(folders++)),
): Promise<Generated> {
  const files = await generate(
    { entities, seed: 1, delta: null, format: 'csv', ...options, folder },
    () => undefined,
  );
  return { folder, files };
}

interface Parsed {
  readonly name: string;
  readonly kind: SourceKind;
  readonly header: SourceHeader;
  readonly rows: readonly SourceRow[];
  readonly faults: readonly RowFault[];
}

/** @param kinds of files to parse; by default all */
async function parsed({ folder }: Generated, kinds?: readonly SourceKind[]): Promise<Parsed[]> {
  const names = (await readdir(folder)).sort();
  const files: Parsed[] = [];
  for (const name of names) {
    const source = await openSource(join(folder, name));
    if (kinds?.includes(source.kind) === false) continue;
    const rows: SourceRow[] = [];
    const faults: RowFault[] = [];
    const sink = {
      row: (row: SourceRow) => void rows.push(row),
      reject: (fault: RowFault) => void faults.push(fault),
      remark: (fault: RowFault) => void faults.push(fault),
    };
    await source.read(sink, () => undefined);
    files.push({ name, kind: source.kind, header: source.header, rows, faults });
  }
  return files;
}

async function digests({ folder }: Pick<Generated, 'folder'>): Promise<Record<string, string>> {
  const names = (await readdir(folder)).sort();
  const list = await Promise.all(
    names.map(async (name) => [
      name,
      createHash('sha256')
        .update(await readFile(join(folder, name)))
        .digest('hex'),
    ]),
  );
  return Object.fromEntries(list);
}

function ofKind(files: readonly Parsed[], kind: SourceKind): Parsed {
  const found = files.find((file) => file.kind === kind);
  if (found === undefined) throw new Error(`no file of kind ${kind}`);
  return found;
}

function records<K extends 'level-1' | 'relationships' | 'reporting-exceptions'>(
  files: readonly Parsed[],
  kind: K,
) {
  return ofKind(files, kind).rows.filter((row): row is Extract<SourceRow, { kind: K }> => row.kind === kind);
}

type Identifier = readonly [check: typeof checkLei, value: string];

/** Every identifier of a row with the check of its kind. */
function identifiersOf(row: SourceRow): Identifier[] {
  if (row.kind === 'mic-list') return [[checkMic, row.record.mic]];
  if (row.kind === 'ocid') return [[checkLei, row.lei]];
  return leisOf(row)
    .map((lei): Identifier => [checkLei, lei])
    .concat('value' in row ? [[mappingTable[row.kind].check, row.value]] : []);
}

function leisOf(row: SourceRow): string[] {
  if (row.kind === 'mic-list') return [];
  if (row.kind === 'registration-authorities' || row.kind === 'official-organizational-roles') return [];
  if (row.kind === 'relationships') return [row.record.start, row.record.end];
  if (row.kind === 'reporting-exceptions') return [row.record.lei];
  if (row.kind !== 'level-1') return [row.lei];
  const { entity, registration } = row.record;
  const successors = entity.successorEntities.flatMap(({ lei }) => (lei === null ? [] : [lei]));
  return [row.record.lei, registration.managingLou ?? '', ...successors];
}

/** LEIs in relationships, exceptions or mappings that have no record. */
function unknownLeis(files: readonly Parsed[]): string[] {
  const known = new Set(records(files, 'level-1').map(({ record }) => record.lei));
  return files
    .flatMap((file) => file.rows)
    .flatMap((row) => {
      if (row.kind === 'relationships') return [row.record.start, row.record.end];
      if (row.kind === 'reporting-exceptions') return [row.record.lei];
      return row.kind === 'level-1' ? [] : leisOf(row);
    })
    .filter((lei) => !known.has(lei));
}

function repeatedKeys(files: readonly Parsed[]): string[] {
  const keys = files
    .flatMap((file) => file.rows)
    .map((row) => {
      if (row.kind === 'level-1') return row.record.lei;
      if (row.kind === 'mic-list') return `mic ${row.record.mic}`;
      if (row.kind === 'relationships') {
        return `${row.record.start} ${row.record.end} ${row.record.relationship.type}`;
      }
      if (row.kind === 'reporting-exceptions') return `${row.record.lei} ${row.record.exception.category}`;
      if (row.kind === 'registration-authorities' || row.kind === 'official-organizational-roles') {
        return `${row.kind} ${row.record.code}`;
      }
      return `${row.kind} ${row.lei} ${'value' in row ? row.value : ''}`;
    });
  const seen = new Set<string>();
  return keys.filter((key) => seen.size === seen.add(key).size);
}

function share(count: number, total: number): number {
  return count / total;
}

describe('a generated full set', () => {
  let full: Generated;
  let files: Parsed[];
  let largerFiles: Promise<Parsed[]> | null = null;
  const larger = () => {
    largerFiles ??= generated({ entities: 10_000 }).then((set) =>
      parsed(set, ['relationships', 'isin', 'bic']),
    );
    return largerFiles;
  };
  beforeAll(async () => {
    full = await generated();
    files = await parsed(full);
  });

  test('has GLEIF’s file names and nothing else in the folder', async () => {
    expect((await readdir(full.folder)).sort()).toEqual([
      '20261004-1600-gleif-goldencopy-lei2-golden-copy.csv.zip',
      '20261004-1600-gleif-goldencopy-repex-golden-copy.csv.zip',
      '20261004-1600-gleif-goldencopy-rr-golden-copy.csv.zip',
      'ISO10383_MIC-20261004.csv',
      'LEI-BIC-20261004.zip',
      'LEI-GEM-20261004.zip',
      'LEI-MIC-20261004.zip',
      'LEI-QCC-20261004.zip',
      'isin-lei-20261004T160000.zip',
      'oc-lei-20261004T160000.zip',
    ]);
  });

  test('is read by the loader’s parsers without a rejected row or a remark', () => {
    expect(files.map(({ name, faults }) => ({ name, faults: faults.slice(0, 3) }))).toEqual(
      files.map(({ name }) => ({ name, faults: [] })),
    );
  });

  test('contains as many rows as it reports', () => {
    const said = Object.fromEntries(full.files.map(({ name, rows }) => [name, rows]));
    expect(Object.fromEntries(files.map(({ name, rows }) => [name, rows.length]))).toEqual(said);
    expect(said['20261004-1600-gleif-goldencopy-lei2-golden-copy.csv.zip']).toBe(entities);
  });

  test('has the same bytes for the same seed and different bytes for another', async () => {
    const first = await digests(full);
    expect(await digests(await generated())).toEqual(first);
    const other = await digests(await generated({ seed: 2 }));
    for (const [name, digest] of Object.entries(other)) expect(digest).not.toBe(first[name]);
  });

  test('has valid check digits in every identifier of every kind', () => {
    const wrong = files
      .flatMap((file) => file.rows)
      .flatMap(identifiersOf)
      .filter(([check, value]) => !check(value).ok);
    expect(wrong).toEqual([]);
  });

  test('names every LEI once, in ascending order, as the golden copy does', () => {
    const leis = records(files, 'level-1').map(({ record }) => record.lei);
    expect(new Set(leis).size).toBe(entities);
    expect([...leis].sort()).toEqual(leis);
  });

  test('relates and maps only entities that have a record', () => {
    expect(unknownLeis(files)).toEqual([]);
  });

  test('has no two relationship records, exceptions or pairs with one key', () => {
    expect(repeatedKeys(files)).toEqual([]);
  });

  test('is complete with a handful of entities too', async () => {
    for (const few of [1, 2, 3, 7, 40]) {
      const handful = await parsed(await generated({ entities: few }));
      expect(records(handful, 'level-1').length).toBe(few);
      expect(unknownLeis(handful)).toEqual([]);
      expect(repeatedKeys(handful)).toEqual([]);
      expect(handful.flatMap(({ faults }) => faults)).toEqual([]);
    }
  });

  test('has realistic shares of countries, scripts, categories and statuses', () => {
    const list = records(files, 'level-1').map(({ record }) => record);
    const countWhere = (test: (record: (typeof list)[number]) => boolean) =>
      share(list.filter(test).length, list.length);
    expect(countWhere((r) => r.entity.legalAddress.country === 'IN')).toBeWithin(0.07, 0.14);
    expect(countWhere((r) => r.entity.legalAddress.country === 'DE')).toBeWithin(0.05, 0.1);
    expect(countWhere((r) => !/\p{Script=Latin}/u.test(r.entity.legalName.name ?? ''))).toBeWithin(0.05, 0.1);
    expect(countWhere((r) => r.entity.category === 'FUND')).toBeWithin(0.05, 0.09);
    expect(countWhere((r) => r.entity.category === 'GENERAL')).toBeWithin(0.82, 0.93);
    expect(countWhere((r) => r.registration.status === 'LAPSED')).toBeWithin(0.28, 0.38);
    expect(countWhere((r) => r.registration.status === 'ISSUED')).toBeWithin(0.55, 0.67);
    expect(countWhere((r) => r.entity.otherNames.length > 0)).toBeWithin(0.04, 0.1);
    expect(countWhere((r) => r.entity.eventGroups.length > 0)).toBeWithin(0.06, 0.12);
    const names = list.map((r) => r.entity.legalName.name?.length ?? 0).sort((a, b) => a - b);
    expect(names[Math.floor(names.length / 2)]).toBeWithin(16, 30);
  });

  test('writes the entity status NULL for duplicates and annulled records, and only for them', () => {
    for (const { record } of records(files, 'level-1')) {
      const never = ['DUPLICATE', 'ANNULLED'].includes(record.registration.status ?? '');
      expect(record.entity.status === 'NULL').toBe(never);
    }
  });

  test('gives every record a legal form and a jurisdiction of its own country', () => {
    for (const { record } of records(files, 'level-1')) {
      expect(record.entity.legalForm.id).toMatch(/^[0-9A-Z]{4}$/);
      expect(record.entity.jurisdiction?.slice(0, 2)).toBe(record.entity.legalAddress.country ?? '');
    }
  });

  test('explains most missing parents by exceptions, and no reported one', () => {
    const shown = new Set(
      records(files, 'relationships')
        .filter(({ record }) => record.relationship.status === 'ACTIVE')
        .map(({ record }) => `${record.start} ${record.relationship.type}`),
    );
    const exceptions = records(files, 'reporting-exceptions').map(({ record }) => record);
    const contradictions = exceptions.filter(({ lei, exception }) => {
      const direct = exception.category.startsWith('DIRECT');
      return shown.has(`${lei} IS_${direct ? 'DIRECTLY' : 'ULTIMATELY'}_CONSOLIDATED_BY`);
    });
    expect(contradictions).toEqual([]);
    expect(share(exceptions.length, entities)).toBeWithin(1.75, 1.95);
  });

  test('has realistic numbers of every kind of relationship, self-relations included', async () => {
    const rows = records(await larger(), 'relationships').map(({ record }) => record);
    const count = (type: string) => rows.filter((row) => row.relationship.type === type).length / 10_000;
    expect(count('IS_FUND-MANAGED_BY')).toBeWithin(0.039, 0.047);
    expect(count('IS_DIRECTLY_CONSOLIDATED_BY')).toBeWithin(0.033, 0.041);
    expect(count('IS_ULTIMATELY_CONSOLIDATED_BY')).toBeWithin(0.033, 0.042);
    expect(count('IS_SUBFUND_OF')).toBeWithin(0.018, 0.025);
    expect(count('IS_INTERNATIONAL_BRANCH_OF')).toBeGreaterThan(0);
    expect(count('IS_FEEDER_TO')).toBeGreaterThan(0);
    expect(rows.some((row) => row.start === row.end)).toBe(true);
    expect(rows.some((row) => row.relationship.status === 'INACTIVE')).toBe(true);
    expect(greatest(rows.map((row) => row.end))).toBeGreaterThan(100);
    const managed = rows.filter((row) => row.relationship.type === 'IS_FUND-MANAGED_BY');
    const starts = new Set(rows.map((row) => row.start));
    expect(managed.filter(({ end }) => starts.has(end))).toEqual([]);
    expect(longestChain(rows)).toBeGreaterThan(2);
    expect(hasCycle(rows)).toBe(true);
  });

  test('gives one LEI a giant share of the ISINs, and some BICs several LEIs', async () => {
    const isins = pairs(await larger(), 'isin');
    expect(share(greatest(isins.map(({ lei }) => lei)), isins.length)).toBeWithin(0.05, 0.1);
    expect(share(isins.length, 10_000)).toBeWithin(2.6, 2.8);
    expect(greatest(pairs(await larger(), 'bic').map(({ value }) => value))).toBe(3);
    expect(greatest(isins.map(({ value }) => value))).toBeGreaterThan(1);
  });
});

function pairs(files: readonly Parsed[], kind: 'isin' | 'bic') {
  return ofKind(files, kind).rows.flatMap((row) => (row.kind === kind ? [row] : []));
}

function greatest(values: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Math.max(...counts.values());
}

type Edge = { start: string; end: string; relationship: { type: string; status: string | null } };

function directParents(rows: readonly Edge[]): Map<string, string> {
  return new Map(
    rows
      .filter((row) => row.relationship.type === 'IS_DIRECTLY_CONSOLIDATED_BY')
      .filter((row) => row.relationship.status === 'ACTIVE')
      .map((row) => [row.start, row.end]),
  );
}

/** The number of steps from a company up to one without a parent, at most 100. */
function climb(parents: ReadonlyMap<string, string>, lei: string): number {
  let steps = 0;
  for (let at = parents.get(lei); at !== undefined && steps < 100; at = parents.get(at)) steps++;
  return steps;
}

function longestChain(rows: readonly Edge[]): number {
  const parents = directParents(rows);
  return Math.max(...[...parents.keys()].map((lei) => climb(parents, lei)).filter((steps) => steps < 100));
}

function hasCycle(rows: readonly Edge[]): boolean {
  const parents = directParents(rows);
  return [...parents.keys()].some((lei) => climb(parents, lei) === 100);
}

describe('the formats', () => {
  test('CSV, XML and JSON contain the same records', async () => {
    const [csv, xml, json] = await Promise.all(
      (['csv', 'xml', 'json'] as const).map(async (format) =>
        parsed(await generated({ entities: 600, format })),
      ),
    );
    if (csv === undefined || xml === undefined || json === undefined) throw new Error('three sets expected');
    for (const kind of ['level-1', 'relationships', 'reporting-exceptions'] as const) {
      expect(records(xml, kind).map(({ record }) => record)).toEqual(
        records(csv, kind).map(({ record }) => record),
      );
      expect(records(json, kind)).toEqual(records(xml, kind));
      expect(ofKind(json, kind).faults).toEqual([]);
      expect(ofKind(xml, kind).faults).toEqual([]);
    }
  });

  test('the header of an XML file states its date and its number of records', async () => {
    const files = await parsed(await generated({ entities: 300, format: 'xml' }));
    expect(ofKind(files, 'level-1').header).toEqual({
      contentDate: '2026-10-04T16:00:00Z',
      fileContent: 'GLEIF_FULL_PUBLISHED',
      deltaStart: null,
      recordCount: 300,
    });
  });
});

describe('a generated delta', () => {
  test('changes, adds and retires entities of the full set of the same seed', async () => {
    const before = records(await parsed(await generated()), 'level-1');
    const after = records(await parsed(await generated({ delta: nextDay })), 'level-1');
    const known = new Map(before.map(({ record }) => [record.lei, record]));
    const changed = after.filter(({ record }) => known.has(record.lei));
    expect(changed.length).toBeGreaterThan(3);
    expect(after.length - changed.length).toBeGreaterThanOrEqual(3);
    for (const { record } of changed) {
      expect(record).not.toEqual(known.get(record.lei));
      const previous = known.get(record.lei)?.registration.lastUpdateDate ?? '';
      expect((record.registration.lastUpdateDate ?? '') > previous).toBe(true);
    }
  });

  test('deletes relationships and exceptions in XML, because CSV cannot express that', async () => {
    const files = await parsed(await generated({ delta: nextDay, entities: 10_000 }));
    expect(files.map(({ name }) => name)).toEqual([
      '20261005-1600-gleif-goldencopy-lei2-last-day.csv.zip',
      '20261005-1600-gleif-goldencopy-repex-last-day.xml.zip',
      '20261005-1600-gleif-goldencopy-rr-last-day.xml.zip',
    ]);
    for (const kind of ['relationships', 'reporting-exceptions'] as const) {
      const rows = records(files, kind);
      expect(ofKind(files, kind).faults).toEqual([]);
      expect(rows.some(({ deletedAt }) => deletedAt !== null)).toBe(true);
      expect(rows.some(({ deletedAt }) => deletedAt === null)).toBe(true);
    }
    expect(ofKind(files, 'relationships').header.deltaStart).toBe('2026-10-04T16:00:00Z');
  });

  test('has as many level 1 records as requested, from one to more than there are entities', async () => {
    for (const changes of [1, 20, entities + 7]) {
      const rows = records(await parsed(await generated({ delta: { day: 1, changes } })), 'level-1');
      expect(new Set(rows.map(({ record }) => record.lei)).size).toBe(changes);
    }
  });

  test('of a later day continues the day before and brings other changes and newcomers', async () => {
    const days = [1, 2].map(async (day) => parsed(await generated({ delta: { day, changes: 40 } })));
    const [first = [], second = []] = await Promise.all(days);
    expect(ofKind(second, 'relationships').header).toMatchObject({
      deltaStart: '2026-10-05T16:00:00Z',
      contentDate: '2026-10-06T16:00:00Z',
    });
    const leis = (files: readonly Parsed[]) => records(files, 'level-1').map(({ record }) => record.lei);
    const before = new Set(leis(first));
    expect(leis(second).filter((lei) => before.has(lei)).length).toBeLessThan(20);
  });

  test('contains the same records in JSON', async () => {
    const xml = await parsed(await generated({ delta: nextDay, format: 'xml' }));
    const json = await parsed(await generated({ delta: nextDay, format: 'json' }));
    for (const kind of ['level-1', 'relationships', 'reporting-exceptions'] as const) {
      expect(records(json, kind)).toEqual(records(xml, kind));
    }
  });
});

// So many companies that the text of most files is made in three parts.
test.each([
  ['csv', [3]],
  ['xml', [4]],
  ['json', [4]],
] as const)('the files (%s) have the same bytes where %j threads make them', async (format, counts) => {
  const one = await generated({ entities: 2_100, format });
  for (const threads of counts) {
    const many = await generated({ entities: 2_100, format, threads });
    expect(many.files).toEqual(one.files);
    expect(await digests(many)).toEqual(await digests(one));
  }
});

test.each([300, 2_100])(
  'a file (of %i companies) that cannot be written fails the run, and leaves nothing behind',
  async (count) => {
    const folder = join(root, String(folders++));
    const options = { entities: count, seed: 1, delta: null, format: 'csv', folder, threads: 3 } as const;
    const inTheWay = { name: '' };
    const run = generate(options, (file) => {
      if (inTheWay.name !== '') return;
      inTheWay.name = file;
      rmSync(join(folder, '.unfinished'), { recursive: true });
    });
    await expect(run).rejects.toMatchObject({ code: 'ENOENT' });
    expect(readdirSync(folder)).toEqual([]);
  },
);

test('a folder that is not empty is refused', async () => {
  const { folder } = await generated({ entities: 100 });
  const again = generated({ entities: 100 }, folder);
  await expect(again).rejects.toThrow('is not empty');
});

test('no file appears before all of them are complete', async () => {
  const folder = join(root, String(folders++));
  const seen = new Set<string>();
  await generate({ entities: 100, seed: 1, delta: null, format: 'csv', folder }, () => {
    for (const name of readdirSync(folder)) seen.add(name);
  });
  expect([...seen]).toEqual(['.unfinished']);
  expect(readdirSync(folder)).not.toContain('.unfinished');
});

test('the remains of a killed run are replaced, whether or not its files were moved already', async () => {
  const whole = await generated({ entities: 100 });
  const [first, second] = readdirSync(whole.folder);
  const folder = join(root, String(folders++));
  await mkdir(join(folder, '.unfinished'), { recursive: true });
  await writeFile(join(folder, first ?? ''), 'whole');
  await writeFile(join(folder, '.unfinished', second ?? ''), 'hal');
  await generated({ entities: 100 }, folder);
  expect(await digests({ folder })).toEqual(await digests(whole));
});

test('a foreign file beside an unfinished set is refused and left in place', async () => {
  const folder = join(root, String(folders++));
  await mkdir(join(folder, '.unfinished'), { recursive: true });
  await writeFile(join(folder, 'notes.txt'), 'of somebody');
  const again = generated({ entities: 100 }, folder);
  await expect(again).rejects.toThrow('is not empty');
  expect(readdirSync(folder)).toContain('notes.txt');
});
