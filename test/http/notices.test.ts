import { afterAll, describe, expect, test } from 'bun:test';
import type { MappingKind } from '../../src/lei/identifier-kinds.ts';
import { noticesOf } from '../../src/lei/notices.ts';
import { company, firstId, manifest, startInMemory } from './app-in-memory.ts';

const service = startInMemory();
afterAll(() => service.stop());

async function answerBody() {
  const response = await fetch(`${service.baseUrl}${company.path}`);
  return JSON.parse(await response.text());
}

async function noticeFor(...kinds: MappingKind[]): Promise<string> {
  service.scene.answer = () => ({
    outcome: 'found',
    data: Buffer.from('{}'),
    next: null,
    notices: noticesOf(kinds),
  });
  const body: { meta: { licenseNotice: string } } = await answerBody();
  return body.meta.licenseNotice;
}
const own = 'LEI data © GLEIF, published under CC0 1.0.';

describe('meta.licenseNotice', () => {
  test('is the notice of the LEI data if the body contains nothing else', async () => {
    expect(await noticeFor()).toBe(own);
  });

  test('reproduces SWIFT’s notice with the date of the table version for BIC pairs', async () => {
    expect(await noticeFor('bic')).toBe(
      `${own} SWIFT © and database rights 2024-04-26. All rights reserved. This Mapping Table has been developed by SWIFT. Any use of the Mapping Table, in whole or in part, is subject to the BIC/LEI Mapping Table License Agreement as published with the Mapping Table available on GLEIF's website. For the latest BIC information and updates, always refer to www.swift.com/bic.`,
    );
  });

  test('reproduces it for MIC pairs, dated by the publication if the table has no date', async () => {
    const notice = await noticeFor('mic');
    expect(notice).toContain('SWIFT © and database rights 2024-05-05.');
    expect(notice).toContain('MIC/LEI Mapping Table License Agreement');
    expect(notice).toContain('https://www.iso20022.org/market-identifier-codes');
    expect(notice).not.toContain('BIC');
  });

  test('names Global Energy Monitor and CC BY 4.0 for GEM pairs', async () => {
    const notice = await noticeFor('gem');
    expect(notice).toContain('Global Energy Monitor');
    expect(notice).toContain('CC BY 4.0');
  });

  test('contains all notices if the body contains all kinds of pairs', async () => {
    const notice = await noticeFor('bic', 'mic', 'gem');
    for (const part of [own, 'BIC/LEI', 'MIC/LEI', 'CC BY 4.0']) expect(notice).toContain(part);
  });

  test('uses the newest date of several tables', async () => {
    const base = manifest(firstId);
    const [bic] = base.files;
    if (bic === undefined) throw new Error('The manifest has a BIC file.');
    const dates = ['2024-04-26T00:00:00Z', '2024-05-01T00:00:00Z', null, '2024-04-30T00:00:00Z'];
    const files = dates.map((contentDate) => ({ ...bic, contentDate }));
    service.scene.active = { manifest: { ...base, files }, activatedAt: '2024-05-05T01:02:03Z' };
    expect(await noticeFor('bic')).toContain('database rights 2024-05-01.');
  });
});

describe('meta', () => {
  test('has exactly five members, all of them strings, and the envelope exactly three', async () => {
    const body = await answerBody();
    expect(Object.keys(body)).toEqual(['data', 'meta', 'links']);
    expect(Object.entries(body.meta).map(([name, value]) => `${name}: ${typeof value}`)).toEqual([
      'datasetVersion: string',
      'sourcePublishedAt: string',
      'schemaVersion: string',
      'sourceUrl: string',
      'licenseNotice: string',
    ]);
  });
});
