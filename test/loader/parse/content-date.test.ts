import { expect, test } from 'bun:test';
import { dateInNames } from '../../../src/lei/dates.ts';
import { readBytes } from './reading.ts';
import { rr, xml } from './writing.ts';
import { zip } from './zip.ts';

test('the time in a published name is its content date', () => {
  const cases = {
    '20260123-0800-gleif-goldencopy-lei2-golden-copy.csv.zip': '2026-01-23T08:00:00Z',
    '20240505-0000-gleif-goldencopy-lei2-intra-day.json': '2024-05-05T00:00:00Z',
    '20180901-gleif-concatenated-file-lei2.xml.5b8a1f0c.zip': '2018-09-01T00:00:00Z',
    'isin-lei-20260913T071511.zip': '2026-09-13T07:15:11Z',
    'LEI-BIC-20260828.zip': '2026-08-28T00:00:00Z',
    'ISO10383_MIC-20250526.csv': '2025-05-26T00:00:00Z',
    'golden-copy-2026-08-28.csv': '2026-08-28T00:00:00Z',
    'lei-20261340.csv': null,
    '00000001-lei.csv': null,
    '202608281234.csv': null,
    '120260828.csv': null,
    '2026-0828.csv': null,
    'founded-19991231.csv': null,
    'golden-copy.csv': null,
  };
  for (const [name, date] of Object.entries(cases)) expect([name, dateInNames(name)]).toEqual([name, date]);
});

test('the name of the file takes precedence over the name within its archive', async () => {
  const content = 'LEI,ISIN\n';
  const member = { name: 'lei-isin-20260101T010203.csv', content };
  const dateOf = async (name: string) => (await readBytes(zip(member), name)).source.header.contentDate;
  expect(await dateOf('isin-lei-20260913T071511.zip')).toBe('2026-09-13T07:15:11Z');
  expect(await dateOf('download.zip')).toBe('2026-01-01T01:02:03Z');
  expect((await readBytes(content, 'download.csv')).source.header.contentDate).toBeNull();
});

test('the date in the header takes precedence over those in names, unless it is not a date', async () => {
  const named = (date: string) => readBytes(xml(rr, [], { ContentDate: date }), '20240505-0000-rr.xml');
  expect((await named('2023-11-06T10:29:01+01:00')).source.header.contentDate).toBe('2023-11-06T09:29:01Z');
  expect((await named('yesterday')).source.header.contentDate).toBe('2024-05-05T00:00:00Z');
});
