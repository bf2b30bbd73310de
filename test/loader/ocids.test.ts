/** Tests the look-up of OpenCorporates ids where it is not plain: equal hashes, and publications without its table. */
import { expect, test } from 'bun:test';
import { dropTables, openForBuilding, syncAndClose } from '../../src/lmdb.ts';
import { verifySealed } from '../../src/loader/command/verify/verify-sealed.ts';
import { layout } from '../../src/publication/layout.ts';
import { ocidKey } from '../../src/store/mapping-record.ts';
import { readMeta, writeMeta } from '../../src/store/meta.ts';
import type { PublicationReader } from '../../src/store/publication-reader.ts';
import { openTables } from '../../src/store/tables.ts';
import { company, lei, type Operator, operator } from './publishing.ts';
import { reseal } from './resealing.ts';
import { dayNumber } from './worlds.ts';

const companies = [company(1), company(2)];
const leisOf = (reader: PublicationReader, id: string) =>
  reader.entitiesOf('ocid', id).map((entity) => reader.summary(entity).lei);
const problemsOf = async ({ dataDir }: Operator, id: string) =>
  (await verifySealed(layout(dataDir), id, () => {})).problems;

/** Two ids whose keys are the same. */
function sameKey(): [string, string] {
  const known = new Map<string, string>();
  for (let number = 0; ; number++) {
    const id = `gb/${number}`;
    const key = ocidKey(id);
    const other = known.get(key);
    if (other !== undefined) return [other, id];
    known.set(key, id);
  }
}

test('ids with the same key lead to their own companies, also if one company has both', async () => {
  const someone = operator();
  const [one, other] = sameKey();
  const load = async (ocids: readonly (readonly [number, string])[]) => {
    await someone.load({ at: dayNumber(0), companies, ocids });
    const reader = await someone.open();
    const found = [leisOf(reader, one), leisOf(reader, other)];
    expect(await problemsOf(someone, reader.id)).toEqual([]);
    await reader.close();
    return found;
  };
  expect(await load([[1, one]])).toEqual([[lei(1)], []]);
  expect(
    await load([
      [1, one],
      [2, other],
    ]),
  ).toEqual([[lei(1)], [lei(2)]]);
  expect(
    await load([
      [1, one],
      [1, other],
    ]),
  ).toEqual([[lei(1)], [lei(1)]]);
});

/** Turns a publication into one of an earlier version, which has no table of OpenCorporates ids. */
async function withoutTable({ dataDir }: Operator, id: string): Promise<void> {
  const environment = openForBuilding(layout(dataDir).publication(id));
  const { meta } = openTables(environment);
  const { ocid: _, ...shapes } = readMeta(meta, undefined).shapes;
  writeMeta(meta, { ...readMeta(meta, undefined), shapes });
  dropTables(environment, 'ocid');
  await syncAndClose(environment);
  await reseal({ dataDir }, id);
}

test('a publication without the table is sound and finds no id; a delta makes the table', async () => {
  const someone = operator();
  const ocids = [
    [1, 'gb/SC12'],
    [2, 'de/M1201_HRB32000'],
    [2, 'gb/sc12'],
  ] as const;
  const { manifest } = await someone.load({ at: dayNumber(0), companies, ocids });
  await withoutTable(someone, manifest.id);
  const earlier = await someone.open();
  expect(leisOf(earlier, 'gb/SC12')).toEqual([]);
  expect(await problemsOf(someone, earlier.id)).toEqual([]);
  await earlier.close();
  await someone.load({ at: dayNumber(1), since: dayNumber(0), companies: [] }, { delta: true });
  const reader = await someone.open();
  expect(leisOf(reader, 'gb/Sc12')).toEqual([lei(1), lei(2)]);
  expect(leisOf(reader, 'de/m1201_hrb32000')).toEqual([lei(2)]);
  expect(await problemsOf(someone, reader.id)).toEqual([]);
  await reader.close();
});
