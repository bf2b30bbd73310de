/** Tests the gates between a finished build and its sealing: refusals by name, and mere warnings. */
import { describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { LegalEntityRecord } from '../../src/lei/company.ts';
import { gateDefaults } from '../../src/loader/load-request.ts';
import { passGates } from '../../src/loader/process/gates.ts';
import { createSamples, failedCanaries, misreadSample } from '../../src/loader/process/verify-build.ts';
import type { SourceRow } from '../../src/loader/rows.ts';
import { layout } from '../../src/publication/layout.ts';
import { readManifest } from '../../src/publication/sealed.ts';
import { csv } from './parse/reading.ts';
import {
  bic,
  company,
  companyOf,
  exception,
  isin,
  lei,
  operator,
  publish,
  relationship,
} from './publishing.ts';

const day = '2024-05-04T00:00:00Z';

describe('gates', () => {
  const many = Array.from({ length: 100 }, (_, index) => company(index + 1));

  test('refuse a set with under 95 % of the active companies, unless skipped', async () => {
    const someone = operator();
    await someone.load({ at: day, companies: many });
    const fewer = { at: '2024-05-05T00:00:00Z', companies: many.slice(0, 94) };
    await expect(someone.load(fewer)).rejects.toMatchObject({
      code: 'gate',
      message: expect.stringMatching(
        /Gate entity-count refused.* has 94 entities; .*at least 95 were expected \(lei load FILE… --skip-gate entity-count/,
      ),
    });
    await someone.load({ ...fewer, companies: many.slice(0, 95) });
    const { manifest } = await someone.load(
      { ...fewer, companies: many.slice(0, 50) },
      { skippedGates: ['entity-count'] },
    );
    expect(manifest.counts.entities).toBe(50);
  });

  test('refuse a set with clearly fewer relationships whose both ends have a record', async () => {
    const someone = operator();
    const resolvable = many.slice(1).map((_, index) => relationship(1, index + 2));
    await someone.load({ at: day, companies: many, relationships: { kept: resolvable } });
    const dangling = [relationship(1, 500), relationship(1, 501)];
    await expect(
      someone.load({ at: day, companies: many, relationships: { kept: [...resolvable, ...dangling] } }),
    ).rejects.toMatchObject({
      code: 'gate',
      message: expect.stringContaining('Gate resolvable-relationships'),
    });
    await someone.load({
      at: day,
      companies: many,
      relationships: { kept: [...resolvable, ...dangling.slice(1)] },
    });
  });

  test('compare relationships only if both sets have any', async () => {
    const someone = operator();
    await someone.load({ at: day, companies: many });
    const kept = [relationship(1, 2), relationship(1, 500)];
    await someone.load({ at: day, companies: many, relationships: { kept } });
    // Half of them have a record at both ends, as in the current active publication.
    await someone.load({ at: day, companies: many, relationships: { kept } });
    const { manifest } = await someone.load({ at: day, companies: many, relationships: { kept: [] } });
    expect(manifest.counts.relationships).toBe(0);
  });

  test('only warn while the active publication has a handful of companies', async () => {
    const someone = operator();
    const few = many.slice(0, 99);
    const relationships = { kept: [relationship(1, 2)] };
    await someone.load({ at: day, companies: few, relationships });
    const { manifest } = await someone.load({ at: day, companies: few.slice(1, 50), relationships });
    expect(manifest.counts.entities).toBe(49);
    expect(someone.messages.filter((message) => message.endsWith('this gate only warns.'))).toEqual([
      expect.stringMatching(
        /^Warning: it has 49 entities; .* at least 95 were expected; the active publication has fewer than 100 companies/,
      ),
      expect.stringContaining('of its relationships have a record at both ends'),
    ]);
  });

  test('never take the bundled sample as a baseline', async () => {
    const someone = operator();
    await someone.load({ at: day, companies: many }, { sample: true });
    const { manifest } = await someone.load({ at: day, companies: many.slice(0, 2) });
    expect(manifest).toMatchObject({ basedOn: null, counts: { entities: 2, changes: 0 } });
  });

  test('refuse to build on a publication of a newer format, and name the format', async () => {
    const someone = operator();
    const { manifest } = await someone.load({ at: day, companies: many });
    const paths = layout(someone.dataDir);
    writeFileSync(paths.manifest(manifest.id), JSON.stringify({ ...manifest, formatVersion: 99 }));
    expect(readManifest(paths, manifest.id).outcome).toBe('newer-format');
    await expect(someone.load({ at: day, companies: many })).rejects.toMatchObject({
      code: 'active-unreadable',
      message: expect.stringContaining(`Publication ${manifest.id} has format 99`),
    });
  });
});

describe('a level 1 file whose name column has another heading', () => {
  const renamedColumn = (someone: ReturnType<typeof operator>) => {
    const columns = ['LEI', 'Entity.Name', 'Entity.EntityStatus', 'Registration.RegistrationStatus'];
    const rows = Array.from({ length: 20 }, (_, index) => ({
      LEI: lei(index + 1),
      'Entity.Name': `Company Number ${index + 1} Limited`,
      'Entity.EntityStatus': 'ACTIVE',
      'Registration.RegistrationStatus': 'ISSUED',
    }));
    const path = join(someone.dataDir, '20240504-0000-gleif-goldencopy-lei2.csv');
    mkdirSync(someone.dataDir, { recursive: true });
    writeFileSync(path, csv(columns, ...rows));
    return [path];
  };

  test('is refused even if few companies are active, because no company could be found by name', async () => {
    const someone = operator();
    await someone.load({ at: day, companies: [company(1)] });
    await expect(someone.loadFiles(renamedColumn(someone))).rejects.toMatchObject({
      code: 'gate',
      message: expect.stringMatching(
        /^Gate company-names refused.* 0 of 20 sampled companies have a legal name/,
      ),
    });
    expect(someone.messages.join('\n')).toContain('Entity.LegalName');
  });

  test('is loaded with a message if its gate is skipped', async () => {
    const someone = operator();
    const { manifest } = await someone.loadFiles(renamedColumn(someone), { skippedGates: ['company-names'] });
    expect(manifest.counts.entities).toBe(20);
    expect(someone.messages.join('\n')).toContain('Gate company-names was skipped: 0 of 20');
  });
});

test('a build whose samples read back wrong is refused by each gate that checks them', async () => {
  const someone = operator();
  const relationships = { kept: [relationship(1, 2)] };
  const { manifest } = await someone.load({
    at: day,
    companies: [company(1), company(2)],
    relationships,
    isins: [[1, isin(1)]],
    // Stored, and therefore looked up, as the BIC of its head office.
    bics: [[2, 'TESTGB2L']],
  });
  const reader = await someone.open();
  const read = (...rows: readonly SourceRow[]) => {
    const samples = createSamples();
    for (const row of rows) samples.note(row, 'stored');
    const misread = misreadSample(reader, samples);
    return { misreadSample: misread, failedCanaries: failedCanaries(reader, samples) };
  };
  const known = (record: LegalEntityRecord): SourceRow => ({ kind: 'level-1', record });
  const related = (n: number, type?: string): SourceRow => ({
    kind: 'relationships',
    record: relationship(1, n, type === undefined ? {} : { type }),
    deletedAt: null,
  });
  const paired = (n: number): SourceRow => ({ kind: 'isin', lei: lei(n), value: isin(1) });
  try {
    const nothing = { misreadSample: null, failedCanaries: [] };
    expect(read(known(company(1)), known(company(2)), related(2), paired(1))).toEqual(nothing);
    expect(read(related(3)).misreadSample).toContain(`of ${lei(1)} to ${lei(3)} is not found`);
    expect(read(related(2, 'IS_FUND-MANAGED_BY')).misreadSample).toStartWith(
      'the relationship IS_FUND-MANAGED_BY of',
    );
    expect(read(paired(2)).misreadSample).toContain(`does not lead to ${lei(2)}`);
    expect(read(known(company(3))).misreadSample).toContain(`${lei(3)} does not read back`);
    const input = {
      built: { counts: manifest.counts, countries: [], resolvableRelationships: 1 },
      active: null,
      sampled: [company(1)],
      ...read(known(company(1, { name: 'Quexley Metals' }))),
      limits: { ...gateDefaults, badRowsShareMax: 0 },
    };
    const messages: string[] = [];
    const report = { progress() {}, message: (text: string) => messages.push(text) };
    expect(() => passGates(input, { skippedGates: [], delta: false }, report)).toThrow(
      expect.objectContaining({
        code: 'gate',
        message:
          `Gate sampled-records refused the publication: ${lei(1)} does not read back as it was in its file ` +
          '(lei load FILE… --skip-gate sampled-records overrides this).\n' +
          `Gate canary-queries refused the publication: a search does not find Quexley Metals (${lei(1)}) ` +
          '(lei load FILE… --skip-gate canary-queries overrides this).',
      }),
    );
    const ofDelta = { skippedGates: ['sampled-records'], delta: true } as const;
    expect(() => passGates(input, ofDelta, report)).toThrow(
      /^Gate canary-queries refused [^\n]* \(lei load --delta FILE… --skip-gate canary-queries overrides this\)\.$/,
    );
    messages.length = 0;
    passGates(input, { skippedGates: ['sampled-records', 'canary-queries'], delta: false }, report);
    expect(messages).toEqual([
      `Gate sampled-records was skipped: ${lei(1)} does not read back as it was in its file.`,
      `Gate canary-queries was skipped: a search does not find Quexley Metals (${lei(1)}).`,
    ]);
  } finally {
    await reader.close();
  }
});

test('a set passes if at least a tenth of its companies have a name', async () => {
  const someone = operator();
  const nameless = Array.from({ length: 10 }, (_, index) => company(index + 2, { name: '' }));
  const named = company(1);
  const { manifest } = await someone.load({ at: day, companies: [...nameless.slice(1), named] });
  expect(manifest.counts.entities).toBe(10);
  const reader = await someone.open();
  expect(companyOf(reader, 3)?.entity.legalName).toEqual({ name: '', language: 'en' });
  await reader.close();
  await expect(someone.load({ at: day, companies: [...nameless, named] })).rejects.toMatchObject({
    message: expect.stringContaining('1 of 11 sampled companies have a legal name'),
  });
});

describe('a full load without kinds of data that the active publication has', () => {
  const all = {
    at: day,
    companies: [company(1), company(2)],
    relationships: { kept: [relationship(1, 2)] },
    exceptions: { kept: [exception(2, 'direct', 'NO_LEI')] },
    isins: [[1, isin(1)]],
  } as const;
  const alone = { at: '2024-05-05T00:00:00Z', companies: all.companies };
  const losses = ({ messages }: ReturnType<typeof operator>) =>
    messages.filter((message) => message.includes('but this load has none'));

  test('warns which kinds are missing, and how many records they had', async () => {
    const someone = operator();
    const { manifest } = await someone.load(all);
    await someone.load(alone);
    expect(losses(someone)).toEqual([
      `Warning: the active ${manifest.id} has relationships (1), reporting exceptions (1), ISINs (1), but this load has none; a full set replaces everything with its own files.`,
    ]);
  });

  test('warns about missing identifiers of every kind', async () => {
    const someone = operator();
    const files = publish(someone.dataDir, { at: day, companies: all.companies, bics: [[1, bic(1)]] });
    for (const [kind, value] of [
      ['MIC', 'XLON'],
      ['GEM', 'E100000000001'],
      ['QCC', 'QGB1234567'],
    ]) {
      files.push(join(someone.dataDir, `${kind?.toLowerCase()}-lei-20240504T000000.csv`));
      writeFileSync(files.at(-1) ?? '', `LEI,${kind}\n${lei(1)},${value}\n`);
    }
    await someone.loadFiles(files);
    await someone.load(alone);
    expect(losses(someone)).toEqual([
      expect.stringContaining(
        'has BICs (1), MICs (1), GEM identifiers (1), QCC identifiers (1), but this load has none',
      ),
    ]);
  });

  test('warns about identifiers without a count too', async () => {
    const someone = operator();
    const ocids = join(someone.dataDir, 'oc-lei-20240504T000000.csv');
    const files = publish(someone.dataDir, { at: day, companies: all.companies });
    writeFileSync(ocids, `LEI,OpenCorporatesID\n${lei(1)},gb/10000001\n`);
    const mics = join(someone.dataDir, 'ISO10383_MIC-20240504.csv');
    writeFileSync(mics, 'MIC,OPERATING MIC\nXLON,XLON\n');
    await someone.loadFiles([...files, ocids, mics]);
    await someone.load({ ...alone, since: day }, { delta: true });
    expect(someone.messages.filter((message) => message.includes('has none'))).toEqual([]);
    await someone.load(alone);
    expect(losses(someone)).toEqual([
      expect.stringContaining('has OpenCorporates identifiers, an ISO 10383 list, but this load has none'),
    ]);
  });

  test('does not warn if the same kinds come again, by a delta, or over the sample', async () => {
    const someone = operator();
    await someone.load(all, { sample: true });
    await someone.load(alone);
    await someone.load(all);
    await someone.load(all);
    await someone.load({ ...alone, since: day }, { delta: true });
    expect(losses(someone)).toEqual([]);
  });
});

describe('a delta', () => {
  test('whose mapping file is empty warns about what it removes', async () => {
    const someone = operator();
    const { manifest } = await someone.load({ at: day, companies: [company(1)], isins: [[1, isin(1)]] });
    const empty = join(someone.dataDir, 'isin-lei-20240505T071500.csv');
    writeFileSync(empty, 'LEI,ISIN\n');
    await someone.loadFiles([empty], { delta: true });
    expect(someone.messages).toContain(
      `Warning: the active ${manifest.id} has ISINs (1), and this delta removes all of them; lei rollback restores them.`,
    );
  });

  test('warns about identifiers without a count if all its files of that kind are empty', async () => {
    const someone = operator();
    const write = (name: string, text: string) => {
      writeFileSync(join(someone.dataDir, name), text);
      return join(someone.dataDir, name);
    };
    const emptied = () =>
      someone.messages.filter((message) => message.includes('this delta removes all of them'));
    const heading = 'LEI,OpenCorporatesID\n';
    const ocids = write('oc-lei-20240504T000000.csv', `${heading}${lei(1)},gb/10000001\n`);
    const noOcids = write('oc-lei-20240505T000000.csv', heading);
    const mics = write('ISO10383_MIC-20240505.csv', 'MIC,OPERATING_MIC\nXLON,XLON\n');
    await someone.loadFiles([...publish(someone.dataDir, { at: day, companies: [company(1)] }), ocids, mics]);
    await someone.loadFiles([ocids, noOcids, mics], { delta: true });
    expect(emptied()).toEqual([]);
    await someone.loadFiles([noOcids, mics], { delta: true });
    expect(emptied()).toEqual([
      expect.stringContaining(' has OpenCorporates identifiers, and this delta removes all of them'),
    ]);
  });

  test('older than the active publication warns that it replaces newer records', async () => {
    const someone = operator();
    const { manifest } = await someone.load({ at: '2024-05-06T00:00:00Z', companies: [company(1)] });
    const [old = ''] = publish(someone.dataDir, { at: day, since: day, companies: [company(1)] });
    await someone.loadFiles([old], { delta: true });
    expect(someone.messages).toEqual([
      `Warning: ${basename(old)} is of ${day}, but the active ${manifest.id} holds level-1 of 2024-05-06T00:00:00Z: older records replace newer ones.`,
    ]);
  });

  test('compares times by kind: a file of the same time is not older', async () => {
    const someone = operator();
    const at = '2024-05-06T00:00:00Z';
    const isins = [[1, isin(1)]] as const;
    const before = publish(someone.dataDir, { at: '2024-05-05T00:00:00Z', isins });
    await someone.loadFiles([...publish(someone.dataDir, { at, companies: [company(1)] }), ...before]);
    const again = publish(someone.dataDir, { at, since: day, companies: [company(1)] });
    await someone.loadFiles([...again, ...before], { delta: true });
    expect(someone.messages).toEqual([]);
    await someone.loadFiles([...again, ...publish(someone.dataDir, { at: day, isins })], { delta: true });
    expect(someone.messages).toEqual([expect.stringMatching(/^Warning: isin-lei-20240504T\S+ is of /)]);
  });
});

test('a full set older than the active publication warns that it goes back in time', async () => {
  const someone = operator();
  await someone.load({ at: '2024-05-05T00:00:00Z', companies: [company(1)] });
  await someone.load({ at: '2024-05-06T00:00:00Z', companies: [company(1)] });
  const { manifest } = await someone.load({ at: '2024-05-06T00:00:00Z', companies: [company(1)] });
  expect(someone.messages).toEqual([]);
  await someone.load({ at: day, companies: [company(1)] });
  expect(someone.messages).toEqual([
    `Warning: this set is of ${day}, but the active ${manifest.id} is of 2024-05-06T00:00:00Z: the service will serve older data.`,
  ]);
});

test('a full set as new as the active publication warns of each file that is older', async () => {
  const someone = operator();
  const at = '2024-05-06T00:00:00Z';
  const isins = [[1, isin(1)]] as const;
  const set = publish(someone.dataDir, { at, companies: [company(1)] });
  const { manifest } = await someone.loadFiles([...set, ...publish(someone.dataDir, { at, isins })]);
  await someone.loadFiles([...set, ...publish(someone.dataDir, { at: day, isins })]);
  expect(someone.messages).toEqual([
    expect.stringMatching(/^Warning: isin-lei-20240504T\S+ is of 2024-05-04/),
  ]);
  expect(someone.messages[0]).toContain(`but the active ${manifest.id} holds isin of ${at}`);
});

test('a load without a single company warns that nothing will be found', async () => {
  const someone = operator();
  await someone.load({ at: day, companies: [], isins: [[1, isin(1)]] });
  expect(someone.messages).toContain(
    'Warning: no file of this load contains a company, so look-ups and searches will find none.',
  );
});
