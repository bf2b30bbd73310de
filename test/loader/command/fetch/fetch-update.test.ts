import { afterEach, beforeEach, expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HeldTimes } from '../../../../src/loader/command/fetch/choose-files.ts';
import {
  type DownloadProgress,
  fetchUpdate,
  findUpdate,
} from '../../../../src/loader/command/fetch/fetch-update.ts';
import { temporaryFolder } from '../../../support/folders.ts';
import {
  fileEntry,
  mappingAnswer,
  type Publisher,
  publishAnswer,
  startPublisher,
} from '../../../support/publisher.ts';
import { testTransport } from './support.ts';

let publisher: Publisher;
let folder: string;

beforeEach(async () => {
  publisher = await startPublisher();
  folder = temporaryFolder('fetch');
});
afterEach(async () => {
  await publisher.stop();
});

const zip = (content: string) => `PK\u0003\u0004${content}`;

/** A golden copy of 16:00 with an intra-day delta, and a BIC table. */
function publishAll(): void {
  const entry = (name: string) => {
    publisher.serve(`/storage/${name}`, { body: zip(name), etag: `"${name.length}"` });
    return fileEntry(`${publisher.url}/storage/${name}`, zip(name).length, 3);
  };
  const family = (name: string) => ({
    full_file: { xml: entry(`20261004-1600-gleif-goldencopy-${name}-golden-copy.xml.zip`) },
    delta_files: { IntraDay: { xml: entry(`20261004-1600-gleif-goldencopy-${name}-intra-day.xml.zip`) } },
  });
  publisher.serve('/publishes/latest', {
    body: publishAnswer('2026-10-04 16:00:00', {
      lei2: family('lei2'),
      rr: family('rr'),
      repex: family('repex'),
    }),
  });
  publisher.serve('/v2/bic-lei/latest', {
    body: mappingAnswer('LEI-BIC-20260925.zip', '/v2/bic-lei/1/download'),
  });
  publisher.serve('/v2/bic-lei/1/download', { body: zip('bic') });
}

const publishers = () => ({
  goldenCopyUrl: `${publisher.url}/publishes`,
  mappingUrl: `${publisher.url}/v2`,
  micListUrl: `${publisher.url}/ISO10383_MIC.csv`,
  updateMappings: ['bic'] as const,
});
const then = '2026-10-04T08:00:00Z';
const held = (mappings: HeldTimes['contentDates'] = {}): HeldTimes => ({
  sourcePublishedAt: then,
  contentDates: { 'level-1': then, relationships: then, 'reporting-exceptions': then, ...mappings },
});
const usual = { full: false, format: 'xml' } as const;

test('the newest files are found and downloaded with progress, in the chosen order', async () => {
  publishAll();
  const { transport } = testTransport();
  const choice = await findUpdate(transport, publishers(), held(), usual);
  const seen: DownloadProgress[] = [];
  const fetched = await fetchUpdate(transport, choice, folder, (fetching) => void seen.push(fetching));

  expect(choice.mode).toBe('delta');
  const names = [
    '20261004-1600-gleif-goldencopy-lei2-intra-day.xml.zip',
    '20261004-1600-gleif-goldencopy-rr-intra-day.xml.zip',
    '20261004-1600-gleif-goldencopy-repex-intra-day.xml.zip',
    'LEI-BIC-20260925.zip',
  ];
  expect(fetched.map(({ name }) => name)).toEqual(names);
  expect(fetched.map(({ records }) => records)).toEqual([3, 3, 3, null]);
  for (const { path } of fetched) expect(readFileSync(path, 'latin1')).toStartWith('PK');
  expect(readdirSync(folder).sort()).toEqual([...names].sort());
  expect([...new Set(seen.map(({ file }) => file))]).toEqual(names);
});

test('files left by a failed load are not downloaded again', async () => {
  publishAll();
  const { transport } = testTransport();
  const choice = await findUpdate(transport, publishers(), null, usual);
  await fetchUpdate(transport, choice, folder, () => {});
  const asked = publisher.heard.length;
  const again = await fetchUpdate(transport, choice, folder, () => {});
  expect(again.every(({ fetched }) => !fetched)).toBe(true);
  expect(publisher.heard.length).toBe(asked);
});

test('a missing mapping does not stop a delta, which keeps the served one', async () => {
  publishAll();
  publisher.serve('/v2/bic-lei/latest', { body: '<html>Moved</html>' });
  const { transport, said } = testTransport();
  const choice = await findUpdate(transport, publishers(), held({ bic: '2026-08-28T00:00:00Z' }), usual);
  expect(choice.files).toHaveLength(3);
  expect(said.join()).toContain('The update goes on without new bic data.');
});

test('a missing mapping stops full files that would lose it, and the message says how to continue', async () => {
  publishAll();
  publisher.mishaps('/v2/bic-lei/latest', { status: 403 });
  const full = findUpdate(testTransport().transport, publishers(), held({ bic: '2026-08-28T00:00:00Z' }), {
    ...usual,
    full: true,
  });
  await expect(full).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('To allow that, remove bic from LEI_UPDATE_MAPPINGS.'),
  });
});

test('a missing mapping that was never served does not stop full files', async () => {
  publishAll();
  publisher.mishaps('/v2/bic-lei/latest', { status: 403 });
  const choice = await findUpdate(testTransport().transport, publishers(), null, usual);
  expect(choice.files).toHaveLength(3);
});

test('full files without a mapping that is served now cause a warning', async () => {
  publishAll();
  const { transport, said } = testTransport();
  await findUpdate(transport, publishers(), held({ bic: then, isin: then }), { ...usual, full: true });
  expect(said).toEqual(['The active publication has isin data, but LEI_UPDATE_MAPPINGS does not name it.']);
});

test('a mapping that is offered but cannot be downloaded does not stop a delta either', async () => {
  publishAll();
  publisher.serve('/v2/bic-lei/1/download', { body: '<html>Moved</html>' });
  const { transport, said } = testTransport();
  const choice = await findUpdate(transport, publishers(), held({ bic: '2026-08-28T00:00:00Z' }), usual);
  const fetched = await fetchUpdate(transport, choice, folder, () => {});
  expect(fetched).toHaveLength(3);
  expect(said).toEqual([
    `${publisher.url}/v2/bic-lei/1/download did not send a zip file. The update goes on without LEI-BIC-20260925.zip.`,
  ]);
});

test('a mapping that cannot be downloaded stops full files that would lose it', async () => {
  publishAll();
  publisher.serve('/v2/bic-lei/1/download', { body: '<html>Moved</html>' });
  const { transport } = testTransport();
  const choice = await findUpdate(transport, publishers(), held({ bic: then }), { ...usual, full: true });
  const fetched = fetchUpdate(transport, choice, folder, () => {});
  await expect(fetched).rejects.toMatchObject({ code: 'unexpected-answer' });
});

test('an update of nothing but a mapping that cannot be downloaded fails', async () => {
  publishAll();
  publisher.mishaps('/v2/bic-lei/1/download', { status: 403 });
  const { transport } = testTransport();
  const upToDate = '2026-10-04T16:00:00Z';
  const now = { 'level-1': upToDate, relationships: upToDate, 'reporting-exceptions': upToDate } as const;
  const newest = { sourcePublishedAt: upToDate, contentDates: now };
  const choice = await findUpdate(transport, publishers(), newest, usual);
  const fetched = fetchUpdate(transport, choice, folder, () => {});
  await expect(fetched).rejects.toMatchObject({ code: 'refused' });
});

test('two files of one name are refused, because downloads are kept by name', async () => {
  publishAll();
  const { transport } = testTransport();
  const entry = (family: string) => ({
    full_file: { xml: fileEntry(`${publisher.url}/${family}/latest.zip`, 1, 1) },
  });
  publisher.serve('/publishes/latest', {
    body: publishAnswer('2026-10-04 16:00:00', {
      lei2: entry('lei2'),
      rr: entry('rr'),
      repex: entry('repex'),
    }),
  });
  await expect(findUpdate(transport, publishers(), null, usual)).rejects.toMatchObject({
    code: 'unexpected-answer',
    message: `${publisher.url}/lei2/latest.zip and ${publisher.url}/rr/latest.zip are two files with the same name, latest.zip.`,
  });
});

test('downloads that were never loaded are deleted by the next update', async () => {
  publishAll();
  const { transport } = testTransport();
  const old = '20261003-1600-gleif-goldencopy-lei2-golden-copy.xml.zip';
  for (const name of [old, `${old}.part`, `${old}.part.json`]) writeFileSync(join(folder, name), 'old');
  const choice = await findUpdate(transport, publishers(), held(), usual);
  const fetched = await fetchUpdate(transport, choice, folder, () => {});
  expect(readdirSync(folder).sort()).toEqual(fetched.map(({ name }) => name).sort());
});

test('the partial file of a download that is still wanted is kept and resumed', async () => {
  publishAll();
  const { transport } = testTransport();
  const choice = await findUpdate(transport, publishers(), held(), usual);
  const parts = choice.files.flatMap(({ name }) => [`${name}.part`, `${name}.part.json`]);
  for (const name of parts) writeFileSync(join(folder, name), 'begun');
  const [first] = choice.files;
  if (first === undefined) throw new Error('nothing was chosen');
  publisher.mishaps(new URL(first.url).pathname, { status: 403 });
  const nothing = { ...choice, dispensable: [] };
  await expect(fetchUpdate(transport, nothing, folder, () => {})).rejects.toMatchObject({ code: 'refused' });
  expect(readdirSync(folder).sort()).toEqual(parts.sort());
});

test('an update ends if the publisher of the golden copy cannot be reached', async () => {
  const found = findUpdate(testTransport().transport, publishers(), null, usual);
  await expect(found).rejects.toMatchObject({ code: 'not-published' });
});
