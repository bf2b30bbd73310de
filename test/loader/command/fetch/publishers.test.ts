import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { followed } from '../../../../src/loader/command/fetch/addresses.ts';
import {
  latestMapping,
  latestMicList,
  latestPublish,
} from '../../../../src/loader/command/fetch/publishers.ts';
import {
  fileEntry,
  mappingAnswer,
  type Publisher,
  publishAnswer,
  startPublisher,
} from '../../../support/publisher.ts';
import { testTransport } from './support.ts';

let publisher: Publisher;
beforeEach(async () => {
  publisher = await startPublisher();
});
afterEach(async () => {
  await publisher.stop();
});

const storage = 'https://goldencopy.gleif.org/storage/golden-copy-files/2026/03/23/1189144';
const family = (name: string) => ({
  full_file: {
    xml: fileEntry(
      `${storage}/20260323-0800-gleif-goldencopy-${name}-golden-copy.xml.zip`,
      852_000_000,
      3_209_464,
    ),
  },
  delta_files: {
    IntraDay: {
      xml: fileEntry(`${storage}/20260323-0800-gleif-goldencopy-${name}-intra-day.xml.zip`, 61_000, 577),
    },
  },
});
const answer = publishAnswer('2026-03-23 08:00:00', {
  lei2: family('lei2'),
  rr: family('rr'),
  repex: family('repex'),
});
const latest = () => latestPublish(testTransport().transport, `${publisher.url}/publishes`);

test('the newest golden copy is read as the publishing service describes it', async () => {
  publisher.serve('/publishes/latest', { body: answer });
  const publish = await latest();
  expect(publish.publishedAt).toBe('2026-03-23T08:00:00Z');
  expect(publish.families.rr.full.xml).toEqual({
    url: `${storage}/20260323-0800-gleif-goldencopy-rr-golden-copy.xml.zip`,
    name: '20260323-0800-gleif-goldencopy-rr-golden-copy.xml.zip',
    bytes: 852_000_000,
    records: 3_209_464,
  });
  expect(publish.families.lei2.deltas.IntraDay?.xml?.records).toBe(577);
  expect(publish.families.lei2.deltas.LastDay).toBeUndefined();
  expect(publisher.heard[0]?.headers.accept).toBe('*/*');
});

test('the first entry of a list of publishes is read', async () => {
  const { data } = JSON.parse(answer);
  publisher.serve('/publishes/latest', { body: JSON.stringify({ data: [data, { publish_date: 'older' }] }) });
  expect((await latest()).publishedAt).toBe('2026-03-23T08:00:00Z');
});

test('the date is read from the families if the publish has none, and a missing one is refused', async () => {
  const { data } = JSON.parse(answer);
  const { publish_date, ...families } = data;
  publisher.serve('/publishes/latest', {
    body: JSON.stringify({ data: { ...families, lei2: { ...families.lei2, publish_date } } }),
  });
  expect((await latest()).publishedAt).toBe('2026-03-23T08:00:00Z');
  publisher.serve('/publishes/latest', { body: JSON.stringify({ data: families }) });
  await expect(latest()).rejects.toMatchObject({
    message: `${publisher.url}/publishes/latest has no date of publication (publish_date).`,
  });
});

test('an answer of another shape is refused with what is missing', async () => {
  const { data } = JSON.parse(answer);
  delete data.rr.full_file.xml.url;
  publisher.serve('/publishes/latest', { body: JSON.stringify({ data }) });
  await expect(latest()).rejects.toMatchObject({
    code: 'unexpected-answer',
    message: `${publisher.url}/publishes/latest answered unexpected JSON: data.rr.full_file.xml.url: Expected required property.`,
  });
});

test('an answer that is not JSON is refused with its beginning', async () => {
  publisher.serve('/publishes/latest', { body: '<html>Maintenance</html>' });
  await expect(latest()).rejects.toMatchObject({
    code: 'unexpected-answer',
    message: `${publisher.url}/publishes/latest answered "<html>Maintenance</html>" instead of JSON.`,
  });
});

test('an endless answer is cut short', async () => {
  publisher.serve('/publishes/latest', { body: ' '.repeat(200_000) });
  await expect(latest()).rejects.toMatchObject({
    message: expect.stringContaining('more than 100000 bytes'),
  });
});

test('a date with a time zone is converted to UTC', async () => {
  publisher.serve('/publishes/latest', {
    body: answer.replace('2026-03-23 08:00:00', '2026-03-23T10:00:00+02:00'),
  });
  expect((await latest()).publishedAt).toBe('2026-03-23T08:00:00Z');
});

test('a format or window that is null counts as not published', async () => {
  const { data } = JSON.parse(answer);
  data.lei2.full_file.json = null;
  data.rr.delta_files.LastDay = null;
  data.repex.delta_files = null;
  publisher.serve('/publishes/latest', { body: JSON.stringify({ data }) });
  const { lei2, rr, repex } = (await latest()).families;
  expect(Object.keys(lei2.full)).toEqual(['xml']);
  expect(Object.keys(rr.deltas)).toEqual(['IntraDay']);
  expect(repex.deltas).toEqual({});
});

test.each(['2026-13-45 08:00:00', '2026-02-31 08:00:00', '2026-03-23', 'yesterday'])(
  'the date %j is refused',
  async (date) => {
    publisher.serve('/publishes/latest', { body: answer.replace('2026-03-23 08:00:00', date) });
    await expect(latest()).rejects.toMatchObject({ code: 'unexpected-answer' });
  },
);

test.each([
  ['ftp://goldencopy.gleif.org/file.zip', 'another protocol'],
  ['https://goldencopy.gleif.org/..%2F..%2Fetc%2Fpasswd', 'a path as name'],
  ['https://goldencopy.gleif.org/', 'no name'],
  ['https://goldencopy.gleif.org/%E0%A4%A.zip', 'a name that no text is encoded as'],
])('the file address %j is refused: %s', async (url) => {
  const lei2 = { full_file: { xml: fileEntry(url, 1, 1) } };
  publisher.serve('/publishes/latest', {
    body: publishAnswer('2026-03-23 08:00:00', { lei2, rr: family('rr'), repex: family('repex') }),
  });
  await expect(latest()).rejects.toMatchObject({ code: 'unexpected-answer' });
});

test('a link from https to plain http is refused', () => {
  const link = () => followed('http://goldencopy.gleif.org/file.zip', 'https://goldencopy.gleif.org/latest');
  expect(link).toThrow(expect.objectContaining({ code: 'unsafe-address' }));
});

describe('a date in the future is refused, a day ahead is not', () => {
  // The clock of these tests says 2026-11-01.
  test.each([
    ['9999-12-31 23:59:59', false],
    ['2026-11-02 00:00:01', false],
    ['2026-11-02 00:00:00', true],
  ])('of a golden copy: %s', async (date, taken) => {
    publisher.serve('/publishes/latest', { body: answer.replace('2026-03-23 08:00:00', date) });
    if (taken) expect((await latest()).publishedAt).toBe('2026-11-02T00:00:00Z');
    else
      await expect(latest()).rejects.toMatchObject({
        code: 'unexpected-answer',
        message: expect.stringContaining('which is in the future'),
      });
  });

  test.each([
    ['isin-lei-99991231T000000.zip', false],
    ['isin-lei-20261102T000000.zip', true],
  ])('in the name of a mapping: %s', async (name, taken) => {
    publisher.serve('/v2/isin-lei/latest', { body: mappingAnswer(name, '/download') });
    const mapping = latestMapping(testTransport().transport, `${publisher.url}/v2`, 'isin');
    if (taken) expect(await mapping).toMatchObject({ name });
    else await expect(mapping).rejects.toMatchObject({ code: 'unexpected-answer' });
  });

  test('of the list of markets', async () => {
    publisher.serve('/mic.csv', { body: '"MIC"', lastModified: 'Fri, 31 Dec 9999 23:59:59 GMT' });
    const list = latestMicList(testTransport().transport, `${publisher.url}/mic.csv`);
    await expect(list).rejects.toMatchObject({ code: 'unexpected-answer' });
  });
});

test('the newest mapping file has a name and a link', async () => {
  publisher.redirect('/v2/isin-lei/latest', '/v2/isin-lei/0b7e2b7e');
  publisher.serve('/v2/isin-lei/0b7e2b7e', {
    body: mappingAnswer('isin-lei-20260810T071513.zip', '/v2/isin-lei/0b7e2b7e/download'),
  });
  expect(await latestMapping(testTransport().transport, `${publisher.url}/v2`, 'isin')).toEqual({
    url: `${publisher.url}/v2/isin-lei/0b7e2b7e/download`,
    name: 'isin-lei-20260810T071513.zip',
    bytes: null,
    records: null,
  });
});

test('a mapping whose name is a path is refused', async () => {
  publisher.serve('/v2/bic-lei/latest', { body: mappingAnswer('../bic.zip', '/download') });
  const bic = latestMapping(testTransport().transport, `${publisher.url}/v2`, 'bic');
  await expect(bic).rejects.toMatchObject({ code: 'unexpected-answer' });
});

test('the list of markets is named by the day of its last change, even if the server refuses HEAD', async () => {
  publisher.serve('/ISO10383_MIC.csv', { body: '"MIC"', lastModified: 'Mon, 12 Oct 2026 09:30:00 GMT' });
  const list = await latestMicList(testTransport().transport, `${publisher.url}/ISO10383_MIC.csv`);
  expect(list.name).toBe('ISO10383_MIC-20261012.csv');
  expect(publisher.heard.map(({ method }) => method)).toEqual(['GET']);
});

test('a list of markets without a date is refused', async () => {
  publisher.serve('/ISO10383_MIC.csv', { body: '"MIC"' });
  const list = latestMicList(testTransport().transport, `${publisher.url}/ISO10383_MIC.csv`);
  await expect(list).rejects.toMatchObject({
    message: `${publisher.url}/ISO10383_MIC.csv has no valid Last-Modified header.`,
  });
});
