/** Tests peculiarities of real files, each on the publisher's own bytes. */
import { expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import type { LegalEntityRecord } from '../../../src/lei/company.ts';
import { utcDate } from '../../../src/lei/dates.ts';
import {
  fixtureBytes,
  fixtureText,
  lei,
  level1Records,
  onlyRow,
  readBytes,
  readFixture,
  refusalOf,
} from './reading.ts';

const goldenCopy = '20260123-0800-gleif-goldencopy-lei2-golden-copy.csv.zip';
const relations = '20260123-0800-gleif-goldencopy-rr-golden-copy.csv';
const intraDay = '20240505-0000-gleif-goldencopy-lei2-intra-day.json.zip';

async function recordOf(fixture: string, lei: string): Promise<LegalEntityRecord> {
  const record = level1Records(await readFixture(fixture)).find((candidate) => candidate.lei === lei);
  if (record === undefined) throw new Error(`${fixture} has no ${lei}`);
  return record;
}

test('NULL is a published entity status, not an absent one', async () => {
  const records = level1Records(await readFixture(goldenCopy));
  const nulls = records.filter(({ entity }) => entity.status === 'NULL');
  expect(nulls.map(({ registration }) => registration.status)).toEqual(['DUPLICATE', 'ANNULLED']);
});

test('dates keep the offset and the fraction that they were published with', async () => {
  const { entity, registration } = await recordOf(intraDay, '097900BID10000147476');
  expect(entity.creationDate).toBe('2017-09-20T08:00:00+02:00');
  expect(registration.lastUpdateDate).toBe('2024-05-04T00:00:00+02:00');
  expect(registration.nextRenewalDate).toBe('2024-05-03T08:31:20.554+02:00');
});

test('a record with an empty Extension has no conformity flag, and other records keep theirs', async () => {
  const published = await fixtureText(intraDay);
  const empty = published.split('"Extension": null').length - 1;
  const flags = level1Records(await readFixture(intraDay)).map(({ validation }) => validation.conformityFlag);
  expect(empty).toBe(36);
  expect(flags.filter((flag) => flag === null)).toHaveLength(empty);
  expect(new Set(flags)).toEqual(new Set(['CONFORMING', 'NON_CONFORMING', null]));
});

test('a company may be its own parent', async () => {
  const { rows } = await readFixture(relations);
  const own = rows.filter((row) => row.kind === 'relationships' && row.record.start === row.record.end);
  expect(own).toHaveLength(14);
});

test('the periods of a relationship may have any order and are told apart by their type', async () => {
  const { rows } = await readFixture(relations);
  const first = new Set(
    rows.map((row) => (row.kind === 'relationships' ? row.record.relationship.periods[0]?.type : null)),
  );
  expect(first).toEqual(new Set(['ACCOUNTING_PERIOD', 'RELATIONSHIP_PERIOD', 'DOCUMENT_FILING_PERIOD']));
});

test('a deletion in the extension of a relationship or an exception is read with its time', async () => {
  const rows = [
    ...(await readFixture('20231106-gleif-rr.xml')).rows,
    ...(await readFixture('20231106-gleif-repex.xml')).rows,
  ];
  const deletions = rows.flatMap((row) => ('deletedAt' in row && row.deletedAt !== null ? [row] : []));
  expect(deletions.map(({ kind, deletedAt }) => [kind, deletedAt])).toEqual([
    ['relationships', '2023-11-01T01:39:19Z'],
    ['reporting-exceptions', '2023-11-24T02:07:59Z'],
  ]);
});

test('a deletion in JSON is read alike, even without a time', async () => {
  const exception = {
    LEI: { $: '2549007VY3IWUVGW7A82' },
    ExceptionCategory: { $: 'DIRECT_ACCOUNTING_CONSOLIDATION_PARENT' },
    ExceptionReason: [{ $: 'NON_CONSOLIDATING' }, {}],
  };
  const read = async (Extension: unknown) =>
    readBytes(JSON.stringify({ exceptions: [{ ...exception, Extension }] }));
  const timed = await read({ 'gleif:Deletion': { 'gleif:DeletedAt': { $: '2023-11-24T03:07:59+01:00' } } });
  expect(onlyRow(timed)).toMatchObject({
    record: { exception: { reasons: ['NON_CONSOLIDATING'] } },
    deletedAt: '2023-11-24T02:07:59Z',
  });
  expect(timed.remarks).toEqual([]);
  const untimed = await read({ 'gleif:Deletion': {} });
  expect(onlyRow(untimed)).toMatchObject({ deletedAt: '' });
  expect(untimed.remarks.map(({ reason }) => reason)).toEqual(['is missing; the record is deleted anyway']);
});

test('a record whose extension or deletion is null is not deleted', async () => {
  for (const Extension of [null, { 'gleif:Deletion': null }]) {
    const exception = {
      LEI: { $: '2549007VY3IWUVGW7A82' },
      ExceptionCategory: { $: 'DIRECT_ACCOUNTING_CONSOLIDATION_PARENT' },
      ExceptionReason: [{ $: 'NON_CONSOLIDATING' }],
      Extension,
    };
    const read = await readBytes(JSON.stringify({ exceptions: [exception] }));
    expect(onlyRow(read)).toMatchObject({ deletedAt: null });
    expect(read.remarks).toEqual([]);
  }
});

test('a deletion without a time has the time of the record that it deletes', async () => {
  const published = await fixtureText('20231106-gleif-rr.xml');
  const untimed = published.replace(/<gleif:DeletedAt>[^<]*<\/gleif:DeletedAt>/, '');
  expect(untimed).not.toBe(published);
  const deleted = (await readBytes(untimed)).rows.flatMap((row) =>
    row.kind === 'relationships' && row.deletedAt !== null ? [row] : [],
  );
  expect(deleted.map(({ deletedAt }) => deletedAt)).toEqual(
    deleted.map(({ record }) => utcDate(record.relationship.registration.lastUpdateDate ?? '')),
  );
  expect(deleted).toHaveLength(1);
});

test('a byte order mark, CRLF and either quoting change nothing', async () => {
  const published = await fixtureText(goldenCopy);
  const { rows } = await readFixture(goldenCopy);
  const needsQuotes = /[",\n]/;
  const unquoted = published.replace(/"((?:[^"]|"")*)"/g, (quoted, value) =>
    needsQuotes.test(value) ? quoted : value,
  );
  for (const variant of [`\uFEFF${published}`, published.replaceAll('\n', '\r\n'), unquoted.trimEnd()]) {
    expect((await readBytes(variant)).rows).toEqual(rows);
  }
  expect(rows).toHaveLength(39);
});

test('names in every script are kept as published', async () => {
  const names = level1Records(await readFixture(goldenCopy)).map(({ entity }) => entity.legalName.name);
  const scripts = ['Cyrillic', 'Arabic', 'Greek', 'Han', 'Georgian', 'Hebrew', 'Armenian', 'Thai', 'Hangul'];
  for (const script of [...scripts, 'Khmer', 'Lao', 'Katakana', 'Hiragana']) {
    expect(names.filter((name) => new RegExp(`\\p{Script=${script}}`, 'u').test(name))).not.toEqual([]);
  }
});

test('names with quotes, commas and apostrophes are kept as published', async () => {
  const names = level1Records(await readFixture(goldenCopy)).map(({ entity }) => entity.legalName.name);
  expect(names.filter((name) => name.startsWith('"'))).not.toEqual([]);
  expect(names.filter((name) => name.includes("'"))).not.toEqual([]);
  expect(names.filter((name) => name.includes(', '))).not.toEqual([]);
  expect(names.filter((name) => name.includes('""'))).toEqual([]);
});

test('entities and CDATA in XML become the characters that they represent', async () => {
  const published = await fixtureText('20231106-gleif-lei2.xml');
  const name = 'Delaware Ivy Value Fund';
  const variant = published.replace(
    `>${name}<`,
    '>A &amp; B &#x416;&#1046; &lt;<![CDATA[ & <C> ]]>D<!-- no -->E<',
  );
  expect(published).toContain(`>${name}<`);
  expect(level1Records(await readBytes(variant))[0]?.entity.legalName.name).toBe('A & B ЖЖ < & <C> DE');
});

test('namespaces are identified by address, whatever the prefix', async () => {
  const published = await fixtureText('20231106-gleif-rr.xml');
  const { rows } = await readFixture('20231106-gleif-rr.xml');
  const renamed = published
    .replaceAll('<rr:', '<x:')
    .replaceAll('</rr:', '</x:')
    .replaceAll('xmlns:rr=', 'xmlns:x=')
    .replaceAll('gleif:', 'g:')
    .replaceAll('xmlns:gleif=', 'xmlns:g=');
  const bare = published.replaceAll('rr:', '').replaceAll('xmlns:rr=', 'xmlns=');
  expect((await readBytes(renamed)).rows).toEqual(rows);
  expect((await readBytes(bare)).rows).toEqual(rows);
  const level1 = await fixtureText('20231106-gleif-lei2.xml');
  const withoutPrefix = level1.replaceAll('xmlns:lei=', 'xmlns=').replace(/<(\/?)lei:/g, '<$1');
  expect((await readBytes(withoutPrefix)).rows).toEqual((await readFixture('20231106-gleif-lei2.xml')).rows);
  const address = 'http://www.gleif.org/data/schema/leidata/2016';
  expect(await refusalOf(level1.replaceAll(address, 'urn:other'))).toStartWith(
    'its root element is LEIData of urn:other; known are LEIData of ',
  );
});

test('a prefix is valid where it is declared: within one record it may mean something else', async () => {
  const published = await fixtureText('20231106-gleif-rr.xml');
  const { rows } = await readFixture('20231106-gleif-rr.xml');
  const declaration = /xmlns:rr="[^"]+"/.exec(published)?.[0] ?? '';
  // The first record's own elements under another prefix, beside one that is no longer one of them.
  const scoped = published
    .replace('<rr:RelationshipRecord ', `<rr:RelationshipRecord ${declaration.replace('rr=', 'own=')} `)
    .replace('<rr:Relationship>', '<own:Relationship><rr:Other xmlns:rr="urn:other">1</rr:Other>')
    .replace('</rr:Relationship>', '</own:Relationship>');
  expect(scoped).not.toBe(published);
  expect((await readBytes(scoped)).rows).toEqual(rows);
});

test('elements of other namespaces, such as geocoding in older files, are skipped', async () => {
  const published = await fixtureText('20231106-gleif-lei2.xml');
  expect(published).toContain('gleif:Geocoding');
  expect(level1Records(await readFixture('20231106-gleif-lei2.xml'))).toHaveLength(12);
});

test('an LEI that occurs twice in a file is two rows, in file order', async () => {
  const [header, first, second] = (await fixtureText(goldenCopy)).split('\n');
  const { rows, places } = await readBytes([header, first, second, first].join('\n'));
  expect(rows[2]).toEqual(rows[0]);
  expect(places.map(({ number }) => number)).toEqual([2, 3, 4]);
});

test('LEI-CDF 2.1 is read into the fields that it shares with 3.1', async () => {
  const { source, rows, summary } = await readFixture(
    '20180901-gleif-concatenated-file-lei2-Top10.cdf21.xml',
  );
  expect(summary).toMatchObject({ rows: 10, rejected: 0, remarks: 0 });
  expect(source.header).toEqual({
    contentDate: '2018-09-01T09:00:01Z',
    fileContent: 'GLEIF_FULL_PUBLISHED',
    deltaStart: null,
    recordCount: 10,
  });
  expect(rows[0]).toMatchObject({
    record: { entity: { creationDate: null, eventGroups: [], subCategory: null } },
  });
});

test('the header of an XML file states its date, its content, where a delta starts and the number of records', async () => {
  const { source } = await readFixture('20240505-0000-gleif-goldencopy-lei2-intra-day.xml.zip');
  expect(source).toMatchObject({ kind: 'level-1', format: 'xml' });
  expect(source.header).toEqual({
    contentDate: '2024-05-05T00:00:00Z',
    fileContent: 'GLEIF_DELTA_PUBLISHED',
    deltaStart: '2024-05-04T16:00:00Z',
    recordCount: 364,
  });
});

test('a number or a Boolean in JSON becomes the text that it is written with', async () => {
  const record = { LEI: { $: lei }, Entity: { LegalName: { $: 1860 }, LegalForm: { OtherLegalForm: true } } };
  const [read] = level1Records(await readBytes(JSON.stringify({ records: [record] })));
  expect(read?.entity).toMatchObject({ legalName: { name: '1860' }, legalForm: { other: 'true' } });
});

test('a record count that is not a number is ignored', async () => {
  const published = await fixtureText('20231106-gleif-lei2.xml');
  const odd = published.replace(/(<lei:RecordCount>)[^<]*/, '$1many');
  expect(odd).not.toBe(published);
  expect((await readBytes(odd)).source.header).toMatchObject({ recordCount: null });
});

test('an attribute of another namespace is not read as the language of a name', async () => {
  const published = await fixtureText('20231106-gleif-lei2.xml');
  const odd = published.replaceAll('<lei:LegalName ', '<lei:LegalName xmlns:x="urn:x" x:lang="fr" ');
  const attributed = odd.replace(/ x:lang="fr" (xml:lang="[^"]*")/g, ' $1 x:lang="fr"');
  expect(attributed).not.toBe(odd);
  expect((await readBytes(attributed)).rows).toEqual((await readFixture('20231106-gleif-lei2.xml')).rows);
});

test('a file is read alike plain, zipped and gzipped, and its digest is taken of the file as given', async () => {
  const zipped = await readFixture(goldenCopy);
  const plain = await readBytes(await fixtureBytes(goldenCopy));
  const gzipped = await readBytes(gzipSync(await fixtureBytes(goldenCopy)));
  expect(plain.rows).toEqual(zipped.rows);
  expect(gzipped.rows).toEqual(zipped.rows);
  const digest = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
  expect(plain.summary.sha256).toBe(digest(await fixtureBytes(goldenCopy)));
  expect(zipped.summary.sha256).not.toBe(plain.summary.sha256);
  expect(zipped.progress.at(-1)).toBe(zipped.source.bytes);
});

test('legal names keep their language, addresses their lines in order', async () => {
  const { entity } = await recordOf('20231106-gleif-lei2.xml', 'ZZZWS8Y6XVKM0Q9RJQ79');
  expect(entity.legalName).toEqual({ name: 'Delaware Ivy Value Fund', language: 'en' });
  expect(entity.headquartersAddress).toEqual({
    language: 'en',
    addressLines: [
      'C/O Delaware Management Company, Inc.',
      'CORPORATION SERVICE COMPANY',
      '251 LITTLE FALLS DRIVE',
    ],
    addressNumber: null,
    addressNumberWithinBuilding: null,
    mailRouting: null,
    city: 'WILMINGTON',
    region: 'US-DE',
    country: 'US',
    postalCode: '19808',
  });
});
