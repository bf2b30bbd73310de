import { describe, expect, test } from 'bun:test';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Value } from '@sinclair/typebox/value';
import { ChangeItemSchema } from '../../src/lei/change-answers.ts';
import { changesOf, company, companyOf, exception, lei, operator, relationship } from './publishing.ts';
import { recover } from './recovering.ts';

const days = ['2024-05-04T00:00:00Z', '2024-05-05T00:00:00Z', '2024-05-06T00:00:00Z'] as const;

describe('the history of a company', () => {
  test('is empty after the first load, and after a load over the sample', async () => {
    const someone = operator();
    await someone.load({ at: days[0], companies: [company(1)] }, { sample: true });
    await someone.load({ at: days[1], companies: [company(1, { city: 'LEEDS' }), company(2)] });
    const reader = await someone.open();
    for (const n of [1, 2]) expect(reader.changes(lei(n), null, 20)).toEqual({ items: [], next: null });
    expect(reader.changes(lei(3), null, 20)).toBeNull();
    await reader.close();
  });

  test('shows changes field by field, lists as a whole, newest first, with their times', async () => {
    const someone = operator();
    const first = await someone.load({ at: days[0], companies: [company(1), company(2)] });
    const second = await someone.load({
      at: days[1],
      companies: [company(1, { city: 'LEEDS', otherNames: ['GREENCARE LTD'] }), company(2)],
    });
    const third = await someone.load({
      at: days[2],
      companies: [company(1, { city: 'LEEDS', legalForm: 'ZZZZ' }), company(2)],
    });
    const reader = await someone.open();
    const name = { name: 'GREENCARE LTD', language: 'en', type: 'PREVIOUS_LEGAL_NAME' };
    expect(changesOf(reader, 1)).toEqual([
      {
        kind: 'change',
        at: days[2],
        datasetVersion: third.manifest.id,
        changes: [
          { field: 'entity.otherNames', from: [name], to: [] },
          { field: 'entity.legalForm.id', from: 'B6ES', to: 'ZZZZ' },
        ],
      },
      {
        kind: 'change',
        at: days[1],
        datasetVersion: second.manifest.id,
        changes: [
          { field: 'entity.otherNames', from: [], to: [name] },
          { field: 'entity.legalAddress.city', from: 'LONDON', to: 'LEEDS' },
          { field: 'entity.headquartersAddress.city', from: 'LONDON', to: 'LEEDS' },
        ],
      },
    ]);
    expect(changesOf(reader, 2)).toEqual([]);
    expect(companyOf(reader, 1).provenance).toMatchObject({
      firstSeen: first.manifest.id,
      lastChanged: third.manifest.id,
    });
    expect(companyOf(reader, 2).provenance).toMatchObject({
      firstSeen: first.manifest.id,
      lastChanged: first.manifest.id,
    });
    expect(companyOf(reader, 2).provenance.publishedAt).toBe(days[2]);
    for (const item of changesOf(reader, 1)) expect(Value.Check(ChangeItemSchema, item)).toBe(true);
    await reader.close();
  });

  test('shows companies that came and went, and stays readable once they are gone', async () => {
    const someone = operator();
    const lenient = { skippedGates: ['entity-count'] as const };
    await someone.load({ at: days[0], companies: [company(1), company(2)] });
    const second = await someone.load({ at: days[1], companies: [company(1), company(3)] });
    const third = await someone.load({ at: days[2], companies: [company(1)] }, lenient);
    const reader = await someone.open();
    expect(changesOf(reader, 2)).toEqual([
      { kind: 'removed', at: days[1], datasetVersion: second.manifest.id },
    ]);
    expect(changesOf(reader, 3)).toEqual([
      { kind: 'removed', at: days[2], datasetVersion: third.manifest.id },
      { kind: 'created', at: days[1], datasetVersion: second.manifest.id },
    ]);
    expect(reader.find(lei(2))).toBeNull();
    await reader.close();
  });

  test('shows relationships that came, changed and went, at both ends', async () => {
    const someone = operator();
    const companies = [company(1), company(2), company(3)];
    const lenient = { skippedGates: ['resolvable-relationships'] as const };
    await someone.load({
      at: days[0],
      companies,
      relationships: { kept: [relationship(1, 2), relationship(1, 3)] },
    });
    const second = await someone.load(
      {
        at: days[1],
        companies,
        relationships: { kept: [relationship(1, 2, { status: 'INACTIVE' }), relationship(3, 9)] },
      },
      lenient,
    );
    const reader = await someone.open();
    const item = (start: number, end: number, from: string | null, to: string | null) => ({
      kind: 'relationship-change',
      at: days[1],
      datasetVersion: second.manifest.id,
      relationship: { start: lei(start), end: lei(end), type: 'IS_DIRECTLY_CONSOLIDATED_BY' },
      changes: [{ field: 'status', from, to }],
    });
    const { changes: _, ...about } = item(1, 3, null, null);
    const removed = { ...about, kind: 'relationship-removed' };
    expect(changesOf(reader, 1)).toEqual([removed, item(1, 2, 'ACTIVE', 'INACTIVE')]);
    expect(changesOf(reader, 2)).toEqual([item(1, 2, 'ACTIVE', 'INACTIVE')]);
    expect(changesOf(reader, 3)).toEqual([removed, item(3, 9, null, 'ACTIVE')]);
    expect(reader.changes(lei(9), null, 20)).toBeNull();
    await reader.close();
  });

  test('tells relationships apart by end and type, shows a self-relation once, and skips companies without a record', async () => {
    const someone = operator();
    const companies = [company(1), company(2), company(3)];
    const type = 'IS_ULTIMATELY_CONSOLIDATED_BY';
    const kept = [relationship(1, 2), relationship(1, 2, { type }), relationship(1, 3), relationship(3, 3)];
    await someone.load({ at: days[0], companies, relationships: { kept: [...kept, relationship(1, 9)] } });
    const [same] = kept;
    if (same === undefined) throw new Error('four are made');
    const changed = [
      relationship(1, 2, { type, status: 'INACTIVE' }),
      relationship(1, 3, { status: 'INACTIVE' }),
      relationship(3, 3, { status: 'INACTIVE' }),
    ];
    await someone.load({ at: days[1], companies, relationships: { kept: [same, ...changed] } });
    const reader = await someone.open();
    const told = (n: number) =>
      changesOf(reader, n).map(({ kind, relationship: about, changes = kind }) => [about, changes]);
    const status = (to: string) => [{ field: 'status', from: 'ACTIVE', to }];
    const direct = 'IS_DIRECTLY_CONSOLIDATED_BY';
    expect(told(1)).toHaveLength(3);
    expect(told(1)).toEqual(
      expect.arrayContaining([
        [{ start: lei(1), end: lei(2), type }, status('INACTIVE')],
        [{ start: lei(1), end: lei(3), type: direct }, status('INACTIVE')],
        [{ start: lei(1), end: lei(9), type: direct }, 'relationship-removed'],
      ]),
    );
    expect(told(3).filter(([about]) => JSON.stringify(about).includes(`"start":"${lei(3)}"`))).toHaveLength(
      1,
    );
    expect(reader.changes(lei(9), null, 20)).toBeNull();
    await reader.close();
  });

  test('shows reporting exceptions under their category, without an end', async () => {
    const someone = operator();
    const companies = [company(1)];
    await someone.load({ at: days[0], companies, exceptions: { kept: [exception(1, 'direct', 'NO_LEI')] } });
    await someone.load({
      at: days[1],
      companies,
      exceptions: {
        kept: [exception(1, 'direct', 'NON_PUBLIC'), exception(1, 'ultimate', 'NO_KNOWN_PERSON')],
      },
    });
    await someone.load({
      at: days[2],
      companies,
      exceptions: { kept: [exception(1, 'direct', 'NON_PUBLIC')] },
    });
    const reader = await someone.open();
    const told = changesOf(reader, 1).map(({ relationship: about, changes }) => ({ about, changes }));
    const about = (category: string) => ({
      start: lei(1),
      end: null,
      type: `${category}_ACCOUNTING_CONSOLIDATION_PARENT`,
    });
    expect(told).toEqual([
      { about: about('ULTIMATE'), changes: [{ field: 'reasons', from: ['NO_KNOWN_PERSON'], to: null }] },
      { about: about('ULTIMATE'), changes: [{ field: 'reasons', from: null, to: ['NO_KNOWN_PERSON'] }] },
      { about: about('DIRECT'), changes: [{ field: 'reasons', from: ['NO_LEI'], to: ['NON_PUBLIC'] }] },
    ]);
    await reader.close();
  });

  test('shows exceptions that were removed together with their company', async () => {
    const someone = operator();
    await someone.load({
      at: days[0],
      companies: [company(1), company(2)],
      exceptions: { kept: [exception(1, 'direct', 'NO_LEI'), exception(2, 'direct', 'NON_PUBLIC')] },
    });
    await someone.load(
      {
        at: days[1],
        companies: [company(2)],
        exceptions: { kept: [exception(2, 'direct', 'NON_PUBLIC')] },
      },
      { skippedGates: ['entity-count'] },
    );
    const reader = await someone.open();
    expect(changesOf(reader, 1).map(({ kind, changes }) => ({ kind, changes }))).toEqual([
      { kind: 'removed', changes: undefined },
      { kind: 'relationship-change', changes: [{ field: 'reasons', from: ['NO_LEI'], to: null }] },
    ]);
    expect(changesOf(reader, 2)).toEqual([]);
    await reader.close();
  });

  test('shows no change for exceptions that remain after their company or never had one', async () => {
    const someone = operator();
    const kept = [exception(2, 'direct', 'NO_LEI')];
    await someone.load({ at: days[0], companies: [company(1), company(2)], exceptions: { kept } });
    await someone.load({
      at: days[1],
      companies: [company(1)],
      exceptions: { kept: [...kept, exception(3, 'direct', 'NO_LEI')] },
    });
    const reader = await someone.open();
    expect(changesOf(reader, 2).map(({ kind }) => kind)).toEqual(['removed']);
    expect(reader.changes(lei(3), null, 20)).toBeNull();
    await reader.close();
  });

  test('treats a kind of file that a load lacks as unknown, not as removed', async () => {
    const someone = operator();
    const companies = [company(1), company(2)];
    await someone.load({
      at: days[0],
      companies,
      relationships: { kept: [relationship(1, 2)] },
      exceptions: { kept: [exception(1, 'direct', 'NO_LEI')] },
    });
    await someone.load({ at: days[1], companies });
    const reader = await someone.open();
    expect(changesOf(reader, 1)).toEqual([]);
    await reader.close();
  });

  test('is read page by page without skipping or repeating an item', async () => {
    const someone = operator();
    for (let step = 0; step < 7; step++) {
      await someone.load({
        at: `2024-05-0${step + 1}T00:00:00Z`,
        companies: [company(1, { city: `CITY ${step}` }), company(2)],
      });
    }
    const reader = await someone.open();
    const pages: number[] = [];
    const items: string[] = [];
    let after: string | null = null;
    do {
      const page = reader.changes(lei(1), after, 4);
      pages.push(page?.items.length ?? 0);
      items.push(...(page?.items ?? []));
      after = page?.next ?? null;
    } while (after !== null);
    expect(pages).toEqual([4, 2]);
    expect(items).toEqual(changesOf(reader, 1).map((item) => JSON.stringify(item)));
    expect(new Set(items).size).toBe(6);
    await reader.close();
  });
});

describe('snapshots from older files', () => {
  const old = ['2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z', '2022-01-01T00:00:00Z'] as const;

  test('are recovered in any order of files, and only if they differ from what is known', async () => {
    const someone = operator();
    await someone.load({ at: days[0], companies: [company(1, { city: 'LEEDS' }), company(2)] });
    const history = await recover(someone, [
      { at: old[2], companies: [company(1, { city: 'YORK' }), company(2)] },
      { at: old[0], companies: [company(1, { city: 'BATH' }), company(2), company(5)] },
      { at: old[1], companies: [company(1, { city: 'BATH' }), company(2)] },
    ]);
    const reader = await someone.open();
    expect(history.manifest.counts).toMatchObject({ snapshots: 3, changes: 0, entities: 2 });
    expect(changesOf(reader, 1).map(({ kind, at, record }) => [kind, at, cityOf(record)])).toEqual([
      ['snapshot', old[2], 'YORK'],
      ['snapshot', old[0], 'BATH'],
    ]);
    expect(changesOf(reader, 2)).toEqual([]);
    expect(changesOf(reader, 5)).toHaveLength(1);
    expect(companyOf(reader, 1).entity.legalAddress.city).toBe('LEEDS');
    for (const item of changesOf(reader, 1)) expect(Value.Check(ChangeItemSchema, item)).toBe(true);
    await reader.close();
  });

  test('are not written twice, nor for states that recorded changes already show', async () => {
    const someone = operator();
    await someone.load({ at: days[0], companies: [company(1, { city: 'LEEDS' })] });
    await someone.load({ at: days[2], companies: [company(1, { city: 'YORK' })] });
    const early = { at: old[0], companies: [company(1, { city: 'BATH' })] };
    const between = { at: days[1], companies: [company(1, { city: 'LEEDS' })] };
    // The file of the first load, which is beside the older files.
    const loaded = { ...between, at: days[0] };
    for (let time = 0; time < 2; time++) {
      const { manifest } = await recover(someone, [early, loaded, between]);
      expect(manifest.counts).toMatchObject({ snapshots: 1, changes: 1 });
    }
  });

  test('use the latest record if a file has a company twice, in either order', async () => {
    const someone = operator();
    await someone.load({ at: days[0], companies: [company(1, { updated: '2019-01-01T00:00:00Z' })] });
    await someone.load({ at: days[2], companies: [company(1, { updated: '2024-05-05T10:00:00Z' })] });
    const outdated = company(1, { city: 'BATH', updated: '2018-01-01T00:00:00Z' });
    const known = company(1, { updated: '2019-01-01T00:00:00Z' });
    for (const companies of [
      [known, outdated],
      [outdated, known, outdated],
    ]) {
      const { manifest } = await recover(someone, [
        { at: old[0], companies },
        // Files of the same time, as when a publication comes in parts.
        { at: old[0], companies: [outdated] },
        { at: days[1], companies },
      ]);
      expect(manifest.counts.snapshots).toBe(0);
    }
    const news = company(1, { city: 'YORK', updated: '2018-06-01T00:00:00Z' });
    await recover(someone, [
      { at: old[1], companies: [outdated, news, outdated] },
      { at: old[2], companies: [news, outdated] },
      { at: '2022-06-01T00:00:00Z', companies: [news] },
    ]);
    const reader = await someone.open();
    const snapshots = changesOf(reader, 1).filter(({ kind }) => kind === 'snapshot');
    expect(snapshots.map(({ at, record }) => [at, cityOf(record)])).toEqual([[old[1], 'YORK']]);
    await reader.close();
  });

  test('are the known state from their time on, like a recorded change', async () => {
    const someone = operator();
    for (const [day, city] of ['LEEDS', 'YORK', 'HULL'].entries()) {
      await someone.load({ at: days[day] ?? '', companies: [company(1, { city })] });
    }
    const { manifest } = await recover(someone, [
      { at: old[0], companies: [company(1, { city: 'BATH' })] },
      { at: old[1], companies: [company(1, { city: 'DOVER' })] },
      { at: old[2], companies: [company(1, { city: 'DOVER' })] },
      { at: days[1], companies: [company(1, { city: 'YORK' })] },
      { at: days[1].replace('T00', 'T12'), companies: [company(1, { city: 'YORK' })] },
    ]);
    expect(manifest.counts).toMatchObject({ snapshots: 2, changes: 2 });
  });

  test('are not written for a company of which only a relationship has changed since', async () => {
    const someone = operator();
    const companies = [company(1), company(2)];
    for (const [day, status] of ['ACTIVE', 'INACTIVE'].entries()) {
      const kept = [relationship(1, 2, { status })];
      await someone.load({ at: days[day] ?? '', companies, relationships: { kept } });
    }
    const { manifest } = await recover(someone, [{ at: days[0].replace('T00', 'T12'), companies }]);
    expect(manifest.counts).toMatchObject({ snapshots: 0, changes: 2 });
  });

  test('are written for the time before a company was removed, even if it came back unchanged', async () => {
    const someone = operator();
    for (const companies of [[company(1), company(2)], [company(2)], [company(1), company(2)]]) {
      await someone.load({ at: days[0], companies }, { skippedGates: ['entity-count'] });
    }
    const { manifest } = await recover(someone, [{ at: old[0], companies: [company(1), company(2)] }]);
    expect(manifest.counts.snapshots).toBe(1);
  });

  test('survive the next full load and the next delta', async () => {
    const someone = operator();
    await someone.load({ at: days[0], companies: [company(1, { city: 'LEEDS' })] });
    const history = await recover(someone, [{ at: old[0], companies: [company(1, { city: 'BATH' })] }]);
    await someone.load({ at: days[1], companies: [company(1, { city: 'YORK' })] });
    await someone.load(
      { at: days[2], since: days[1], companies: [company(1, { city: 'HULL' })] },
      { delta: true },
    );
    const reader = await someone.open();
    expect(changesOf(reader, 1).map(({ kind }) => kind)).toEqual(['change', 'change', 'snapshot']);
    expect(changesOf(reader, 1)[2]).toMatchObject({
      source: '20200101-0000-gleif-goldencopy-lei2.xml',
      record: {
        lei: lei(1),
        provenance: {
          publishedAt: old[0],
          file: '20200101-0000-gleif-goldencopy-lei2.xml',
          firstSeen: history.manifest.id,
          lastChanged: history.manifest.id,
        },
      },
    });
    await reader.close();
  });

  test('come from older level 1 files only', async () => {
    const someone = operator();
    await someone.load({ at: days[0], companies: [company(1)] });
    await expect(recover(someone, [{ at: days[1], companies: [company(1)] }])).rejects.toMatchObject({
      code: 'not-older',
    });
    await expect(recover(someone, [{ at: old[0], isins: [] }])).rejects.toMatchObject({
      code: 'not-level-1',
    });
    const undated = join(someone.dataDir, 'old.csv');
    writeFileSync(undated, `LEI,Entity.LegalName\n${lei(1)},Old\n`);
    await expect(someone.loadFiles([undated], { purpose: 'history' })).rejects.toMatchObject({
      code: 'no-source-time',
      message: expect.stringContaining('20220101-0800-old.csv'),
    });
    const dated = join(someone.dataDir, '20220101-0800-old.csv');
    renameSync(undated, dated);
    expect((await someone.loadFiles([dated], { purpose: 'history' })).manifest.counts.snapshots).toBe(1);
  });
});

function cityOf(record: unknown): unknown {
  const json: { entity?: { legalAddress?: { city?: unknown } } } = JSON.parse(JSON.stringify(record));
  return json.entity?.legalAddress?.city;
}
