/** Tests the checks of a finished build before it may be sealed: nothing was lost on the way into its tables. */
import { describe, expect, test } from 'bun:test';
import type { LegalEntityRecord } from '../../../src/lei/company.ts';
import { openForBuilding, syncAndClose } from '../../../src/lmdb.ts';
import { createSamples, verifyCounts, verifyTables } from '../../../src/loader/process/verify-build.ts';
import { layout } from '../../../src/publication/layout.ts';
import { openTables } from '../../../src/store/tables.ts';
import { company, exception, operator, relationship } from '../publishing.ts';

const full = {
  at: '2024-05-04T00:00:00Z',
  companies: [company(1), company(2)],
  relationships: { kept: [relationship(1, 2)] },
  exceptions: { kept: [exception(2, 'direct', 'NO_LEI')] },
};

describe('a build of a full set', () => {
  test('that holds more or fewer records than its files brought is discarded', async () => {
    const { manifest } = await operator().load(full);
    const { counts } = manifest;
    const keys = { 'level-1': 2, relationships: 1, 'reporting-exceptions': 1 };
    const judge = (differing: Partial<typeof keys>) => () =>
      verifyCounts(counts, { keys: { ...keys, ...differing }, deleted: 0 });
    expect(judge({})).not.toThrow();
    for (const [kind, what] of [
      ['level-1', '2 companies'],
      ['relationships', '1 relationships'],
      ['reporting-exceptions', '1 reporting exceptions'],
    ] as const) {
      for (const brought of [0, 3]) {
        const message = `The finished publication failed its verification: it holds ${what}, but its files hold ${brought}. It was deleted.`;
        const refused = expect.objectContaining({ code: 'verification', message });
        expect(judge({ [kind]: brought })).toThrow(refused);
      }
    }
  });

  test('may hold fewer if one of its files calls itself a delta and deletes records', async () => {
    const relationships = { kept: [relationship(1, 2), relationship(2, 1)], deleted: [relationship(1, 2)] };
    const since = '2024-05-03T00:00:00Z';
    const { deleted, manifest } = await operator().load({ ...full, since, relationships });
    expect({ deleted, left: manifest.counts.relationships }).toEqual({ deleted: 1, left: 1 });
  });
});

test('a build whose tables disagree with its counts is discarded', async () => {
  const someone = operator();
  const { id } = (await someone.load(full)).manifest;
  const folder = layout(someone.dataDir).publication(id);
  await verifyTables(folder, id);
  const environment = openForBuilding(folder);
  openTables(environment).changes.putSync(Buffer.from('one more'), '{}');
  await syncAndClose(environment);
  await expect(verifyTables(folder, id)).rejects.toMatchObject({
    code: 'verification',
    message: expect.stringContaining('there are 1 changes and snapshots, but 0 were expected'),
  });
});

describe('samples of a load', () => {
  const noted = (...records: readonly LegalEntityRecord[]) => {
    const samples = createSamples();
    for (const record of records) samples.note({ kind: 'level-1', record }, 'stored');
    return samples;
  };

  test('number a few hundred for any number of rows, evenly spaced', () => {
    const records = Array.from({ length: 1000 }, (_, index) => company(index));
    const places = noted(...records)
      .companies()
      .map((record) => records.indexOf(record));
    expect(places.length).toBeWithin(128, 257);
    const distances = places.slice(1).map((place, index) => place - (places[index] ?? 0));
    expect([places[0], new Set(distances).size]).toEqual([0, 1]);
  });

  test('contain the last record of a company that occurs again', () => {
    const records = Array.from({ length: 301 }, (_, index) => company(index));
    const samples = noted(...records);
    const moved = company(0, { city: 'LEEDS' });
    samples.note({ kind: 'level-1', record: company(2, { city: 'YORK' }) }, 'superseded');
    samples.note({ kind: 'level-1', record: moved }, 'replaced');
    expect(samples.companies().slice(0, 2)).toEqual([moved, company(2)]);
  });
});
