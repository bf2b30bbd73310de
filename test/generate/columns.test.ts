import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { exceptionColumns, level1Columns, relationshipColumns } from '../../src/generate/files/columns.ts';
import { readFirstMember } from '../support/zip-member.ts';

const sample = join(import.meta.dir, '../../data/sample');

/** The columns of the only member of a real archive. */
async function realHeader(name: string): Promise<string[]> {
  const text = await readFirstMember(join(sample, name));
  const line = text
    .slice(0, text.indexOf('\n'))
    .replace(/^\uFEFF/, '')
    .trim();
  return line.split(',').map((column) => column.replaceAll('"', ''));
}

test('level 1 has the 338 columns of the golden copy in order', async () => {
  expect(level1Columns).toHaveLength(338);
  expect([...level1Columns]).toEqual(
    await realHeader('20260123-0800-gleif-goldencopy-lei2-golden-copy.csv.zip'),
  );
});

test('relationships have the 54 columns of the golden copy in order', async () => {
  expect(relationshipColumns).toHaveLength(54);
  expect([...relationshipColumns]).toEqual(
    await realHeader('20260123-0800-gleif-goldencopy-rr-golden-copy.csv.zip'),
  );
});

test('exceptions have five reasons and five references after LEI and category', () => {
  expect([...exceptionColumns]).toEqual([
    'LEI',
    'Exception.Category',
    ...[1, 2, 3, 4, 5].map((number) => `Exception.Reason.${number}`),
    ...[1, 2, 3, 4, 5].map((number) => `Exception.Reference.${number}`),
  ]);
});
