/** Tests `lei export` over the bundled sample, compared with the answers of the service. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { safeCsvField } from '../../src/csv-cells.ts';
import { temporaryFolder } from '../support/folders.ts';
import { leiHere, leiJson, runLei } from '../support/lei-here.ts';
import { copiedSample, startTestService, type TestService } from '../support/service.ts';
import { asInParquet, query, rowAsInParquet } from './duckdb.ts';

const out = temporaryFolder('export');
let service: TestService;
/** A copy of the folder of the service: commands run in its process, and find the folder itself taken. */
let dataDir = '';
beforeAll(async () => {
  service = await startTestService();
  dataDir = await copiedSample();
});
afterAll(() => service.stop());

const companies = () => service.publications.active()?.manifest.counts.entities ?? 0;

async function dataOf(path: string): Promise<unknown> {
  const answer = await service.fetch(path);
  const { data }: { data: unknown } = JSON.parse(await answer.text());
  return data;
}

/** Some rows of all kinds, spread over the export. */
function some<T>(rows: readonly T[]): readonly T[] {
  return rows.filter((_, index) => index % 100 === 0);
}

function linesOf(path: string): readonly string[] {
  return readFileSync(path, 'utf8').trimEnd().split('\n');
}

/** Each text, number, null and list of a value by its path. */
function leaves(value: unknown, path = ''): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) =>
    leaves(inner, path === '' ? name : `${path}.${name}`),
  );
}

const cell = (value: unknown) => (Array.isArray(value) ? JSON.stringify(value) : value);

test('an NDJSON line is the data of a look-up, and every company has one line', async () => {
  const path = join(out, 'companies.ndjson');
  const { code, json } = await leiJson(dataDir, 'export', '--out', path);
  expect({ code, json }).toMatchObject({
    code: 0,
    json: { format: 'ndjson', path, companies: companies(), bytes: readFileSync(path).length },
  });
  const lines = linesOf(path);
  expect(lines.length).toBe(companies());
  for (const line of some(lines)) {
    const company: { lei: string } = JSON.parse(line);
    expect(company).toEqual(JSON.parse(JSON.stringify(await dataOf(`/api/v1/lei/${company.lei}`))));
  }
});

test('links in an NDJSON line begin with the path of the public address, as in a look-up', async () => {
  const settings = { LEI_DATA_DIR: dataDir, LEI_BASE_URL: 'https://example.org/data' };
  const { stdout } = await leiHere(settings, ['export', '--country', 'DE']);
  const { lei, links }: { lei: string; links: unknown } = JSON.parse(stdout.slice(0, stdout.indexOf('\n')));
  expect(links).toMatchObject({ self: `/data/api/v1/lei/${lei}` });
});

test('--with relationships adds the data of /relationships to each line', async () => {
  const path = join(out, 'with.ndjson');
  expect((await runLei(dataDir, 'export', '--with', 'relationships', '--out', path)).code).toBe(0);
  for (const line of some(linesOf(path))) {
    const { relationships, ...company }: { lei: string; relationships: unknown } = JSON.parse(line);
    expect(company).toEqual(JSON.parse(JSON.stringify(await dataOf(`/api/v1/lei/${company.lei}`))));
    expect(relationships).toEqual(await dataOf(`/api/v1/lei/${company.lei}/relationships`));
  }
});

test('DuckDB reads the Parquet file, and its cells equal the service’s answers', async () => {
  const path = join(out, 'companies.parquet');
  const { code } = await runLei(dataDir, 'export', '--format', 'parquet', '--out', path);
  expect(code).toBe(0);
  const rows = await query(`select * from '${path}'`);
  expect(rows.length).toBe(companies());
  for (const row of some(rows)) {
    const company = await dataOf(`/api/v1/lei/${row['lei']}`);
    for (const [name, value] of leaves(company)) {
      if (name.startsWith('links.')) continue;
      // An object that is null as a whole has a column for each member instead.
      const columns =
        name in row ? [name] : Object.keys(row).filter((column) => column.startsWith(`${name}.`));
      expect(columns.length, name).toBeGreaterThan(0);
      for (const column of columns)
        expect({ name, value: row[column] }).toEqual({ name, value: asInParquet(cell(value)) });
    }
  }
});

test('Parquet and CSV contain the same rows, with parents as columns of the child', async () => {
  const [parquet, csv] = [join(out, 'parents.parquet'), join(out, 'parents.csv')];
  for (const [format, path] of [
    ['parquet', parquet],
    ['csv', csv],
  ] as const) {
    const asked = ['export', '--format', format, '--with', 'relationships', '--out', path];
    expect((await runLei(dataDir, ...asked)).code).toBe(0);
  }
  const fromCsv = await query(`select * from read_csv('${csv}', all_varchar = true, header = true)`);
  const fromParquet = await query(`select columns(*)::varchar from '${parquet}'`);
  expect(fromCsv.map(rowAsInParquet)).toEqual([...fromParquet]);
  const child = fromCsv.find((row) => row['relationships.directParent.lei'] !== null);
  const relationships = await dataOf(`/api/v1/lei/${child?.['lei']}/relationships`);
  expect(relationships).toMatchObject({
    directParent: {
      lei: child?.['relationships.directParent.lei'],
      name: child?.['relationships.directParent.name'],
    },
  });
});

interface Exported {
  readonly lei: string;
  readonly entity: {
    readonly status: string | null;
    readonly category: string | null;
    readonly legalAddress: { readonly country: string | null; readonly city: string | null };
  };
  readonly registration: { readonly status: string | null; readonly lastUpdateDate: string | null };
}

test.each<[readonly string[], (company: Exported) => boolean]>([
  [
    ['--country', 'de', '--status', 'issued', '--category', 'Fund'],
    ({ entity, registration }) =>
      entity.legalAddress.country === 'DE' && registration.status === 'ISSUED' && entity.category === 'FUND',
  ],
  [
    ['--country', 'DE,Austria', '--entityStatus', '!INACTIVE,NULL'],
    ({ entity }) =>
      ['DE', 'AT'].includes(entity.legalAddress.country ?? '') &&
      !['INACTIVE', 'NULL'].includes(entity.status ?? ''),
  ],
  [
    ['--country', '!US', '--category', '!GENERAL', '--updatedFrom', '2025-06-01'],
    ({ entity, registration }) =>
      entity.legalAddress.country !== 'US' &&
      entity.category !== 'GENERAL' &&
      Date.parse(registration.lastUpdateDate ?? '') >= Date.parse('2025-06-01'),
  ],
  [
    ['--city', 'FRANKFURT am main'],
    ({ entity }) => entity.legalAddress.city?.toLowerCase() === 'frankfurt am main',
  ],
])('%p exports the companies that pass, in the order of all', async (asked, passes) => {
  const { code, stdout, stderr } = await runLei(dataDir, 'export', ...asked);
  expect(code).toBe(0);
  const all = linesOf(join(out, 'companies.ndjson')).filter((line) => passes(JSON.parse(line)));
  expect(all.length).toBeGreaterThan(0);
  expect(stdout).toBe(all.map((line) => `${line}\n`).join(''));
  expect(stderr).toMatch(new RegExp(`^${all.length} companies of .* as ndjson, [\\d.]+ MB\\.$`, 'm'));
});

test('the filters of /ext/v1/list choose the same companies there and here', async () => {
  const filters = [
    'jurisdiction=US-DE&entityStatus=active',
    'legalForm=8888,2hbr&country=!IN',
    'managingLou=5493001KJTIIGC8Y1R12&renewalTo=2026-12-31',
    'registeredAt=RA000585,RA000602&registeredFrom=2012-01-01&registeredTo=2020-12-31',
    'q=bank&country=DE,AT,US&status=!LAPSED',
    'postalCode=60325',
    'registeredAs=0429-6794,574206',
  ];
  for (const query of filters) {
    const listed: string[] = [];
    for (let path = `/ext/v1/list?${query}&limit=100`; path !== ''; ) {
      const answer = await service.fetch(path);
      expect([path, answer.status]).toEqual([path, 200]);
      const { data, links } = JSON.parse(await answer.text());
      listed.push(...data.items.map(({ lei }: { readonly lei: string }) => lei));
      path = links.next === undefined ? '' : `/ext/v1/list?${query}&limit=100&cursor=${links.next}`;
    }
    const options = [...new URLSearchParams(query)].flatMap(([name, value]) => [`--${name}`, value]);
    const { code, stdout } = await runLei(dataDir, 'export', ...options);
    const exported = Array.from(stdout.matchAll(/^\{"lei":"(\w{20})"/gm), ([, lei]) => lei ?? '');
    expect({ query, code, exported: exported.sort() }).toEqual({ query, code: 0, exported: listed.sort() });
    expect([query, listed.length > 0]).toEqual([query, true]);
  }
});

test('a country may be written in any usual way', async () => {
  const exported = async (country: string) => (await runLei(dataDir, 'export', '--country', country)).stdout;
  const [german, british] = [await exported('DE'), await exported('GB')];
  expect(british).not.toBe('');
  expect([await exported('Germany'), await exported('deu')]).toEqual([german, german]);
  expect([await exported('UK'), await exported('United Kingdom')]).toEqual([british, british]);
  const korean = await exported('KR');
  expect(await exported('Korea, Republic of')).toBe(korean);
  expect(await exported('!Germany,deu')).toBe(await exported('!DE'));
});

test('--bom writes the mark by which Excel knows UTF-8 at the beginning of a CSV file', async () => {
  const path = join(out, 'marked.csv');
  const asked = ['export', '--format', 'csv', '--country', 'AT', '--bom', '--out', path];
  expect((await runLei(dataDir, ...asked)).code).toBe(0);
  expect(readFileSync(path).subarray(0, 6).toString()).toBe('\ufefflei');
});

test('an export without companies is an empty table that DuckDB reads', async () => {
  const path = join(out, 'none.parquet');
  const asked = ['export', '--format', 'parquet', '--country', 'AQ', '--out', path];
  expect((await runLei(dataDir, ...asked)).code).toBe(0);
  expect(await query(`select count(*)::int as companies from '${path}'`)).toEqual([{ companies: 0 }]);
});

test('wrong options are usage errors, with a sentence that says what is allowed', async () => {
  const wrong = [
    [
      ['--country', 'ZZ'],
      '--country must hold countries, each by a code such as DE or DEU or by its name; "ZZ" is not.',
    ],
    [['--country', 'DE,!AT'], '--country may have one ! only, in front of all values.'],
    [['--city', 'Berlin,!Paris'], '--city may have one ! only, in front of all values.'],
    [['--country', 'DE,Narnia'], 'by its name; "Narnia" is not.'],
    [['--country', ''], 'by its name; "" is not.'],
    [['--country', 'DE', '--country', 'AT'], 'Give it once, with commas between values.'],
    [['--city', Array(51).fill('x').join()], '--city must hold at most 50 values; it holds 51.'],
    [
      ['--legalForm', 'ZZZZ'],
      '--legalForm must hold codes that a list or the data set has; "ZZZZ" is in no list',
    ],
    [['--updatedFrom', 'today'], '--updatedFrom must be a day such as 2026-01-31, or a time in UTC'],
    [
      ['--renewalFrom', '2026-02-01', '--renewalTo', '2026-01-31'],
      '--renewalTo must not be earlier than renewalFrom.',
    ],
    [['--q', 'a'], '--q must have 2 to 500 characters'],
    [['--with', 'everything'], 'must be relationships, identifiers, or both separated by a comma'],
    [['--with', 'identifiers,'], 'must be relationships, identifiers, or both separated by a comma'],
    [['--format', 'xlsx'], 'It must be one of ndjson, csv, parquet.'],
    [['--category', 'BANK'], '--category must hold one or more of GENERAL, BRANCH, FUND'],
  ] as const;
  for (const [options, message] of wrong) {
    const { code, stderr } = await runLei(dataDir, 'export', ...options);
    expect({ options, code }).toEqual({ options, code: 2 });
    expect(stderr).toContain(message);
  }
});

test('an unknown publication and a folder without one get a clear message', async () => {
  const unknown = await runLei(dataDir, 'export', '20200101T000000Z-00000000');
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain('There is no sealed publication 20200101T000000Z-00000000');
  const nothing = await runLei(temporaryFolder('export-nothing'), 'export');
  expect(nothing.code).toBe(1);
  expect(nothing.stderr).toContain('No publication is active. Give the id of one');
});

test('an export that cannot be completed leaves no file behind', async () => {
  const path = join(out, 'no-such-folder', 'companies.csv');
  const { code, stderr } = await runLei(dataDir, 'export', '--format', 'csv', '--out', path);
  expect(code).toBe(1);
  expect(stderr).toBe(
    `lei: The operating system refused: ENOENT: no such file or directory, open '${path}.unfinished'. A file or a folder of that path does not exist: check it.\n`,
  );
  expect(existsSync(`${path}.unfinished`)).toBe(false);
});

test('an export whose reader closes the pipe ends silently, as other programs do', async () => {
  const shell = Bun.spawn(
    ['sh', '-c', '"$0" src/cli.ts export | head -1'.replace('"$0"', `'${process.execPath}'`)],
    {
      env: { ...process.env, LEI_DATA_DIR: dataDir },
      cwd: join(import.meta.dir, '../..'),
      stdout: 'pipe',
      stderr: 'pipe',
    },
  );
  const [stdout, stderr] = await Promise.all([
    new Response(shell.stdout).text(),
    new Response(shell.stderr).text(),
  ]);
  expect(stdout.split('\n').length).toBe(2);
  expect(stderr).toBe('');
});

test.skipIf(!existsSync('/dev/full'))('an export to a full disk says so in one line', async () => {
  const full = openSync('/dev/full', 'w');
  const ran = Bun.spawn([process.execPath, 'src/cli.ts', 'export'], {
    env: { ...process.env, LEI_DATA_DIR: dataDir },
    cwd: join(import.meta.dir, '../..'),
    stdout: full,
    stderr: 'pipe',
  });
  expect(await new Response(ran.stderr).text()).toMatch(
    /^lei: The result could not be written completely: .+\n$/,
  );
  expect(await ran.exited).toBe(1);
  closeSync(full);
});

test('--safe-cells puts an apostrophe before texts that a spreadsheet would run, and before nothing else', () => {
  const cells = ['=1', '+49', '-1', '@x', '\tx', '\rx', 'a=b', "'", '', null, -1];
  const shown = ["'=1", "'+49", "'-1", "'@x", "'\tx", '"\'\rx"', 'a=b', "'", '""', '', '-1'];
  expect(cells.map((cell) => safeCsvField(cell))).toEqual(shown);
});

test('CSV with --safe-cells differs in such cells only', async () => {
  const [plain, safe] = [join(out, 'plain.csv'), join(out, 'safe.csv')];
  await leiJson(dataDir, 'export', '--format', 'csv', '--out', plain);
  await leiJson(dataDir, 'export', '--format', 'csv', '--safe-cells', '--out', safe);
  const restored = readFileSync(safe, 'utf8').replaceAll(/(?<=^|,|\n)("?)'(?=[=+@\t-])/g, '$1');
  expect(restored === readFileSync(plain, 'utf8')).toBe(true);
  expect(restored === readFileSync(safe, 'utf8')).toBe(false);
});
