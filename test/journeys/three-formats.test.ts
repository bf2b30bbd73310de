/**
 * Tests that the JSON, the XML and the CSV of a publication give the same answers.
 *
 * The records of the fixtures have no element more than five times. CSV would contain the first five only: see
 * test/loader/parse/three-formats.test.ts.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { fixtures, level1Records, readFixture } from '../loader/parse/reading.ts';
import { operator } from '../loader/publishing.ts';
import { startTestService, type TestService } from '../support/service.ts';

const formats = ['json', 'xml', 'csv'] as const;
const fileOf = (format: string) => `20240505-0000-gleif-goldencopy-lei2-intra-day.${format}.zip`;

/** A service over one file only. */
async function serveFile(format: string): Promise<TestService> {
  const { dataDir, loadFiles } = operator();
  await loadFiles([join(fixtures, fileOf(format))]);
  return startTestService({ dataDir });
}

/** The answer to a path, without what identifies its publication. */
async function answer(service: TestService, path: string): Promise<unknown> {
  const response = await service.fetch(path);
  const { data } = (await response.json()) as { data: Record<string, unknown> };
  const { provenance: _, ...rest } = data;
  return { status: response.status, ...rest };
}

describe('services over the JSON, the XML and the CSV of one publication', () => {
  let services: TestService[] = [];
  beforeAll(async () => {
    services = await Promise.all(formats.map(serveFile));
  });
  afterAll(() => Promise.all(services.map((service) => service.stop())));

  async function answersTo(path: string): Promise<unknown[]> {
    return Promise.all(services.map((service) => answer(service, path)));
  }

  test('answer alike for each of the 364 companies', async () => {
    const records = level1Records(await readFixture(fileOf('json')));
    expect(records).toHaveLength(364);
    for (const { lei, entity } of records) {
      const [json, xml, csv] = await answersTo(`/api/v1/lei/${lei}`);
      expect(json).toMatchObject({ status: 200, lei, entity: { legalName: entity.legalName } });
      expect(xml).toEqual(json);
      expect(csv).toEqual(json);
    }
  });

  test('find the same companies in the same order', async () => {
    for (const query of [
      'q=fund',
      'q=holding&limit=100',
      'q=s.r.o.',
      'q=gmbh&country=DE',
      'q=ca&status=LAPSED',
    ]) {
      const [json, xml, csv] = await answersTo(`/api/v1/search?${query}`);
      expect(json).toMatchObject({ status: 200 });
      expect(xml).toEqual(json);
      expect(csv).toEqual(json);
    }
  });
});
