import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBase } from '../../src/loader/base.ts';
import { layout } from '../../src/publication/layout.ts';
import { company, lei, operator } from './publishing.ts';

test('unmapping frees the base publication, and the next use maps it again', async () => {
  const someone = operator();
  const { manifest } = await someone.load({
    at: '2024-05-04T00:00:00Z',
    companies: [company(1), company(2)],
  });
  const folder = layout(someone.dataDir).publication(manifest.id);
  const isMapped = () => readFileSync('/proc/self/maps', 'utf8').includes(join(folder, 'data.mdb'));
  const base = openBase(folder, manifest.id);
  const firstLook = [base.directory.first(lei(1)), base.directory.first(lei(2))];
  expect(firstLook).not.toContain(0);
  expect(isMapped()).toBe(true);
  base.unmap();
  expect(isMapped()).toBe(false);
  expect([base.directory.first(lei(1)), base.directory.first(lei(2))]).toEqual(firstLook);
  expect(base.tables.entities.get(1, { transaction: base.transaction })).toStartWith(lei(1));
  expect(isMapped()).toBe(true);
  await base.close();
  expect(isMapped()).toBe(false);
  // Under another name nothing is compared with it, and it is not left mapped.
  const other = '20240504T000000Z-00000000';
  expect(() => openBase(folder, other)).toThrow(`${folder} holds publication ${manifest.id}, not ${other}.`);
  expect(isMapped()).toBe(false);
});
