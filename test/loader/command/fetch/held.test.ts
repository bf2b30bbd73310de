import { expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { readHeld } from '../../../../src/loader/command/fetch/held.ts';
import { layout } from '../../../../src/publication/layout.ts';
import { formatVersion } from '../../../../src/publication/manifest-facts.ts';
import { company, operator } from '../../publishing.ts';

const day = '2024-05-04T00:00:00Z';
const sound = async () => null;

test('an update builds on loaded data, never on the bundled sample', async () => {
  const someone = operator();
  const paths = layout(someone.dataDir);
  const held = () => readHeld(paths, () => {}, sound);
  expect(await held()).toBeNull();
  await someone.load({ at: day, companies: [company(1)] }, { sample: true });
  expect(await held()).toBeNull();
  await someone.load({ at: day, companies: [company(1)], isins: [] });
  expect(await held()).toEqual({ sourcePublishedAt: day, contentDates: { 'level-1': day, isin: day } });
});

test('an update does not build on a damaged publication, says so, and never replaces one of a newer format', async () => {
  const someone = operator();
  const paths = layout(someone.dataDir);
  const { manifest } = await someone.load({ at: day, companies: [company(1)] });
  const said: string[] = [];
  const held = (inspect: (id: string) => Promise<string | null> = sound) =>
    readHeld(paths, (message) => void said.push(message), inspect);
  expect(await held(async (id) => `of ${id}, a page is torn.`)).toBeNull();
  const pointer = readFileSync(paths.pointer);
  writeFileSync(paths.pointer, '{');
  expect(await held()).toBeNull();
  writeFileSync(paths.pointer, pointer);
  const newer = { ...manifest, formatVersion: formatVersion + 1 };
  writeFileSync(paths.manifest(manifest.id), JSON.stringify(newer));
  await expect(held()).rejects.toMatchObject({ code: 'active-unreadable' });
  writeFileSync(paths.manifest(manifest.id), '{');
  expect(await held()).toBeNull();
  expect(said).toEqual([
    `Warning: Publication ${manifest.id} is damaged: of ${manifest.id}, a page is torn.`,
    expect.stringContaining(`Warning: ${paths.pointer} is damaged`),
    expect.stringContaining(`Warning: ${paths.manifest(manifest.id)} is damaged`),
  ]);
});
