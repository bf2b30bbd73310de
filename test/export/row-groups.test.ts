/** Tests Parquet files of many row groups, read back completely by DuckDB. */
import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { parquet } from '../../src/export/parquet.ts';
import { publishedTime } from '../../src/lei/schema.ts';
import { isin, lei } from '../loader/publishing.ts';
import { temporaryFolder } from '../support/folders.ts';
import { query } from './duckdb.ts';

const out = temporaryFolder('row-groups');

const schema = Type.Object({
  lei: Type.String(),
  name: Type.Object({ text: Type.Union([Type.String(), Type.Null()]), language: Type.String() }),
  children: Type.Integer(),
  isins: Type.Array(Type.String()),
});

interface Company {
  readonly lei: string;
  readonly name: { readonly text: string | null; readonly language: string };
  readonly children: number;
  readonly isins: readonly string[];
}

function written(name: string, companies: readonly Company[]): string {
  const path = join(out, name);
  const rows = companies.map((each) => Buffer.from(JSON.stringify(each)));
  writeFileSync(path, Buffer.concat([...parquet(rows, schema, 'A notice.')]));
  return path;
}

function cellsOf({ lei, name, children, isins }: Company) {
  const list = JSON.stringify(isins);
  return { lei, 'name.text': name.text, 'name.language': name.language, children, isins: list };
}

function groupsOf(path: string) {
  return query(`
    select row_group_num_rows::int as rows, stats_min_value as first, stats_max_value as last
    from parquet_metadata('${path}') where path_in_schema = 'lei' order by row_group_id`);
}

/**
 * Names repeat in the first 10,000 rows, are absent in the next and unique after that: a column changes its encoding.
 */
function company(n: number): Company {
  const texts = ['Gruber & Söhne', null, `株式会社 ${n} 😀`];
  return {
    lei: lei(n),
    name: { text: texts[Math.floor(n / 10_000)] ?? null, language: n % 7 === 0 ? 'de' : 'en' },
    children: n % 300,
    isins: n % 5 === 0 ? [isin(n)] : [],
  };
}

test('DuckDB reads many row groups completely, each with the bounds of its LEIs', async () => {
  const companies = Array.from({ length: 25_000 }, (_, n) => company(n));
  const path = written('many.parquet', companies);
  expect(await query(`select * from '${path}'`)).toEqual(companies.map(cellsOf));
  expect(await groupsOf(path)).toEqual([
    { rows: 10_000, first: lei(0), last: lei(9_999) },
    { rows: 10_000, first: lei(10_000), last: lei(19_999) },
    { rows: 5_000, first: lei(20_000), last: lei(24_999) },
  ]);
});

test('lists as long as those of the largest issuer end a group early, and stay complete', async () => {
  const isins = Array.from({ length: 600_000 }, (_, n) => isin(n));
  const companies = [0, 1, 2, 3, 4].map((n) => ({ ...company(n), isins }));
  const path = written('long.parquet', companies);
  const [first] = companies.slice(0, 1).map(cellsOf);
  const read = await query(
    `select lei, isins = (select isins from '${path}' limit 1) as same from '${path}'`,
  );
  expect(read).toEqual(companies.map((each) => ({ lei: each.lei, same: true })));
  expect(await query(`select isins from '${path}' limit 1`)).toEqual([{ isins: first?.isins }]);
  expect((await groupsOf(path)).map(({ rows }) => rows)).toEqual([4, 1]);
});

test('a time is a timestamp of UTC in milliseconds, and null where it is no time of a calendar', async () => {
  const times = ['2024-05-03T06:31:20.55Z', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00+01:00', null];
  const rows = times.map((time) => Buffer.from(JSON.stringify({ time })));
  const path = join(out, 'times.parquet');
  writeFileSync(path, Buffer.concat([...parquet(rows, Type.Object({ time: publishedTime('') }), '')]));
  expect(await query(`select "time"::varchar as text, typeof("time") as type from '${path}'`)).toEqual(
    ['2024-05-03 06:31:20.55', '0001-01-01 00:00:00', null, null].map((text) => ({
      text,
      type: 'TIMESTAMP',
    })),
  );
});
