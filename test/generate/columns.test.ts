import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { exceptionWriter, level1Writer, relationshipWriter } from '../../src/generate/files/golden-copy.ts';
import { readFirstMember } from '../support/zip-member.ts';

const sample = join(import.meta.dir, '../../data/sample');

/** The columns of the only member of a real archive. */
async function realHeader(name: string): Promise<string[]> {
  const text = await readFirstMember(join(sample, name));
  return columnsOf(text.slice(0, text.indexOf('\n')).replace(/^\uFEFF/, ''));
}

function columnsOf(header: string): string[] {
  return header
    .trim()
    .split(',')
    .map((column) => column.replaceAll('"', ''));
}

test('level 1 has the 338 columns of the golden copy in order', async () => {
  expect(columnsOf(level1Writer.header)).toHaveLength(338);
  expect(columnsOf(level1Writer.header)).toEqual(
    await realHeader('20260123-0800-gleif-goldencopy-lei2-golden-copy.csv.zip'),
  );
});

test('relationships have the 54 columns of the golden copy in order', async () => {
  expect(columnsOf(relationshipWriter.header)).toHaveLength(54);
  expect(columnsOf(relationshipWriter.header)).toEqual(
    await realHeader('20260123-0800-gleif-goldencopy-rr-golden-copy.csv.zip'),
  );
});

test('exceptions have five reasons and five references after LEI and category', () => {
  expect(columnsOf(exceptionWriter.header)).toEqual([
    'LEI',
    'Exception.Category',
    ...[1, 2, 3, 4, 5].map((number) => `Exception.Reason.${number}`),
    ...[1, 2, 3, 4, 5].map((number) => `Exception.Reference.${number}`),
  ]);
});
