import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBase } from '../../src/loader/base.ts';
import { layout } from '../../src/publication/layout.ts';
import { textOfRow } from '../../src/store/stored-companies.ts';
import { company, lei, operator } from './publishing.ts';

test('unmapping frees the base publication, and the next use maps it again', async () => {
  const someone = operator();
  const { manifest } = await someone.load({
    at: '2024-05-04T00:00:00Z',
    companies: [company(1), company(2)],
  });
  const folder = layout(someone.dataDir).publication(manifest.id);
  const isMapped = () =>
    ['data.mdb', 'companies.bin'].map((name) =>
      readFileSync('/proc/self/maps', 'utf8').includes(join(folder, name)),
    );
  const base = openBase(folder, manifest.id);
  const look = () => [1, 2].map((number) => base.companies.find(lei(number)));
  const firstLook = look();
  expect(firstLook).not.toContain(null);
  expect(isMapped()).toEqual([true, true]);
  base.unmap();
  expect(isMapped()).toEqual([false, false]);
  expect(look()).toEqual(firstLook);
  expect(textOfRow(base.companies.record(1))).toStartWith(lei(1));
  expect(isMapped()).toEqual([true, true]);
  base.companies.unmap();
  expect(isMapped()).toEqual([true, false]);
  await base.close();
  expect(isMapped()).toEqual([false, false]);
  // Under another name nothing is compared with it, and it is not left mapped.
  const other = '20240504T000000Z-00000000';
  expect(() => openBase(folder, other)).toThrow(`${folder} holds publication ${manifest.id}, not ${other}.`);
  expect(isMapped()).toEqual([false, false]);
});
