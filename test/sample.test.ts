/** Tests the bundled sample with the loader's own reader. */
import { expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isLei } from '../src/lei/identifiers.ts';
import { openSource } from '../src/loader/process/open-source.ts';
import type { RowFault, SourceRow } from '../src/loader/rows.ts';
import type { SourceKind } from '../src/publication/manifest.ts';
import { filesBelow, readText, root } from './support/source-tree.ts';

const files = filesBelow('data/sample').filter((path) => !path.endsWith('README.md'));

async function readAll(path: string) {
  const source = await openSource(join(root, path));
  const rows: SourceRow[] = [];
  const faults: RowFault[] = [];
  const summary = await source.read(
    {
      row: (row) => void rows.push(row),
      reject: (fault) => void faults.push(fault),
      remark: (fault) => void faults.push(fault),
    },
    () => {},
  );
  return { source, rows, faults, summary };
}

const readings = await Promise.all(files.map(readAll));

test('every file is recognised and read without a rejected row or a remark', () => {
  expect(
    readings.flatMap(({ faults, source }) => faults.map((fault) => ({ file: source.name, ...fault }))),
  ).toEqual([]);
  const rows: Partial<Record<SourceKind, number>> = {};
  for (const { source, summary } of readings) {
    expect(summary.rejected).toBe(0);
    rows[source.kind] = (rows[source.kind] ?? 0) + summary.rows;
  }
  expect(rows).toEqual({
    'level-1': 7294,
    relationships: 1484,
    'reporting-exceptions': 7,
    bic: 2733,
    mic: 709,
    isin: 53,
    qcc: 63,
    ocid: 54,
    gem: 1,
    'mic-list': 1896,
  });
});

test('every header with a record count has the right one', () => {
  const counted = readings.filter(({ source }) => source.header.recordCount !== null);
  expect(counted).toHaveLength(3);
  for (const { source, summary } of counted) expect(summary.rows).toBe(source.header.recordCount ?? -1);
});

test('every file states when it was published', () => {
  expect(
    readings.filter(({ source }) => source.header.contentDate === null).map(({ source }) => source.name),
  ).toEqual([]);
});

test('each LEI is in one level 1 file only and has right check digits', () => {
  const leis = readings.flatMap(({ rows }) =>
    rows.flatMap((row) => (row.kind === 'level-1' ? [row.record.lei] : [])),
  );
  expect(new Set(leis).size).toBe(leis.length);
  expect(leis.filter((lei) => !isLei(lei))).toEqual([]);
});

test('most relationships join two companies of the sample, and some lead out of it', () => {
  const leis = new Set(
    readings.flatMap(({ rows }) => rows.flatMap((row) => (row.kind === 'level-1' ? [row.record.lei] : []))),
  );
  const both = readings
    .flatMap(({ rows }) => rows)
    .filter((row) => row.kind === 'relationships' && leis.has(row.record.start) && leis.has(row.record.end));
  expect(both.length).toBe(833);
});

test('the sample stays below 2 MiB', () => {
  const bytes = files.reduce((sum, path) => sum + statSync(join(root, path)).size, 0);
  expect(bytes).toBeLessThan(2 * 1024 * 1024);
});

test('its page lists every file with its number of rows', () => {
  const page = readText('data/sample/README.md');
  for (const { source, summary } of readings) {
    const row = page.split('\n').find((line) => line.includes(`\`${source.name}\``));
    expect(row, source.name).toContain(`| ${summary.rows.toLocaleString('en')} |`);
  }
});
