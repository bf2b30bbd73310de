/**
 * Tests `lei export --with identifiers` in all formats, compared with the answers of the service, and the notices of an
 * export.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bic, company, isin, lei, operator, relationship } from '../loader/publishing.ts';
import { temporaryFolder } from '../support/folders.ts';
import { leiJson, runLei } from '../support/lei-here.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { query, rowAsInParquet } from './duckdb.ts';

const out = temporaryFolder('identifiers');
const numbers = [1, 2, 3];
const many = Array.from({ length: 3_000 }, (_, index) => isin(3 * index));
const someone = operator();
let service: TestService;

beforeAll(async () => {
  await someone.load({
    at: '2024-05-04T00:00:00Z',
    companies: numbers.map((n) => company(n)),
    relationships: { kept: [relationship(1, 2)] },
    isins: [...many.map((value) => [1, value] as const), [2, isin(3)]],
    bics: [
      [2, bic(1)],
      [2, bic(2)],
    ],
  });
  service = await startTestService({ dataDir: someone.dataDir });
});
afterAll(() => service.stop());

async function bodyOf(path: string) {
  return JSON.parse(await (await service.fetch(path)).text());
}

/** The identifiers of a company from the service: its record, and all pages of its ISINs. */
async function identifiersOf(n: number) {
  const { mappings } = (await bodyOf(`/api/v1/lei/${lei(n)}`)).data;
  const isins: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const page: { data: { items: string[] }; links: { next?: string } } = await bodyOf(
      `/ext/v1/lei/${lei(n)}/isins?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    isins.push(...page.data.items);
    cursor = page.links.next;
  }
  return { ...mappings, isin: isins };
}

async function exported(format: string, parts: string) {
  const path = join(out, `${parts}.${format}`);
  const ended = await leiJson(someone.dataDir, 'export', '--format', format, '--with', parts, '--out', path);
  expect(ended.code).toBe(0);
  return { path, json: ended.json };
}

test('each line has all identifiers, along with the relationships if both are asked for', async () => {
  for (const parts of ['identifiers', 'relationships,identifiers', 'identifiers,relationships']) {
    const { path } = await exported('ndjson', parts);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(numbers.length);
    for (const line of lines) {
      const { identifiers, relationships, ...data } = JSON.parse(line);
      const n = numbers.find((each) => lei(each) === data.lei) ?? 0;
      expect(data).toEqual((await bodyOf(`/api/v1/lei/${lei(n)}`)).data);
      expect(identifiers).toEqual(await identifiersOf(n));
      const related = (await bodyOf(`/api/v1/lei/${lei(n)}/relationships`)).data;
      expect(relationships).toEqual(parts === 'identifiers' ? undefined : related);
    }
  }
});

test('DuckDB reads all identifiers from Parquet and from CSV, equal to the service’s answers', async () => {
  const tables = await Promise.all(
    ['parquet', 'csv'].map(async (format) => {
      const { path } = await exported(format, 'relationships,identifiers');
      const table = format === 'csv' ? `read_csv('${path}', all_varchar = true, header = true)` : `'${path}'`;
      return query(`select columns(*)::varchar from ${table}`);
    }),
  );
  const [fromParquet = [], fromCsv = []] = tables;
  expect(fromCsv.map(rowAsInParquet)).toEqual([...fromParquet]);
  expect(fromParquet).toHaveLength(numbers.length);
  for (const row of fromParquet) {
    const told = await identifiersOf(numbers.find((n) => lei(n) === row['lei']) ?? 0);
    for (const [kind, list] of Object.entries(told)) {
      expect([kind, JSON.parse(String(row[`identifiers.${kind}`]))]).toEqual([kind, list]);
    }
  }
  expect(fromParquet.map((row) => row['relationships.directParent.lei'])).toEqual([lei(2), null, null]);
});

test('the service’s notices accompany the data: in a file beside it, in Parquet’s metadata, or on standard error', async () => {
  const { licenseNotice } = (await bodyOf(`/api/v1/lei/${lei(2)}`)).meta;
  expect(licenseNotice).toContain('SWIFT');
  for (const format of ['ndjson', 'csv', 'parquet']) {
    const { path, json } = await exported(format, 'identifiers');
    expect(readFileSync(`${path}.notice.txt`, 'utf8')).toBe(`${licenseNotice}\n`);
    expect(json).toMatchObject({ notice: licenseNotice });
  }
  const parquet = join(out, 'identifiers.parquet');
  const [metadata] = await query(
    `select decode(key) as key, decode(value) as value from parquet_kv_metadata('${parquet}')`,
  );
  expect(metadata).toEqual({ key: 'licenseNotice', value: licenseNotice });
  const { stdout, stderr } = await runLei(someone.dataDir, 'export');
  expect(stderr).toContain(licenseNotice);
  expect(stdout).not.toContain('SWIFT');
});

test('a publication without BICs and MICs needs no SWIFT notice', async () => {
  const other = operator();
  await other.load({ at: '2024-05-04T00:00:00Z', companies: [company(1)], isins: [[1, isin(1)]] });
  const { stderr } = await runLei(other.dataDir, 'export');
  expect(stderr).toContain('CC0');
  expect(stderr).not.toContain('SWIFT');
});
