import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Value } from '@sinclair/typebox/value';
import { CompanySchema } from '../../src/lei/company.ts';
import { CompanyRelationshipsSchema } from '../../src/lei/relationship.ts';
import { checkSealing, checkSpace } from '../../src/loader/process/disk.ts';
import { layout } from '../../src/publication/layout.ts';
import { answerQuestion } from '../../src/query/answer-question.ts';
import { jsonIn } from '../support/answers.ts';
import { temporaryFolder } from '../support/folders.ts';
import {
  bic,
  company,
  companyOf,
  exception,
  isin,
  lei,
  operator,
  publish,
  relationship,
} from './publishing.ts';

const day = '2024-05-04T00:00:00Z';

describe('a full load', () => {
  test('answers with the records of its files and their provenance', async () => {
    const someone = operator();
    const { manifest } = await someone.load({
      at: day,
      companies: [company(1), company(2, { country: 'XK' })],
      relationships: { kept: [relationship(1, 2), relationship(2, 9)] },
      exceptions: { kept: [exception(2, 'ultimate', 'NON_PUBLIC')] },
      isins: [
        [1, isin(2)],
        [1, isin(1)],
        [1, isin(1)],
        [7, isin(1)],
      ],
      bics: [[2, bic(1)]],
    });
    const reader = await someone.open();
    const first = reader.find(lei(1))?.entity ?? 0;
    expect(companyOf(reader, 1).provenance).toEqual({
      source: 'GLEIF golden copy, level 1',
      file: '20240504-0000-gleif-goldencopy-lei2.xml',
      publishedAt: day,
      firstSeen: manifest.id,
      lastChanged: manifest.id,
    });
    expect(companyOf(reader, 1).mappings).toMatchObject({
      bic: [],
      isin: { count: 2, first: [isin(1), isin(2)] },
    });
    expect(companyOf(reader, 2).mappings).toMatchObject({ bic: [bic(1)], isin: { count: 0, first: [] } });
    expect(reader.entitiesOf('isin', isin(1)).map((entity) => reader.summary(entity).lei)).toEqual([
      lei(1),
      lei(7),
    ]);
    expect(reader.relationships(first).asStart.map(({ end }) => reader.summary(end).name)).toEqual([
      'Company Number 2 Limited',
    ]);
    expect(reader.exceptions(reader.find(lei(2))?.entity ?? 0)).toEqual({
      direct: null,
      ultimate: JSON.stringify(exception(2, 'ultimate', 'NON_PUBLIC').exception),
    });
    expect(reader.countries).toEqual(new Set(['GB', 'XK']));
    expect(manifest).toMatchObject({
      sourcePublishedAt: day,
      basedOn: null,
      delta: false,
      counts: { entities: 2, relationships: 2, reportingExceptions: 1, isin: 3, bic: 1, changes: 0 },
      resolvableRelationships: 1,
      countries: ['GB', 'XK'],
    });
    expect(manifest.id).toMatch(/^20240504T000000Z-[0-9a-f]{8}$/);
    await reader.close();
  });

  test('knows an LEI that is only mentioned, as one without a record', async () => {
    const someone = operator();
    await someone.load({
      at: day,
      companies: [company(1)],
      relationships: { kept: [relationship(1, 2)] },
      isins: [[3, isin(1)]],
    });
    const reader = await someone.open();
    for (const n of [2, 3]) {
      const entry = reader.find(lei(n));
      expect(entry?.hasRecord).toBe(false);
      expect(reader.company(entry?.entity ?? 0)).toBeNull();
      expect(reader.summary(entry?.entity ?? 0)).toMatchObject({ lei: lei(n), name: null });
      expect(reader.changes(lei(n), null, 10)).toBeNull();
    }
    expect(reader.find(lei(4))).toBeNull();
    await reader.close();
  });

  test('takes the latest update of a company that occurs several times, and of equal ones the later file', async () => {
    const someone = operator();
    const older = publish(someone.dataDir, {
      at: day,
      companies: [
        company(1, { city: 'NEW', updated: '2024-03-01T00:00:00.5Z' }),
        company(2, { city: 'EARLIER FILE' }),
      ],
    });
    const newer = publish(someone.dataDir, {
      at: '2024-05-05T00:00:00Z',
      companies: [
        company(1, { city: 'OLD', updated: '2024-03-01T00:00:00Z' }),
        company(2, { city: 'LATER FILE' }),
      ],
    });
    const { superseded, manifest } = await someone.loadFiles([...newer, ...older]);
    const reader = await someone.open();
    expect(companyOf(reader, 1).entity.legalAddress.city).toBe('NEW');
    expect(companyOf(reader, 2).entity.legalAddress.city).toBe('LATER FILE');
    expect({ superseded, entities: manifest.counts.entities }).toEqual({ superseded: 2, entities: 2 });
    await reader.close();
  });

  test('shows the empty string, as its schemas say, for a company without a legal name', async () => {
    const someone = operator();
    const { entity, ...rest } = company(1);
    const nameless = { ...rest, entity: { ...entity, legalName: { name: '', language: null } } };
    await someone.load({
      at: day,
      companies: [nameless, company(2)],
      relationships: { kept: [relationship(2, 1)] },
    });
    const reader = await someone.open();
    const dataOf = (kind: 'company' | 'relationships', n: number) => {
      const given = answerQuestion(reader, { kind, lei: lei(n) });
      return given.outcome === 'found' ? jsonIn(given.data) : given.outcome;
    };
    expect(dataOf('company', 1)).toSatisfy((data) => Value.Check(CompanySchema, data));
    expect(dataOf('relationships', 1)).toMatchObject({ name: '', directChildren: { total: 1 } });
    expect(dataOf('relationships', 2)).toMatchObject({ directParent: { lei: lei(1), name: '' } });
    for (const n of [1, 2]) {
      expect(dataOf('relationships', n)).toSatisfy((data) => Value.Check(CompanyRelationshipsSchema, data));
    }
    await reader.close();
  });

  test('keeps an invalid LEI as published if it is not a key, and its answers fit their schemas', async () => {
    const someone = operator();
    const { entity, registration, ...rest } = company(1);
    const odd = {
      ...rest,
      entity: {
        ...entity,
        associatedEntity: { type: 'FUND_FAMILY', lei: 'unknown', name: null },
        successorEntities: [{ lei: 'N/A', name: null, language: null }],
      },
      registration: { ...registration, managingLou: 'nobody' },
    };
    await someone.load({ at: day, companies: [odd] });
    const reader = await someone.open();
    const data = companyOf(reader, 1);
    expect(data).toSatisfy((given) => Value.Check(CompanySchema, given));
    expect(data.registration.managingLou).toBe('nobody');
    expect(data.links).toMatchObject({ managingLou: null, successors: [] });
    await reader.close();
  });

  test('keeps a country and a status of any length, and finds their company by its name', async () => {
    const someone = operator();
    const [country, status] = ['\u0390'.repeat(40), 'S'.repeat(200)];
    const { manifest } = await someone.load({
      at: day,
      companies: [
        company(1, { name: 'Verbose Holding', country: 'C'.repeat(130), status }),
        company(2, { name: 'Capital Holding', country, status: country }),
        company(3, { name: 'Plain Holding', country: 'DE' }),
      ],
    });
    expect(manifest.counts.entities).toBe(3);
    const reader = await someone.open();
    expect(companyOf(reader, 1)).toMatchObject({ registration: { status } });
    expect(companyOf(reader, 2)).toMatchObject({ entity: { legalAddress: { country } } });
    const totalOf = (q: string, filters: { country?: string; status?: string } = {}) => {
      const query = { country: null, status: null, ...filters, limit: 5, after: null };
      const given = answerQuestion(reader, { kind: 'search', q, ...query });
      return given.outcome === 'found' ? jsonIn(given.data).total : given.outcome;
    };
    expect([totalOf('verbose holding'), totalOf('capital holding')]).toEqual([1, 1]);
    expect([totalOf('holding'), totalOf('holding', { country: 'DE', status: 'ISSUED' })]).toEqual([3, 1]);
    await reader.close();
  });

  test('does not treat a LastUpdateDate that is not a date as the latest', async () => {
    const someone = operator();
    const at = (time: string, city: string, updated: string) =>
      publish(someone.dataDir, { at: time, companies: [company(1, { city, updated })] });
    const odd = at(day, 'ODD', 'yesterday');
    const dated = at('2024-05-05T00:00:00Z', 'DATED', '2024-03-01T00:00:00Z');
    await someone.loadFiles([...odd, ...dated]);
    const reader = await someone.open();
    expect(companyOf(reader, 1).entity.legalAddress.city).toBe('DATED');
    await reader.close();
  });

  test('treats relationships of the same start, end and type in the same way', async () => {
    const someone = operator();
    await someone.load({
      at: day,
      companies: [company(1)],
      relationships: {
        kept: [
          relationship(1, 2, { status: 'ACTIVE', updated: '2024-03-02T00:00:00Z' }),
          relationship(1, 2, { status: 'INACTIVE', updated: '2024-03-01T00:00:00Z' }),
          relationship(1, 2, { type: 'IS_FUND-MANAGED_BY' }),
          relationship(1, 1),
        ],
      },
    });
    const reader = await someone.open();
    const { asStart, asEnd } = reader.relationships(reader.find(lei(1))?.entity ?? 0);
    expect(asStart.map(({ type, status }) => `${type} ${status}`).sort()).toEqual([
      'IS_DIRECTLY_CONSOLIDATED_BY ACTIVE',
      'IS_DIRECTLY_CONSOLIDATED_BY ACTIVE',
      'IS_FUND-MANAGED_BY ACTIVE',
    ]);
    expect(asEnd).toHaveLength(1);
    await reader.close();
  });

  test('warns if a file calls itself a delta, and if its record count is wrong', async () => {
    const someone = operator();
    await someone.load({ at: day, since: '2024-05-03T00:00:00Z', companies: [company(1)] });
    expect(someone.messages.join('\n')).toContain('says it is a delta but is loaded as a full set');
    const [path = ''] = publish(someone.dataDir, { at: day, companies: [company(1), company(2)] });
    writeFileSync(path, readFileSync(path, 'utf8').replace('RecordCount>2<', 'RecordCount>3<'));
    await someone.loadFiles([path]);
    expect(someone.messages.join('\n')).toContain('states 3 records in its header, but 2 were read');
    await expect(someone.loadFiles([path], { strictRecordCount: true })).rejects.toMatchObject({
      code: 'record-count',
    });
  });
});

describe('the source time', () => {
  const at = async (publishings: Parameters<typeof publish>[1][], publishedAt: string | null = null) => {
    const someone = operator();
    const files = publishings.flatMap((publishing) => publish(someone.dataDir, publishing));
    return (await someone.loadFiles(files, { publishedAt })).manifest.sourcePublishedAt;
  };

  test('is that of the newest level 1 file, regardless of the other files', async () => {
    const companies = [company(1)];
    expect(
      await at([
        { at: day, companies },
        { at: '2024-05-03T00:00:00Z', companies },
        { at: '2025-01-01T00:00:00Z', isins: [] },
      ]),
    ).toBe(day);
  });

  test('is that of the newest file if there is no level 1 file', async () => {
    expect(
      await at([
        { at: day, isins: [] },
        { at: '2024-06-01T08:00:00Z', bics: [] },
      ]),
    ).toBe('2024-06-01T08:00:00Z');
  });

  test("is the operator's --published-at if given", async () => {
    expect(await at([{ at: day, companies: [company(1)] }], '2030-01-01T00:00:00Z')).toBe(
      '2030-01-01T00:00:00Z',
    );
  });

  test('is requested if no file has one', async () => {
    const someone = operator();
    const path = join(someone.dataDir, 'pairs.csv');
    writeFileSync(path, `LEI,ISIN\n${lei(1)},${isin(1)}\n`);
    await expect(someone.loadFiles([path])).rejects.toMatchObject({
      code: 'no-source-time',
      message: expect.stringContaining('--published-at'),
    });
  });
});

test('a file that states a time beyond the latest allowed by the request fails the load', async () => {
  const someone = operator();
  const future = { at: '9999-12-31T00:00:00Z', companies: [company(1)] };
  const contentTimeMax = Date.parse('2024-06-01T00:00:00Z');
  await expect(someone.load(future, { contentTimeMax })).rejects.toMatchObject({
    code: 'future-date',
    message: expect.stringContaining('is of 9999-12-31T00:00:00Z, which is in the future'),
  });
  await someone.load({ ...future, at: day }, { contentTimeMax });
});

describe('bad rows', () => {
  const pairs = (someone: ReturnType<typeof operator>, lines: readonly string[]) => {
    const path = join(someone.dataDir, 'isin-lei-20240504T000000.csv');
    writeFileSync(path, `LEI,ISIN\n${lines.join('\n')}\n`);
    return [path];
  };
  const good = Array.from({ length: 2000 }, (_, index) => `${lei(index + 1)},${isin(index + 1)}`);

  test('are reported with file, line, column and reason, counted, and skipped', async () => {
    const someone = operator();
    const files = pairs(someone, [...good, `${lei(1)},XS0000000000`]);
    const { rows, rejected, manifest } = await someone.loadFiles(files);
    const told = someone.messages.filter((message) => message.startsWith('Bad row'));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/^Bad row: isin-lei-20240504T000000\.csv, line 2002, ISIN: .*check digit/);
    expect({ rows, rejected }).toEqual({ rows: { isin: 2000 }, rejected: { isin: 1 } });
    expect(manifest.files[0]).toMatchObject({ rows: 2000, rejected: 1 });
  });

  test('beyond the tolerated share fail the load, and nothing changes', async () => {
    const someone = operator();
    // As many as are tolerated: one in a thousand.
    const before = await someone.loadFiles(pairs(someone, [...good.slice(2), 'X,Y', 'X,Y']));
    const bad = Array.from({ length: 300 }, () => 'NOT AN LEI,XS0000000000');
    await expect(someone.loadFiles(pairs(someone, [...good, ...bad]))).rejects.toMatchObject({
      code: 'bad-rows',
      message: expect.stringMatching(
        /^Gate bad-rows refused the load: 300 of 2300 rows are bad \(13 %; 0\.1 % are tolerated\)\. Nothing was changed/,
      ),
    });
    expect(someone.messages.filter((message) => message.startsWith('Bad row'))).toHaveLength(2 + 200);
    expect(someone.messages).toContain('… and 100 more bad rows, counted but not listed.');
    expect(readdirSync(layout(someone.dataDir).publications)).toEqual([before.manifest.id]);
    expect(readdirSync(layout(someone.dataDir).staging)).toEqual([]);
  });

  test('are let through if their gate is skipped', async () => {
    const someone = operator();
    const files = pairs(someone, [...good, 'X,Y', 'X,Y', 'X,Y']);
    await expect(someone.loadFiles(files, { skippedGates: ['entity-count'] })).rejects.toMatchObject({
      code: 'bad-rows',
    });
    const { rejected } = await someone.loadFiles(files, { skippedGates: ['bad-rows'] });
    expect(rejected).toEqual({ isin: 3 });
    expect(someone.messages).toContainEqual(
      expect.stringMatching(/^Gate bad-rows was skipped: 3 of 2003 rows are bad/),
    );
  });
});

describe('a file that is broken', () => {
  test('in its middle fails the load and leaves nothing behind', async () => {
    const someone = operator();
    const [path = ''] = publish(someone.dataDir, { at: day, companies: [company(1), company(2)] });
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, -200));
    await expect(someone.loadFiles([path])).rejects.toThrow(path);
    expect(readdirSync(layout(someone.dataDir).publications)).toEqual([]);
    expect(readdirSync(layout(someone.dataDir).staging)).toEqual([]);
  });
});

describe('the leftovers of a killed load', () => {
  test('are removed by the next load', async () => {
    const someone = operator();
    const paths = layout(someone.dataDir);
    mkdirSync(paths.staged('20200101T000000Z-00000000'), { recursive: true });
    writeFileSync(join(paths.staged('20200101T000000Z-00000000'), 'data.mdb'), 'half built');
    await someone.load({ at: day, companies: [company(1)] });
    expect(readdirSync(paths.staging)).toEqual([]);
  });

  test('include its unfinished files, but not those of a live process', async () => {
    const someone = operator();
    const paths = layout(someone.dataDir);
    const killed = Bun.spawn([process.execPath, '--version'], { stdout: 'ignore' });
    await killed.exited;
    const abandoned = [`${paths.pointer}.${killed.pid}.tmp`, `${paths.loadLock}.${killed.pid}.tmp`];
    const underWay = `${paths.loadLock}.${process.ppid}.tmp`;
    for (const path of [...abandoned, underWay]) writeFileSync(path, '{');
    await someone.load({ at: day, companies: [company(1)] });
    expect([...abandoned, underWay].filter((path) => existsSync(path))).toEqual([underWay]);
  });
});

describe('the disk', () => {
  test('must have room before anything is written', () => {
    const paths = layout(temporaryFolder('loading'));
    expect(() => checkSpace(paths, 2 ** 60)).toThrow(
      /has \d+ MB free, but the load needs about \d+ MB\. Make room: lei prune --keep 1 deletes /,
    );
    expect(() => checkSpace(paths, 1)).not.toThrow();
  });

  test("is reported as two disks only if there are two; other obstacles give the system's error", () => {
    const paths = layout(temporaryFolder('loading'));
    mkdirSync(join(paths.publication('try'), 'in the way'), { recursive: true });
    expect(() => checkSealing(paths)).toThrow(expect.objectContaining({ code: 'ENOTEMPTY' }));
    expect(readdirSync(paths.staging)).toEqual([]);
  });
});
