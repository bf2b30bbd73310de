import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceRow } from '../../src/loader/rows.ts';
import { exceptionElement, goldenCopyFile, level1Element, relationshipElement } from './gleif-files.ts';
import { fixtures, readFixture } from './parse/reading.ts';

/** Where GLEIF thinks that an address is; the service does not show it. */
const geocoding = /<lei:Extension>\s*(?:<gleif:Geocoding>[\s\S]*?<\/gleif:Geocoding>\s*)+<\/lei:Extension>/g;

/** The elements and texts of a piece of XML, in order: without namespaces, indentation and the zones of times. */
function contentOf(xml: string): string[] {
  const kept = xml.replaceAll(/ xmlns:\w+="[^"]*"/g, '').replaceAll(geocoding, '');
  const pieces = kept.match(/<[^>]+>|[^<]+/g) ?? [];
  return pieces
    .map((piece) => piece.trim().replaceAll(/\s+/g, ' ').replace(/ >$/, '>'))
    .filter((piece) => piece !== '' && !/^<(?:\w+:)?Extension[^>]*\/>$/.test(piece))
    .map((piece) => (/^\d{4}-\d\d-\d\dT/.test(piece) ? new Date(piece).toISOString() : piece));
}

function elementOf(row: SourceRow): string {
  switch (row.kind) {
    case 'level-1':
      return level1Element(row.record);
    case 'relationships':
      return relationshipElement(row.record, row.deletedAt ?? undefined);
    case 'reporting-exceptions':
      return exceptionElement(row.record, row.deletedAt ?? undefined);
    default:
      throw new Error(`${row.kind} is not a golden copy.`);
  }
}

/** No file of the tests has further addresses, other authorities or fields of an event: level1Element refuses them. */
const isWritten = (element: string) => !/AffectedFields|OtherValidationAuth|OtherAddress/.test(element);

test.each([
  ['20231106-gleif-lei2.xml', /<lei:LEIRecord [\s\S]*?<\/lei:LEIRecord>/g],
  ['20231106-gleif-rr.xml', /<rr:RelationshipRecord [\s\S]*?<\/rr:RelationshipRecord>/g],
  ['20231106-gleif-repex.xml', /<repex:Exception [\s\S]*?<\/repex:Exception>/g],
])('the records of %s are written element by element as GLEIF wrote them', async (name, record) => {
  const published = readFileSync(join(fixtures, name), 'utf8').match(record) ?? [];
  const { rows } = await readFixture(name);
  expect(rows).toHaveLength(published.length);
  const written = published.flatMap((element, index) => {
    const row = rows[index];
    return row !== undefined && isWritten(element) ? [{ element, row }] : [];
  });
  expect(written.length).toBeGreaterThan(3);
  for (const { element, row } of written) expect(contentOf(elementOf(row))).toEqual(contentOf(element));
});

test.each([
  ['lei2', '20231106-gleif-lei2.xml'],
  ['rr', '20231106-gleif-rr.xml'],
  ['repex', '20231106-gleif-repex.xml'],
] as const)('a file of the family %s begins and ends as GLEIF’s do', (family, name) => {
  const published = readFileSync(join(fixtures, name), 'utf8');
  const contentDate = /ContentDate>([^<]+)/.exec(published)?.[1] ?? '';
  const written = contentOf(goldenCopyFile(family, [], { contentDate, deltaStart: null }));
  const end = written.length - 2;
  const whole = contentOf(published).map((piece) => (/^\d+$/.test(piece) ? '0' : piece));
  expect(whole.slice(0, end)).toEqual(written.slice(0, end));
  expect(whole.slice(-2)).toEqual(written.slice(end));
});
