/** Tests that CSV, XML and JSON of the same records give the same rows, so that an operator may choose any. */
import { expect, test } from 'bun:test';
import { level1 } from '../../../src/loader/parse/csv/kinds.ts';
import { exceptionTree, goldenCopyJson, relationshipTree } from '../gleif-files.ts';
import { fixtureText, level1Records, otherLei, readBytes, readFixture } from './reading.ts';
import { lei, repex, rr, type Tree, xml } from './writing.ts';

const intraDay = '20240505-0000-gleif-goldencopy-lei2-intra-day';

async function publishedTrees(): Promise<Tree[]> {
  return JSON.parse(await fixtureText(`${intraDay}.json.zip`)).records;
}

test('the JSON, XML and CSV of one publication give the same 364 records', async () => {
  const [json, fromXml, csv] = await Promise.all([
    readFixture(`${intraDay}.json.zip`),
    readFixture(`${intraDay}.xml.zip`),
    readFixture(`${intraDay}.csv.zip`),
  ]);
  expect(json.rows).toHaveLength(364);
  for (const [index, row] of json.rows.entries()) {
    expect(fromXml.rows[index]).toEqual(row);
    expect(csv.rows[index]).toEqual(row);
  }
  for (const { summary } of [json, fromXml, csv]) {
    expect(summary).toMatchObject({ rows: 364, rejected: 0, remarks: 0 });
  }
});

test('XML and JSON keep every repetition of an element, CSV has columns for the first five', async () => {
  const [first] = await publishedTrees();
  const names = Array.from({ length: 7 }, (_, index) => `Name ${index + 1}`);
  const item = (name: string) => ({ '@xml:lang': 'en', '@type': 'PREVIOUS_LEGAL_NAME', $: name });
  const OtherEntityNames = { OtherEntityName: names.map(item) };
  const record: Tree = { ...first, Entity: Object.assign({}, first?.['Entity'], { OtherEntityNames }) };
  const otherNames = async (content: string) =>
    level1Records(await readBytes(content)).flatMap(({ entity }) =>
      entity.otherNames.map(({ name }) => name),
    );

  expect(await otherNames(JSON.stringify({ records: [record] }))).toEqual(names);
  expect(await otherNames(xml(lei, [record]))).toEqual(names);
  const columns = level1.columnList.names.filter((name) =>
    /OtherEntityNames\.OtherEntityName\.\d$/.test(name),
  );
  expect(columns.filter((column) => !column.includes('Transliterated'))).toHaveLength(5);
});

test('elements that occur twice, in two lists or half empty, and signed numbers, are read correctly', async () => {
  const [first] = await publishedTrees();
  const name = { '@type': 'PREVIOUS_LEGAL_NAME', '@xml:lang': 'en' };
  const Entity = Object.assign({}, first?.['Entity'], {
    LegalName: [{ $: ' \n First AG' }, { $: 'Second AG' }],
    OtherEntityNames: [
      { OtherEntityName: { ...name, $: 'One' } },
      { OtherEntityName: { ...name, $: 'Two' } },
    ],
    AssociatedEntity: { '@type': 'FUND_FAMILY' },
    LegalAddress: { FirstAddressLine: {}, AdditionalAddressLine: [{ $: 'Back yard' }, {}] },
    SuccessorEntity: [{ SuccessorEntityName: { '@xml:lang': 'de', $: 'Third AG' } }],
    LegalEntityEvents: {
      LegalEntityEvent: [
        { '@group_id': '1', '@group_sequence_no': '+02', LegalEntityEventType: { $: 'SPINOFF' } },
        { '@group_id': '1', '@group_sequence_no': '1', LegalEntityEventType: { $: 'DEMERGER' } },
      ],
    },
  });
  const record: Tree = { ...first, Entity };
  for (const content of [JSON.stringify({ records: [record] }), xml(lei, [record])]) {
    const [{ entity } = {}] = level1Records(await readBytes(content));
    expect(entity).toMatchObject({
      legalName: { name: 'First AG' },
      otherNames: [{ name: 'One' }, { name: 'Two' }],
      associatedEntity: { type: 'FUND_FAMILY', lei: null, name: null },
      legalAddress: { addressLines: ['Back yard'] },
      successorEntities: [{ lei: null, name: 'Third AG', language: 'de' }],
      eventGroups: [
        {
          events: [
            { type: 'DEMERGER', sequence: 1 },
            { type: 'SPINOFF', sequence: 2 },
          ],
        },
      ],
    });
  }
});

test('an empty item of a repeated element is skipped in XML and JSON, since CSV cannot show it', async () => {
  const [first] = await publishedTrees();
  const empty = { '@type': '', $: ' ' };
  const Entity = Object.assign({}, first?.['Entity'], {
    OtherEntityNames: { OtherEntityName: [{}, empty] },
    TransliteratedOtherEntityNames: { TransliteratedOtherEntityName: [empty] },
    OtherAddresses: { OtherAddress: [{}, { City: {}, AdditionalAddressLine: [{}] }] },
    SuccessorEntity: [{}, { SuccessorLEI: {} }, { SuccessorEntityName: { '@xml:lang': 'de' } }],
    LegalEntityEvents: { LegalEntityEvent: [{}, { AffectedFields: { AffectedField: [{}] } }] },
  });
  const Registration = Object.assign({}, first?.['Registration'], {
    OtherValidationAuthorities: { OtherValidationAuthority: [{}, { ValidationAuthorityID: {} }] },
  });
  const record: Tree = { ...first, Entity, Registration };
  const lists = {
    entity: {
      otherNames: [],
      transliteratedOtherNames: [],
      otherAddresses: [],
      successorEntities: [],
      eventGroups: [],
    },
    validation: { otherValidationAuthorities: [] },
  };
  const csv = `LEI,Entity.LegalName,Entity.SuccessorEntity.1.SuccessorEntity.xmllang\n${otherLei},A company,de\n`;
  for (const content of [JSON.stringify({ records: [record] }), xml(lei, [record]), csv]) {
    expect(level1Records(await readBytes(content))).toMatchObject([lists]);
  }
});

test('an empty period, qualifier or quantifier of a relationship is skipped', async () => {
  const csv = await readFixture('20260123-0800-gleif-goldencopy-rr-golden-copy.csv');
  const [first] = csv.rows.flatMap((row) =>
    row.kind === 'relationships' ? [relationshipTree(row.record)] : [],
  );
  const Relationship = Object.assign({}, first?.['Relationship'], {
    RelationshipPeriods: { RelationshipPeriod: [{}, { StartDate: {} }] },
    RelationshipQualifiers: { RelationshipQualifier: [{}] },
    RelationshipQuantifiers: { RelationshipQuantifier: [{ QuantifierAmount: {} }] },
  });
  const { rows } = await readBytes(xml(rr, [{ ...first, Relationship }]));
  expect(rows).toMatchObject([
    { record: { relationship: { periods: [], qualifiers: [], quantifiers: [] } } },
  ]);
});

test('relationship records mean the same in CSV, XML and JSON', async () => {
  const csv = await readFixture('20260123-0800-gleif-goldencopy-rr-golden-copy.csv');
  const trees = csv.rows.flatMap((row) =>
    row.kind === 'relationships' ? [relationshipTree(row.record)] : [],
  );
  expect((await readBytes(xml(rr, trees))).rows).toEqual(csv.rows);
  expect((await readBytes(goldenCopyJson('rr', trees))).rows).toEqual(csv.rows);
  expect(csv.rows.length).toBeGreaterThan(50);
});

test('reporting exceptions mean the same in XML, JSON and CSV', async () => {
  const published = await readFixture('20231106-gleif-repex.xml');
  const records = published.rows.flatMap((row) => (row.kind === 'reporting-exceptions' ? [row.record] : []));
  const trees = records.map((record) => exceptionTree(record));
  const rows = records.map((record) => ({ kind: 'reporting-exceptions' as const, record, deletedAt: null }));
  const header = ['LEI', 'Exception.Category', 'Exception.Reason.1', 'Exception.Reference.1'];
  const line = ({ lei, exception }: (typeof records)[number]) =>
    [lei, exception.category, exception.reasons[0], exception.references[0] ?? ''].join(',');

  expect((await readBytes(xml(repex, trees))).rows).toEqual(rows);
  expect((await readBytes(goldenCopyJson('repex', trees))).rows).toEqual(rows);
  expect((await readBytes([header.join(','), ...records.map(line)].join('\n'))).rows).toEqual(rows);
});

test('a level 1 tree written back as XML gives the same record', async () => {
  const trees = await publishedTrees();
  const json = await readFixture(`${intraDay}.json.zip`);
  expect((await readBytes(xml(lei, trees))).rows).toEqual(json.rows);
});

test('JSON is read alike whether pretty, compact, or with members before and after its list', async () => {
  const trees = (await publishedTrees()).slice(0, 3);
  const rows = (await readBytes(JSON.stringify({ records: trees }))).rows;
  const around = { about: { records: [{ note: 'not a "record" ]' }] }, count: 3, records: trees, end: ['}'] };
  expect(rows).toHaveLength(3);
  for (const content of [
    JSON.stringify({ records: trees }, null, 4),
    `\uFEFF${JSON.stringify({ records: trees }, null, '\t').replaceAll('\n', '\r\n')}\r\n`,
    JSON.stringify(around),
  ]) {
    expect((await readBytes(content)).rows).toEqual(rows);
  }
});
