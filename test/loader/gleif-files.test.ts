import { describe, expect, test } from 'bun:test';
import {
  exceptionWriter,
  type FileFormat,
  goldenCopyText,
  level1Writer,
  relationshipWriter,
} from '../../src/generate/files/golden-copy.ts';
import { exceptions, level1, relationships } from '../../src/loader/parse/csv/kinds.ts';
import type { SourceRow } from '../../src/loader/rows.ts';
import {
  exceptionTree,
  goldenCopyFile,
  goldenCopyJson,
  level1Tree,
  relationshipTree,
} from './gleif-files.ts';
import {
  csv,
  fixtureText,
  fullRow,
  lei,
  level1Records,
  onlyRow,
  otherLei,
  readBytes,
  readFixture,
} from './parse/reading.ts';
import type { Tree } from './parse/writing.ts';

const intraDay = '20240505-0000-gleif-goldencopy-lei2-intra-day';

/** Where GLEIF thinks that an address is; the service does not show it. */
const geocoding = /<lei:Extension>\s*(?:<gleif:Geocoding>[\s\S]*?<\/gleif:Geocoding>\s*)+<\/lei:Extension>/g;

const isTime = (text: string) => /^\d{4}-\d\d-\d\dT/.test(text);
const inUtc = (text: string) => (isTime(text) ? new Date(text).toISOString() : text);

/**
 * The elements and texts of a piece of XML, in order: without namespaces, indentation, the order of attributes and the
 * zones of times.
 */
function contentOf(xml: string): string[] {
  const kept = xml
    .replaceAll(/ xmlns:\w+="[^"]*"/g, '')
    .replaceAll(geocoding, '')
    .replaceAll('&quot;', '"');
  const pieces = kept.match(/<[^>]+>|[^<]+/g) ?? [];
  return pieces
    .map((piece) => piece.trim().replaceAll(/\s+/g, ' ').replace(/ >$/, '>'))
    .map((piece) =>
      piece.replace(/(?: [\w:]+="[^"]*")+/, (all) =>
        all
          .split(/(?= [\w:]+=")/)
          .sort()
          .join(''),
      ),
    )
    .filter((piece) => piece !== '' && !/^<(?:\w+:)?Extension[^>]*\/>$/.test(piece))
    .map(inUtc);
}

function treeOf(row: SourceRow): Tree {
  switch (row.kind) {
    case 'level-1':
      return level1Tree(row.record);
    case 'relationships':
      return relationshipTree(row.record, row.deletedAt);
    case 'reporting-exceptions':
      return exceptionTree(row.record, row.deletedAt);
    default:
      throw new Error(`${row.kind} is not a golden copy.`);
  }
}

test.each([
  ['20231106-gleif-lei2.xml', 'lei2'],
  ['20231106-gleif-rr.xml', 'rr'],
  ['20231106-gleif-repex.xml', 'repex'],
  [`${intraDay}.xml.zip`, 'lei2'],
] as const)('%s is written element by element as it was published', async (name, family) => {
  const text = await fixtureText(name);
  const statement = (element: string) => new RegExp(`:${element}>([^<]+)`).exec(text)?.[1];
  const { rows } = await readFixture(name);
  const header = { contentDate: statement('ContentDate') ?? '', deltaStart: statement('DeltaStart') ?? null };
  const written = goldenCopyFile(family, rows.map(treeOf), header);
  // The fixtures have some of the published records, and the header of all.
  const published = text.replace(/(:RecordCount>)\d+/, `$1${rows.length}`);
  expect(contentOf(written)).toEqual(contentOf(published));
});

test('the JSON of a golden copy is written member by member as it was published', async () => {
  const published: { records: Tree[] } = JSON.parse(await fixtureText(`${intraDay}.json.zip`));
  const written = level1Records(await readFixture(`${intraDay}.json.zip`)).map(level1Tree);
  const compared = (records: readonly Tree[]) =>
    JSON.parse(JSON.stringify(records), (name, value) => {
      if (name === 'Extension' && value === null) return undefined;
      return typeof value === 'string' ? inUtc(value) : value;
    });
  expect(compared(written)).toEqual(compared(published.records));
});

const delta = {
  contentDate: '2024-05-05T00:00:00Z',
  fileContent: 'GLEIF_DELTA_PUBLISHED',
  deltaStart: '2024-05-04T00:00:00Z',
  recordCount: 1,
} as const;

/** A file of one record, as `lei generate` writes it. */
function generated(format: FileFormat, row: SourceRow): string {
  const written = <T>(writer: Parameters<typeof goldenCopyText<T>>[1], record: T, deletedAt: string | null) =>
    [...goldenCopyText(format, writer, [{ record, deletedAt }], () => delta)].join('');
  switch (row.kind) {
    case 'level-1':
      return written(level1Writer, row.record, null);
    case 'relationships':
      return written(relationshipWriter, row.record, row.deletedAt);
    case 'reporting-exceptions':
      return written(exceptionWriter, row.record, row.deletedAt);
    default:
      throw new Error(`${row.kind} is not a golden copy.`);
  }
}

describe.each([
  ['lei2', level1, { LEI: lei }],
  ['rr', relationships, { 'Relationship.StartNode.NodeID': lei, 'Relationship.EndNode.NodeID': otherLei }],
  ['repex', exceptions, { LEI: lei, 'Exception.Category': 'DIRECT_ACCOUNTING_CONSOLIDATION_PARENT' }],
] as const)('a record of the family %s with every value', (family, { columnList }, key) => {
  const read = readBytes(csv(columnList.names, fullRow(columnList.names, key))).then(onlyRow);
  /** As a delta deletes it, if it can. */
  const full = read.then((row) => ('deletedAt' in row ? { ...row, deletedAt: delta.contentDate } : row));

  test('is the same in CSV, XML and JSON', async () => {
    const row = await full;
    expect((await readBytes(goldenCopyFile(family, [treeOf(row)], delta))).rows).toEqual([row]);
    expect((await readBytes(goldenCopyJson(family, [treeOf(row)]))).rows).toEqual([row]);
  });

  test('is generated as GLEIF writes it', async () => {
    const row = await full;
    const tree = treeOf(row);
    expect(contentOf(generated('xml', row))).toEqual(contentOf(goldenCopyFile(family, [tree], delta)));
    expect(JSON.parse(generated('json', row))).toEqual(JSON.parse(goldenCopyJson(family, [tree])));
    expect((await readBytes(generated('csv', await read))).rows).toEqual([await read]);
  });
});
