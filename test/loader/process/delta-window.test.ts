/** Tests whether a delta reaches back to what it is applied to, by its header or, without one, by its name. */
import { describe, expect, test } from 'bun:test';
import { renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkWindows } from '../../../src/loader/process/delta-window.ts';
import { openSources } from '../../../src/loader/process/sources.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { company, exception, lei, type Publishing, publish, relationship } from '../publishing.ts';

const at = '2024-05-05T00:00:00Z';
const since = '2024-05-04T00:00:00Z';
const late = '2024-05-03T23:59:59Z';

/** The messages to the operator about files that are applied to what was published at that time. */
async function told(files: readonly string[], sourcePublishedAt: string, contentDates = {}) {
  const messages: string[] = [];
  const report = { message: (message: string) => void messages.push(message) };
  checkWindows(await openSources(files), { contentDates, sourcePublishedAt }, report);
  return messages;
}

function filesOf(publishing: Omit<Publishing, 'at' | 'since'>): string[] {
  return publish(temporaryFolder('window'), { at, since, ...publishing });
}

/** A file without a header, such as CSV. */
function named(name: string): string {
  const path = join(temporaryFolder('window'), name);
  writeFileSync(path, `LEI,Entity.LegalName\n${lei(1)},A company\n`);
  return path;
}

test.each([
  ['intra-day', '2024-05-04T16:00:00Z', '2024-05-04T15:59:59Z'],
  ['last-day', '2024-05-04T00:00:00Z', '2024-05-03T23:59:59Z'],
  ['last-week', '2024-04-28T00:00:00Z', '2024-04-27T23:59:59Z'],
  ['last-month', '2024-04-04T00:00:00Z', '2024-04-03T23:59:59Z'],
])('a delta named %s continues %s, and not %s', async (window, start, before) => {
  const files = [named(`20240505-0000-gleif-goldencopy-lei2-${window}.csv`)];
  expect(await told(files, start)).toEqual([]);
  await expect(told(files, before)).rejects.toMatchObject({
    code: 'delta-window',
    message: expect.stringContaining(
      `holds the changes since ${start}, but the active publication is of ${before}`,
    ),
  });
});

test.each(['20240505-0000-changes.csv', 'lei2-last-day.csv'])(
  'a delta that does not state where its window starts, such as %s, is applied as it is, with a warning',
  async (name) => {
    expect(await told([named(name)], '2020-01-01T00:00:00Z')).toEqual([
      `Warning: ${name} does not state when its window starts; it is applied without checking that.`,
    ]);
  },
);

test('a window in the header takes precedence over one in the name', async () => {
  const [path = ''] = filesOf({ companies: [company(1)] });
  const renamed = join(dirname(path), '20240505-0000-gleif-goldencopy-lei2-last-month.xml');
  renameSync(path, renamed);
  await expect(told([renamed], late)).rejects.toMatchObject({ code: 'delta-window' });
});

describe('each kind of file', () => {
  const kinds = [
    ['level-1', { companies: [company(1)] }],
    ['relationships', { relationships: { kept: [relationship(1, 2)] } }],
    // Mappings, which are not deltas, are read before them.
    ['reporting-exceptions', { bics: [], exceptions: { kept: [exception(1, 'direct', 'NO_LEI')] } }],
  ] as const;

  test.each(kinds)('%s continues the newest file of its own kind', async (kind, publishing) => {
    const files = filesOf(publishing);
    expect(await told(files, late, { [kind]: since })).toEqual([]);
    await expect(told(files, since, { [kind]: late })).rejects.toMatchObject({ code: 'delta-window' });
    await expect(told(files, late)).rejects.toMatchObject({ code: 'delta-window' });
  });

  test('a mapping, which contains all pairs, has no window', async () => {
    expect(await told(filesOf({ isins: [], bics: [] }), late)).toEqual([]);
  });
});

test('a delta may continue the active publication instead of an older delta of the same load', async () => {
  const older = publish(temporaryFolder('window'), { at: late, since: late, companies: [company(1)] });
  expect(await told([...older, ...filesOf({ companies: [company(1)] })], since)).toEqual([]);
});

test('a delta continues another of the same load only within its own kind', async () => {
  const relationships = { kept: [relationship(1, 2)] };
  const next = publish(temporaryFolder('window'), { at: '2024-05-06T00:00:00Z', since: at, relationships });
  expect(await told([...filesOf({ relationships }), ...next], since)).toEqual([]);
  await expect(told([...filesOf({ companies: [company(1)] }), ...next], since)).rejects.toMatchObject({
    code: 'delta-window',
  });
});
