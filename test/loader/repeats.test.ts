/** Tests rows whose key another row of the same load has: one of them is kept, and the operator gets a report. */
import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { company, exception, lei, operator, publish, relationship } from './publishing.ts';

const day = '2024-05-04T00:00:00Z';
const companies = [company(1), company(2)];

function superseded({ messages }: ReturnType<typeof operator>): string[] {
  return messages.filter((message) => message.startsWith('Superseded row: '));
}

describe('a row whose key another row of the load has', () => {
  test('is reported with file, place and key: the first of each kind, with the number of the others', async () => {
    const someone = operator();
    const again = company(1, { city: 'LEEDS' });
    const outcome = await someone.load({ at: day, companies: [...companies, again, again, again] });
    expect(superseded(someone)).toEqual([
      `Superseded row: 20240504-0000-gleif-goldencopy-lei2.xml, record 3: "${lei(1)}" occurs earlier in this load; this row replaces that one (and 2 more like it)`,
    ]);
    expect(outcome).toMatchObject({ superseded: 3, manifest: { counts: { entities: 2 } } });
  });

  test('is reported as superseded if the earlier row has a later update', async () => {
    const someone = operator();
    const old = company(1, { updated: '2020-01-01T00:00:00Z' });
    await someone.load({ at: day, companies: [...companies, old] });
    expect(superseded(someone)).toEqual([
      `Superseded row: 20240504-0000-gleif-goldencopy-lei2.xml, record 3: "${lei(1)}" occurs earlier in this load with a later LastUpdateDate; that row is kept instead of this one`,
    ]);
  });

  test('is counted if the same file is given twice', async () => {
    const someone = operator();
    const files = publish(someone.dataDir, { at: day, companies });
    const outcome = await someone.loadFiles([...files, ...files]);
    expect(outcome.superseded).toBe(2);
    expect(superseded(someone)).toEqual([expect.stringMatching(/record 1: .* \(and 1 more like it\)$/)]);
  });

  test('is reported by the keys of relationships, exceptions and the list of MICs', async () => {
    const someone = operator();
    const files = publish(someone.dataDir, {
      at: day,
      companies,
      relationships: { kept: [relationship(1, 2), relationship(1, 2)] },
      exceptions: { kept: [exception(2, 'direct', 'NO_LEI'), exception(2, 'direct', 'NON_PUBLIC')] },
    });
    const list = join(someone.dataDir, 'ISO10383_MIC.csv');
    writeFileSync(list, 'MIC,OPERATING MIC\nXLON,XLON\nXLON,XLOM\n');
    const { superseded: count } = await someone.loadFiles([...files, list]);
    expect(count).toBe(3);
    expect(superseded(someone)).toEqual([
      expect.stringContaining(`record 2: "${lei(1)} IS_DIRECTLY_CONSOLIDATED_BY ${lei(2)}"`),
      expect.stringContaining(`record 2: "${lei(2)} DIRECT_ACCOUNTING_CONSOLIDATION_PARENT"`),
      expect.stringContaining('ISO10383_MIC.csv, line 3: "XLON"'),
    ]);
  });
});

test('a second list of MICs adds to the first of the same load', async () => {
  const someone = operator();
  const files = publish(someone.dataDir, { at: day, companies });
  const lists = ['XLON', 'XPAR'].map((mic) => {
    const list = join(someone.dataDir, `${mic}.csv`);
    writeFileSync(list, `MIC,OPERATING MIC\n${mic},${mic}\n`);
    return list;
  });
  await someone.loadFiles([...files, ...lists]);
  const reader = await someone.open();
  expect(['XLON', 'XPAR'].map((mic) => reader.micListEntry(mic) !== null)).toEqual([true, true]);
  await reader.close();
});

test('a file without a time loses to one with a time, in any order', async () => {
  const someone = operator();
  const files = publish(someone.dataDir, { at: day, companies });
  const list = (name: string, operating: string) => {
    const path = join(someone.dataDir, name);
    writeFileSync(path, `MIC,OPERATING MIC\nXLON,${operating}\n`);
    return path;
  };
  const lists = [list('ISO10383_MIC-20240504.csv', 'XDAY'), list('ISO10383_MIC.csv', 'XNUL')];
  for (const given of [lists, lists.toReversed()]) {
    await someone.loadFiles([...files, ...given]);
    const reader = await someone.open();
    expect(reader.micListEntry('XLON')).toMatchObject({ operatingMic: 'XDAY' });
    await reader.close();
  }
});

test('an exception that a delta changes supersedes no row of the delta', async () => {
  const someone = operator();
  await someone.load({ at: day, companies, exceptions: { kept: [exception(2, 'direct', 'NO_LEI')] } });
  const next = { at: '2024-05-05T00:00:00Z', since: day };
  const changed = { kept: [exception(2, 'direct', 'NON_PUBLIC')] };
  const outcome = await someone.load({ ...next, exceptions: changed }, { delta: true });
  expect({ superseded: outcome.superseded, told: superseded(someone) }).toEqual({ superseded: 0, told: [] });
});
