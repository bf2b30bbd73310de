/** Tests all ISINs of each company, as full loads, deltas and the upgrade of an earlier publication make them. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { dropTables, openForBuilding, syncAndClose } from '../../src/lmdb.ts';
import { verifySealed } from '../../src/loader/command/verify/verify-sealed.ts';
import { layout } from '../../src/publication/layout.ts';
import type { PublicationReader } from '../../src/store/publication-reader.ts';
import { company, isin, lei, type Operator, operator } from './publishing.ts';
import { reseal } from './resealing.ts';
import { dayNumber } from './worlds.ts';

const holders = [1, 2, 3, 4];
const companies = holders.slice(1).map((n) => company(n));

/** All ISINs of each company, read in pages of an odd size. */
function listsOf(reader: PublicationReader): readonly (readonly string[])[] {
  return holders.map((n) => {
    const entity = reader.find(lei(n))?.entity;
    const isins: string[] = [];
    if (entity === undefined) return isins;
    for (let after: string | null = ''; after !== null; ) {
      const page: ReturnType<PublicationReader['isins']> = reader.isins(entity, after || null, 37);
      isins.push(...page.items);
      after = page.next;
      if (after === null) expect(page.total).toBe(isins.length);
    }
    return isins;
  });
}

/** ISINs by company: none, a few, some dozens or hundreds. */
const someIsins = fc
  .tuple(fc.constantFrom(0, 3, 20, 21, 150, 400), fc.integer({ min: 0, max: 300 }))
  .map(([count, from]) => Array.from({ length: count }, (_, index) => isin(from + 3 * index)));
const day = fc.tuple(...holders.map(() => someIsins));

function pairsOf(lists: readonly (readonly string[])[]) {
  return lists.flatMap((list, index) => list.map((value) => [holders[index] ?? 0, value] as const));
}

const problemsOf = async ({ dataDir }: Operator, id: string) =>
  (await verifySealed(layout(dataDir), id, () => {})).problems;

test('a company has every ISIN of the file, after a full set and after successive deltas', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(day, { minLength: 3, maxLength: 3 }), async (days) => {
      const someone = operator();
      for (const [index, lists] of days.entries()) {
        const isins = pairsOf(lists);
        const at = dayNumber(index);
        if (index === 0) await someone.load({ at, companies, isins });
        else await someone.load({ at, since: dayNumber(index - 1), companies: [], isins }, { delta: true });
        const reader = await someone.open();
        expect(listsOf(reader)).toEqual(lists.map((list) => list.toSorted()));
        expect(await problemsOf(someone, reader.id)).toEqual([]);
        await reader.close();
      }
    }),
    { numRuns: 3 },
  );
});

test('a delta without an ISIN file keeps the lists', async () => {
  const someone = operator();
  const isins = Array.from({ length: 300 }, (_, index) => isin(index));
  await someone.load({ at: dayNumber(0), companies, isins: isins.map((value) => [2, value] as const) });
  const renamed = [company(2, { name: 'Renamed Limited' })];
  await someone.load({ at: dayNumber(1), since: dayNumber(0), companies: renamed }, { delta: true });
  const reader = await someone.open();
  expect(listsOf(reader)[1]).toEqual(isins.toSorted());
  await reader.close();
});

/** Turns the active publication into one of an earlier version, which has no lists. */
async function withoutLists({ dataDir }: Operator, id: string): Promise<void> {
  const paths = layout(dataDir);
  const environment = openForBuilding(paths.publication(id));
  dropTables(environment, 'isinLists');
  await syncAndClose(environment);
  await reseal({ dataDir }, id);
}

test('a delta adds the lists that the publication of an earlier version lacks', async () => {
  const someone = operator();
  const isins = Array.from({ length: 300 }, (_, index) => isin(index));
  const pairs = [...isins.map((value) => [2, value] as const), [3, isin(5)] as const];
  const { manifest } = await someone.load({ at: dayNumber(1), companies, isins: pairs });
  await withoutLists(someone, manifest.id);
  await someone.load({ at: dayNumber(2), since: dayNumber(1), companies }, { delta: true });
  const reader = await someone.open();
  expect(listsOf(reader)).toEqual([[], isins.toSorted(), [isin(5)], []]);
  expect(await problemsOf(someone, reader.id)).toEqual([]);
  await reader.close();
});
