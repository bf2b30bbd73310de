/** Tests that the company file is released by those who read or write it. */
import { expect, test } from 'bun:test';
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { layout } from '../../../src/publication/layout.ts';
import { openPublication } from '../../../src/store/open-publication.ts';
import { isHeld } from '../../support/held-files.ts';
import { company, operator } from '../publishing.ts';

const set = { at: '2024-05-04T00:00:00Z', companies: [1, 2, 3].map((number) => company(number)) };

async function sealedPublication() {
  const someone = operator();
  const { manifest } = await someone.load(set);
  return { someone, paths: layout(someone.dataDir), id: manifest.id };
}

test('a load leaves its files closed, and nothing beside them', async () => {
  const { someone, paths, id } = await sealedPublication();
  const delta = { at: '2024-05-05T00:00:00Z', since: set.at, companies: [company(1, { city: 'LEEDS' })] };
  const next = await someone.load(delta, { delta: true });
  for (const sealed of [id, next.manifest.id]) {
    for (const path of [paths.companies(sealed), paths.search(sealed)]) expect(isHeld(path)).toBe(false);
    expect(readdirSync(paths.publication(sealed)).toSorted()).toEqual([
      'companies.bin',
      'data.mdb',
      'lock.mdb',
      'manifest.json',
      'search.bin',
    ]);
  }
});

test('a closed publication unmaps its files, and so does one that cannot be opened', async () => {
  const { paths, id } = await sealedPublication();
  const publication = await openPublication(paths, id);
  const files = [paths.companies(id), paths.search(id)];
  expect(files.map(isHeld)).toEqual([true, true]);
  await publication.close();
  expect(files.map(isHeld)).toEqual([false, false]);
  // Those of another publication fit each other; the environment says whose they are.
  const other = await sealedPublication();
  copyFileSync(other.paths.environment(other.id), paths.environment(id));
  copyFileSync(other.paths.search(other.id), paths.search(id));
  await expect(openPublication(paths, id)).rejects.toThrow(`holds publication ${other.id}, not ${id}.`);
  expect(files.map(isHeld)).toEqual([false, false]);
  rmSync(paths.environment(id));
  await expect(openPublication(paths, id)).rejects.toThrow();
  expect(files.map(isHeld)).toEqual([false, false]);
});
