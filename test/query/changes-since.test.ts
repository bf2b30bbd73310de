/** Tests getChangesSince over publications that the real pipeline loads: what is followed, and what is refused. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { dropTables, openForBuilding, rowCount, syncAndClose } from '../../src/lmdb.ts';
import { verifySealed } from '../../src/loader/command/verify/verify-sealed.ts';
import { createChangeLog, forgetOldOrder } from '../../src/loader/compare/change-log.ts';
import { layout } from '../../src/publication/layout.ts';
import { movePointer, readPointer } from '../../src/publication/pointer.ts';
import { openChangeFeed } from '../../src/store/change-feed.ts';
import type { PublicationReader } from '../../src/store/publication-reader.ts';
import { openRawWith } from '../../src/store/raw-publication.ts';
import { recordTexts } from '../../src/store/render-company.ts';
import { openTables } from '../../src/store/tables.ts';
import { company, lei, type Operator, operator, relationship } from '../loader/publishing.ts';
import { recover } from '../loader/recovering.ts';
import { reseal } from '../loader/resealing.ts';
import { dayNumber, deltaBetween, following, fullSet, numbers, type World, world } from '../loader/worlds.ts';
import { temporaryFolder } from '../support/folders.ts';
import { runs } from '../support/runs.ts';
import {
  applyChanges,
  changesSince,
  comparable,
  type FeedItem,
  type Records,
  recordsOf,
} from './follower.ts';

const lenient = { skippedGates: ['entity-count', 'resolvable-relationships'] as const };

async function reading<Result>(
  someone: Operator,
  read: (reader: PublicationReader) => Result,
): Promise<Result> {
  const reader = await someone.open();
  try {
    return read(reader);
  } finally {
    await reader.close();
  }
}

interface Day {
  readonly fresh: World;
  readonly byDelta: boolean;
  /** Whether a full set is older than the publication before. */
  readonly earlier: boolean;
}
const days: fc.Arbitrary<Day[]> = fc.array(
  fc.record({ fresh: world, byDelta: fc.boolean(), earlier: fc.boolean() }),
  { minLength: 4, maxLength: 5 },
);

/** Loads full sets and deltas in sequence, and returns what each publication shows. */
async function loadAll(someone: Operator, chain: readonly Day[]): Promise<ReadonlyMap<string, Records>> {
  const shown = new Map<string, Records>();
  let before: World | null = null;
  let time = 10;
  for (const { fresh, byDelta, earlier } of chain) {
    const since = dayNumber(time);
    if (before !== null && byDelta) {
      const next: World = following(before, fresh);
      const delta = deltaBetween(before, next, dayNumber(++time), since);
      await someone.load(delta, { delta: true, ...lenient });
      before = next;
    } else {
      time += earlier ? -2 : 1;
      await someone.load(fullSet(dayNumber(time), fresh), lenient);
      before = fresh;
    }
    await reading(someone, (reader) => shown.set(reader.id, recordsOf(reader)));
  }
  return shown;
}

test("following from any publication gives the active one's records, for all companies and for a watch list", async () => {
  await fc.assert(
    fc.asyncProperty(days, fc.subarray(numbers, { minLength: 1 }), async (chain, watched) => {
      const someone = operator();
      const shown = await loadAll(someone, chain);
      const reader = await someone.open();
      const now = comparable(recordsOf(reader));
      for (const [id, records] of shown) {
        const items = changesSince(reader, id);
        const leis = watched.map(lei);
        expect(changesSince(reader, id, { leis })).toEqual(items.filter((item) => leis.includes(item.lei)));
        const kinds = ['created', 'relationship-removed'] as const;
        expect(changesSince(reader, id, { kinds })).toEqual(
          items.filter(({ kind }) => kind === 'created' || kind === 'relationship-removed'),
        );
        applyChanges(records, items, reader);
        expect(comparable(records)).toEqual(now);
      }
      expect((await verifySealed(layout(someone.dataDir), reader.id, () => {})).problems).toEqual([]);
      await reader.close();
    }),
    { numRuns: runs(2) },
  );
});

/** Three publications: a first one, one with a change and a newcomer, and one that changes another company. */
async function threeDays() {
  const someone = operator();
  const ids: string[] = [];
  const load = async (day: number, companies: readonly ReturnType<typeof company>[]) => {
    const outcome = await someone.load({ at: dayNumber(day), companies });
    ids.push(outcome.manifest.id);
  };
  await load(0, [company(1), company(2)]);
  await load(1, [company(1, { city: 'LEEDS' }), company(2), company(3)]);
  await load(2, [company(1, { city: 'LEEDS' }), company(2, { city: 'BATH' }), company(3)]);
  return { someone, ids };
}

const brief = ({ lei: of, kind, at }: FeedItem) => `${kind} ${of} ${at}`;

function refusal(reader: PublicationReader, since: string): string {
  const changes = reader.changesSince({ since, leis: [], kinds: [], after: null, limit: 20 });
  return changes.outcome === 'refused' ? changes.detail : 'answered';
}

test('a time stands for the last publication that is not later', async () => {
  const { someone, ids } = await threeDays();
  await reading(someone, (reader) => {
    const all = changesSince(reader, ids[0] ?? '').map(brief);
    expect(all).toEqual([
      `created ${lei(3)} ${dayNumber(1)}`,
      `change ${lei(1)} ${dayNumber(1)}`,
      `change ${lei(2)} ${dayNumber(2)}`,
    ]);
    for (const [since, from] of [
      [dayNumber(0), 0],
      [dayNumber(1).replace('T00:00:00', 'T00:00:01'), 2],
      [dayNumber(1), 2],
      [ids[1] ?? '', 2],
      [dayNumber(2), 3],
      [ids[2] ?? '', 3],
      [dayNumber(900), 3],
    ] as const) {
      expect([since, changesSince(reader, since).map(brief)]).toEqual([since, all.slice(from)]);
    }
  });
});

test('a since that is older than the history or unknown to it is refused with the oldest since', async () => {
  const { someone, ids } = await threeDays();
  await reading(someone, (reader) => {
    const reach = `the changes reach back to ${ids[0]}, of ${dayNumber(0)}, which is the oldest possible since`;
    expect(refusal(reader, '2024-01-01T00:00:00Z')).toBe(`is too old: ${reach}`);
    expect(refusal(reader, '20240101T000000Z-00000000')).toBe(
      `must be a dataset version that led to ${ids[2]}, or a time; ${reach}`,
    );
  });
});

test('a publication that was rolled back is not a version of the line that continues without it', async () => {
  const { someone, ids } = await threeDays();
  const [, second = '', third = ''] = ids;
  const paths = layout(someone.dataDir);
  movePointer(paths, second, new Date(), readPointer(paths));
  await someone.load({ at: dayNumber(3), companies: [company(1), company(2), company(3)] });
  await reading(someone, (reader) => {
    expect(changesSince(reader, second).map(brief)).toEqual([`change ${lei(1)} ${dayNumber(3)}`]);
    expect(refusal(reader, third)).toStartWith('must be a dataset version that led to ');
  });
});

test('a recovered history is followed through, and its snapshots are not changes', async () => {
  const { someone, ids } = await threeDays();
  await recover(someone, [{ at: '2020-01-01T00:00:00Z', companies: [company(1, { city: 'BATH' })] }]);
  await someone.load({ at: dayNumber(3), companies: [company(1), company(2, { city: 'BATH' }), company(3)] });
  await reading(someone, (reader) => {
    for (const leis of [[], [1, 2, 3].map(lei)]) {
      const items = changesSince(reader, ids[1] ?? '', { leis }).map(brief);
      expect(items).toEqual([`change ${lei(2)} ${dayNumber(2)}`, `change ${lei(1)} ${dayNumber(3)}`]);
    }
  });
});

test('following can start at a publication of an earlier version', async () => {
  const { someone, ids } = await threeDays();
  const earlier = ids[2] ?? '';
  const environment = openForBuilding(layout(someone.dataDir).publication(earlier));
  dropTables(environment, 'changeOrder');
  await syncAndClose(environment);
  await reseal(someone, earlier);
  const renamed = [company(1, { name: 'Renamed Limited' })];
  await someone.load({ at: dayNumber(3), since: dayNumber(2), companies: renamed }, { delta: true });
  await reading(someone, (reader) => {
    expect(changesSince(reader, earlier).map(brief)).toEqual([`change ${lei(1)} ${dayNumber(3)}`]);
    expect(refusal(reader, ids[1] ?? '')).toStartWith(`is too old: the changes reach back to ${earlier}, `);
  });
});

test('a page ends after a bounded number of changes, and the next one continues after them', async () => {
  const someone = operator();
  const many = Array.from({ length: 250 }, (_, index) => company(index + 1));
  const { manifest } = await someone.load({ at: dayNumber(0), companies: many });
  const { id } = (
    await someone.load({
      at: dayNumber(1),
      companies: many.map((_, index) => company(index + 1, { city: 'LEEDS' })),
      relationships: { kept: [relationship(1, 2)] },
    })
  ).manifest;
  const { raw } = openRawWith(layout(someone.dataDir).publication(id), id, () => null, 'through');
  const feed = openChangeFeed(raw, recordTexts(raw.meta.files, raw.meta.versions), () => null, 50);
  for (const leis of [[], many.slice(0, 100).map(({ lei: of }) => of)]) {
    const pages: number[] = [];
    let after: string | null = null;
    do {
      const page = feed({ since: manifest.id, leis, kinds: ['relationship-change'], after, limit: 20 });
      if (page.outcome === 'refused') throw new Error(page.detail);
      pages.push(page.items.length);
      after = page.next;
    } while (after !== null);
    expect(pages).toEqual(leis.length === 0 ? [2, 0, 0, 0, 0, 0] : [2, 0, 0]);
  }
  await raw.close();
});

test('the newest eleven hundred versions can be followed; the history of the others stays', async () => {
  const environment = openForBuilding(temporaryFolder('order'));
  const tables = openTables(environment);
  for (let version = 1; version <= 1_105; version++) {
    forgetOldOrder(tables, version);
    createChangeLog(tables, { at: dayNumber(version), datasetVersion: '', version }).end();
  }
  expect(rowCount(tables.changeOrder)).toBe(1_100);
  await syncAndClose(environment);
});
