/** Tests the last step of a build by itself, and the company file that it makes. */
import { expect, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { openForBuilding, syncAndClose } from '../../../src/lmdb.ts';
import { verifySealed } from '../../../src/loader/command/verify/verify-sealed.ts';
import { writeCompanyFile } from '../../../src/loader/process/company-file.ts';
import { layout } from '../../../src/publication/layout.ts';
import { openPublication } from '../../../src/store/open-publication.ts';
import { openTables } from '../../../src/store/tables.ts';
import { isHeld } from '../../support/held-files.ts';
import { bic, company, operator } from '../publishing.ts';

async function sealedPublication() {
  const someone = operator();
  // More than the initial room for mappings that are kept until they are written.
  const bics = Array.from({ length: 800 }, (_, index): [number, string] => [2, bic(index + 1)]);
  const companies = [1, 2, 3, 4, 5].map((number) => company(number));
  const { manifest } = await someone.load({ at: '2024-05-04T00:00:00Z', companies, bics });
  return { paths: layout(someone.dataDir), id: manifest.id };
}

test('the company file is the same for any number of companies read at a time, and agrees with the tables', async () => {
  const { paths, id } = await sealedPublication();
  const sealed = readFileSync(paths.companies(id));
  for (const perUnmap of [1, 2, 4, 5, 6]) {
    const shares: number[] = [];
    await writeCompanyFile(paths.publication(id), id, (share) => shares.push(share), perUnmap);
    expect(readFileSync(paths.companies(id)).equals(sealed)).toBe(true);
    expect([shares.length, shares.at(-1)]).toEqual([Math.ceil(5 / perUnmap), 1]);
  }
  expect(isHeld(paths.companies(id))).toBe(false);
  expect((await verifySealed(paths, id, () => {})).problems).toEqual([]);
});

test('a closed publication unmaps its company file', async () => {
  const { paths, id } = await sealedPublication();
  const publication = await openPublication(paths, id);
  expect(isHeld(paths.companies(id))).toBe(true);
  await publication.close();
  expect(isHeld(paths.companies(id))).toBe(false);
});

test('the company file is closed if its tables lack a company or cannot be opened', async () => {
  const { paths, id } = await sealedPublication();
  const sealed = readFileSync(paths.companies(id));
  const environment = openForBuilding(paths.publication(id));
  openTables(environment).entities.removeSync(3);
  await syncAndClose(environment);
  const writing = writeCompanyFile(paths.publication(id), id, () => {});
  await expect(writing).rejects.toThrow('Entity 3 was given a number, but is not stored.');
  expect(isHeld(paths.companies(id))).toBe(false);
  writeFileSync(paths.companies(id), sealed);
  rmSync(paths.environment(id));
  await expect(openPublication(paths, id)).rejects.toThrow();
  expect(isHeld(paths.companies(id))).toBe(false);
});
