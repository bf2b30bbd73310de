import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { verifySealed } from '../../src/loader/command/verify/verify-sealed.ts';
import { layout } from '../../src/publication/layout.ts';
import { readManifest } from '../../src/publication/sealed.ts';
import { runs } from '../support/runs.ts';
import {
  answersOf,
  changesOf,
  company,
  companyOf,
  exception,
  isin,
  lei,
  operator,
  publish,
  relationship,
} from './publishing.ts';
import {
  dayNumber,
  dayOne,
  dayTwo,
  deltaBetween,
  following,
  fullSet,
  identifiers,
  numbers,
  type World,
  world,
} from './worlds.ts';

/** Neither gate concerns what a delta does. */
const lenient = { skippedGates: ['entity-count', 'resolvable-relationships'] as const };

describe('a delta', () => {
  test('leads from one full set to the next: same answers, same history except versions', async () => {
    await fc.assert(
      fc.asyncProperty(world, world, async (first, second) => {
        const next = following(first, second);
        const byDelta = operator();
        await byDelta.load(fullSet(dayOne, first));
        await byDelta.load(deltaBetween(first, next), { delta: true, ...lenient });
        const byFullSet = operator();
        await byFullSet.load(fullSet(dayOne, first));
        await byFullSet.load(fullSet(dayTwo, next), lenient);
        const [one, other] = [await byDelta.open(), await byFullSet.open()];
        const history = (reader: typeof one) =>
          numbers.map((n) =>
            changesOf(reader, n)
              .map((item) => JSON.stringify({ ...item, datasetVersion: '' }))
              .sort(),
          );
        try {
          expect(answersOf(one, numbers, identifiers)).toEqual(answersOf(other, numbers, identifiers));
          expect(history(one)).toEqual(history(other));
        } finally {
          await one.close();
          await other.close();
        }
      }),
      { numRuns: runs(3) },
    );
  });

  const others = runs(10);

  test(`after ${others} others gives the same as a full set of the same records`, async () => {
    const everyName = ['Company Number 1 Limited', 'Renamed GmbH', 'Société Générale', '日本 "電気"'];
    const companies = new Map(numbers.map((n) => [n, company(n, { name: everyName[n % 4] ?? '' })]));
    await fc.assert(
      fc.asyncProperty(fc.array(world, { minLength: others, maxLength: others }), async (days) => {
        const first: World = {
          companies,
          relationships: new Map(),
          exceptions: new Map(),
          isins: [],
          bics: [],
          ocids: [],
        };
        const byDeltas = operator();
        await byDeltas.load(fullSet(dayOne, first));
        let before = first;
        for (const [index, day] of days.entries()) {
          const after = following(before, day);
          const delta = deltaBetween(before, after, dayNumber(index + 1), dayNumber(index));
          await byDeltas.load(delta, { delta: true, ...lenient });
          before = after;
        }
        // Each delta changed the index and the company file that it was given.
        expect(byDeltas.messages.filter((message) => message.includes('built anew'))).toEqual([]);
        const byFullSet = operator();
        const full = await byFullSet.load(fullSet(dayNumber(days.length), before));
        const [one, other] = [await byDeltas.open(), await byFullSet.open()];
        expect(answersOf(one, numbers, identifiers)).toEqual(answersOf(other, numbers, identifiers));
        const paths = layout(byDeltas.dataDir);
        expect(await verifySealed(paths, one.id, () => {})).toMatchObject({ problems: [] });
        const { counts, countries, resolvableRelationships } = full.manifest;
        expect(readManifest(paths, one.id)).toMatchObject({
          outcome: 'sound',
          manifest: {
            resolvableRelationships,
            countries,
            counts: { ...counts, changes: expect.any(Number) },
          },
        });
        await one.close();
        await other.close();
      }),
      { numRuns: 1 },
    );
  });

  test('keeps everything it does not mention', async () => {
    const someone = operator();
    const { lei: ofOne, exception: plain } = exception(1, 'direct', 'NO_LEI');
    const withReference = { lei: ofOne, exception: { ...plain, references: ['Section 7'] } };
    await someone.load({
      at: dayOne,
      companies: [company(1), company(2)],
      relationships: { kept: [relationship(1, 2)] },
      exceptions: { kept: [exception(2, 'direct', 'NO_LEI'), withReference] },
      isins: [[1, isin(1)]],
      bics: [[1, 'TESTGB2LXXX']],
    });
    await someone.load(
      { at: dayTwo, since: dayOne, companies: [company(2, { city: 'LEEDS' })] },
      { delta: true },
    );
    const reader = await someone.open();
    expect(companyOf(reader, 1).entity.legalAddress.city).toBe('LONDON');
    expect(companyOf(reader, 2).entity.legalAddress.city).toBe('LEEDS');
    expect(companyOf(reader, 1).mappings.isin).toEqual({ count: 1, first: [isin(1)] });
    expect(reader.relationships(reader.find(lei(1))?.entity ?? 0).asStart).toHaveLength(1);
    const references = (n: number) =>
      JSON.parse(reader.exceptions(reader.find(lei(n))?.entity ?? 0).direct ?? '').references;
    expect([references(1), references(2)]).toEqual([['Section 7'], []]);
    expect(
      reader.search.search({ q: 'TESTGB2L', country: null, status: null, after: null, limit: 20 }),
    ).toMatchObject({
      total: 1,
      hits: [{ entity: reader.find(lei(1))?.entity }],
    });
    await reader.close();
  });

  test('replaces the list of markets where it brings one', async () => {
    const someone = operator();
    const list = (day: string, ...mics: readonly string[]) => {
      const path = join(someone.dataDir, `ISO10383_MIC-${day}.csv`);
      writeFileSync(path, `MIC,OPERATING_MIC\n${mics.map((mic) => `${mic},${mic}\n`).join('')}`);
      return path;
    };
    const full = publish(someone.dataDir, { at: dayOne, companies: [company(1)] });
    await someone.loadFiles([...full, list('20240504', 'XAAA', 'XBBB')]);
    await someone.loadFiles([list('20240505', 'XBBB', 'XCCC')], { delta: true });
    const reader = await someone.open();
    const known = ['XAAA', 'XBBB', 'XCCC'].filter((mic) => reader.micListEntry(mic) !== null);
    expect(known).toEqual(['XBBB', 'XCCC']);
    await reader.close();
  });

  test('whose window does not reach back to the active publication is refused, and nothing changes', async () => {
    const someone = operator();
    const { manifest } = await someone.load({ at: dayOne, companies: [company(1)] });
    const late = {
      at: '2024-05-07T00:00:00Z',
      since: '2024-05-06T00:00:00Z',
      companies: [company(1, { city: 'LEEDS' })],
    };
    await expect(someone.load(late, { delta: true })).rejects.toMatchObject({
      code: 'delta-window',
      message: expect.stringContaining(
        'holds the changes since 2024-05-06T00:00:00Z, but the active publication is of 2024-05-04T00:00:00Z',
      ),
    });
    const reader = await someone.open();
    expect(reader.id).toBe(manifest.id);
    await reader.close();
  });

  test('may continue another delta of the same load, in any order', async () => {
    const someone = operator();
    await someone.load({ at: dayOne, companies: [company(1), company(2)] });
    const dayThree = '2024-05-06T00:00:00Z';
    const second = publish(someone.dataDir, {
      at: dayTwo,
      since: dayOne,
      companies: [company(1, { city: 'LEEDS' }), company(2, { city: 'LEEDS' })],
    });
    const third = publish(someone.dataDir, {
      at: dayThree,
      since: dayTwo,
      companies: [company(1, { city: 'YORK' })],
    });
    await expect(someone.loadFiles(third, { delta: true })).rejects.toMatchObject({ code: 'delta-window' });
    const tooLate = publish(someone.dataDir, { at: '2024-05-09T00:00:00Z', since: dayThree, companies: [] });
    await expect(someone.loadFiles([...second, ...tooLate], { delta: true })).rejects.toMatchObject({
      message: expect.stringContaining(`but the one to be applied before it is of ${dayTwo}`),
    });
    const { manifest } = await someone.loadFiles([...third, ...second], { delta: true });
    expect(manifest.sourcePublishedAt).toBe(dayThree);
    const reader = await someone.open();
    const cities = [1, 2].map((n) => companyOf(reader, n).entity.legalAddress.city);
    expect(cities).toEqual(['YORK', 'LEEDS']);
    await reader.close();
  });

  test('needs a publication that is not the bundled sample', async () => {
    const someone = operator();
    const delta = { at: dayTwo, since: dayOne, companies: [company(1)] };
    await expect(someone.load(delta, { delta: true })).rejects.toMatchObject({ code: 'nothing-to-build-on' });
    await someone.load({ at: dayOne, companies: [company(1)] }, { sample: true });
    await expect(someone.load(delta, { delta: true })).rejects.toMatchObject({ code: 'nothing-to-build-on' });
  });

  test('continues another delta, and one that deleted relationships, which are counted', async () => {
    const someone = operator();
    await someone.load({
      at: dayOne,
      companies: [company(1), company(2), company(3)],
      relationships: { kept: [relationship(1, 2), relationship(2, 3), relationship(3, 1)] },
      exceptions: { kept: [exception(2, 'direct', 'NO_LEI')] },
    });
    const second = await someone.load(
      {
        at: dayTwo,
        since: dayOne,
        relationships: { kept: [relationship(1, 3)], deleted: [relationship(1, 2), relationship(3, 1)] },
        exceptions: { deleted: [exception(2, 'direct', 'NO_LEI')] },
      },
      { delta: true, ...lenient },
    );
    expect(second).toMatchObject({ deleted: 3, superseded: 0 });
    await someone.load(
      {
        at: '2024-05-06T00:00:00Z',
        since: dayTwo,
        relationships: { kept: [relationship(1, 2)], deleted: [relationship(2, 3)] },
      },
      { delta: true, ...lenient },
    );
    const reader = await someone.open();
    const parents = reader
      .relationships(reader.find(lei(1))?.entity ?? 0)
      .asStart.map(({ end }) => reader.summary(end).lei);
    expect(parents.sort()).toEqual([lei(2), lei(3)]);
    expect(reader.relationships(reader.find(lei(2))?.entity ?? 0).asStart).toEqual([]);
    expect(reader.exceptions(reader.find(lei(2))?.entity ?? 0).direct).toBeNull();
    await reader.close();
  });

  test('compares times within one load only: its records replace those of the active publication, however old', async () => {
    const someone = operator();
    const all = [relationship(1, 2), relationship(2, 3), relationship(3, 1)];
    await someone.load({
      at: dayOne,
      companies: [company(1), company(2), company(3)],
      relationships: { kept: all },
    });
    const [gone, restored, stale] = all;
    if (gone === undefined || restored === undefined || stale === undefined)
      throw new Error('three are made');
    const older = relationship(3, 1, { status: 'INACTIVE', updated: '2020-01-01T00:00:00Z' });
    const later = relationship(2, 3, { updated: '2024-05-05T12:00:00Z' });
    const first = { at: dayTwo, since: dayOne, relationships: { kept: [older], deleted: [gone, restored] } };
    const second = { at: '2024-05-06T00:00:00Z', since: dayTwo, relationships: { kept: [gone, later] } };
    const files = [...publish(someone.dataDir, first), ...publish(someone.dataDir, second)];
    const outcome = await someone.loadFiles(files, { delta: true, ...lenient });
    expect(outcome).toMatchObject({ deleted: 2, superseded: 2, manifest: { counts: { relationships: 2 } } });
    const reader = await someone.open();
    const statuses = (n: number) =>
      reader.relationships(reader.find(lei(n))?.entity ?? 0).asStart.map(({ status }) => status);
    expect([1, 2, 3].map(statuses)).toEqual([[], ['ACTIVE'], ['INACTIVE']]);
    await reader.close();
  });

  test('may restate a relationship of the active publication before it deletes it', async () => {
    const someone = operator();
    const companies = [company(1), company(2), company(3)];
    const all = [relationship(1, 2), relationship(2, 3)];
    const first = await someone.load({ at: dayOne, companies, relationships: { kept: all } });
    expect(first.manifest.counts.relationships).toBe(2);
    const restated = relationship(1, 2, { status: 'INACTIVE' });
    // Nobody has ever seen it.
    const passing = relationship(1, 3);
    const { manifest } = await someone.load(
      {
        at: dayTwo,
        since: dayOne,
        relationships: { kept: [restated, passing], deleted: [restated, passing] },
      },
      { delta: true, ...lenient },
    );
    expect(manifest.counts.relationships).toBe(1);
    const reader = await someone.open();
    expect(reader.relationships(reader.find(lei(1))?.entity ?? 0).asStart).toEqual([]);
    expect(changesOf(reader, 1)).toMatchObject([
      { kind: 'relationship-removed', relationship: { start: lei(1), end: lei(2) } },
    ]);
    await reader.close();
  });

  test('of thousands of companies, whose index changes in a thread of its own, gives the same as a full set', async () => {
    const some = Array.from({ length: 2_100 }, (_, index) => index + 1);
    const renamed = some.map((n) =>
      company(n, { name: `Renamed ${n % 50} Number Limited`, status: n % 200 === 0 ? 'LAPSED' : 'ISSUED' }),
    );
    const byDelta = operator();
    await byDelta.load({ at: dayOne, companies: some.map((n) => company(n)) });
    await byDelta.load({ at: dayTwo, since: dayOne, companies: renamed }, { delta: true, ...lenient });
    const byFullSet = operator();
    await byFullSet.load({ at: dayTwo, companies: renamed });
    const [one, other] = [await byDelta.open(), await byFullSet.open()];
    const found = ({ search }: typeof one) =>
      ['company number', 'renamed 7', 'number limted', lei(400)].map((q) =>
        search.search({ q, country: null, status: null, after: null, limit: 100 }),
      );
    expect(byDelta.messages).toEqual([]);
    expect(found(one)).toEqual(found(other));
    expect(answersOf(one, [1, 200, 2_100], [])).toEqual(answersOf(other, [1, 200, 2_100], []));
    expect(changesOf(one, 200)).toMatchObject([{ kind: 'change' }]);
    await one.close();
    await other.close();
  });
});
