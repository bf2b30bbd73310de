/** Tests that every table keeps its own source files through deltas, histories and rollbacks. */

import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { bodyLimits } from '../../src/http/bodies/limits.ts';
import { licenseNotice } from '../../src/http/license-notice.ts';
import { noticeOf } from '../../src/lei/notices.ts';
import { filesOfKindMax, sourceFiles } from '../../src/loader/process/describe.ts';
import { layout } from '../../src/publication/layout.ts';
import type { Manifest } from '../../src/publication/manifest.ts';
import { movePointer, readPointer } from '../../src/publication/pointer.ts';
import { readManifest } from '../../src/publication/sealed.ts';
import { temporaryFolder } from '../support/folders.ts';
import { runs } from '../support/runs.ts';
import { startTestService } from '../support/service.ts';
import { bic, company, exception, isin, lei, type Operator, operator, relationship } from './publishing.ts';
import { recover } from './recovering.ts';

/**
 * What each published set of the tests may contain, with the kind of file and whether a delta replaces the whole table.
 */
const contents = {
  companies: { kind: 'level-1', replaced: false, of: (n: number) => list(n, (at) => company(at + 1)) },
  relationships: {
    kind: 'relationships',
    replaced: false,
    of: (n: number) => ({ kept: list(n, (at) => relationship(at + 1, at + 2)) }),
  },
  exceptions: {
    kind: 'reporting-exceptions',
    replaced: false,
    of: (n: number) => ({ kept: list(n, (at) => exception(at + 1, 'direct', 'NO_LEI')) }),
  },
  bics: { kind: 'bic', replaced: true, of: (n: number) => list(n, (at) => [at + 1, bic(at)] as const) },
  isins: { kind: 'isin', replaced: true, of: (n: number) => list(n, (at) => [at + 1, isin(at)] as const) },
} as const;
type Content = keyof typeof contents;
const names = ['companies', 'relationships', 'exceptions', 'bics', 'isins'] as const satisfies Content[];

function list<Item>(count: number, item: (at: number) => Item): Item[] {
  return Array.from({ length: count }, (_, at) => item(at));
}

const parts = fc.dictionary(fc.constantFrom(...names), fc.integer({ min: 1, max: 4 }), { minKeys: 1 });
const step = fc.oneof(
  fc.record({ does: fc.constant('full' as const), holds: parts }),
  fc.record({ does: fc.constant('delta' as const), holds: parts }),
  fc.record({ does: fc.constant('delta' as const), holds: parts }),
  fc.record({ does: fc.constant('history' as const), rows: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ does: fc.constant('rollback' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What a manifest must state about a file. */
interface Known {
  readonly kind: string;
  readonly rows: number;
  readonly contentDate: string | null;
  readonly publication: string;
}

function dayOf(step: number, year = 2024): string {
  return new Date(Date.UTC(year, 0, 1 + step)).toISOString().replace('.000Z', 'Z');
}

function activeManifest({ dataDir }: Operator): Manifest {
  const paths = layout(dataDir);
  const reading = readManifest(paths, readPointer(paths)?.id ?? '');
  if (reading.outcome !== 'sound') throw new Error(reading.message);
  return reading.manifest;
}

/** An operator who loads, and what the manifest of each publication must then say about its files. */
class Chain {
  readonly someone = operator();
  readonly expected = new Map<string, readonly Known[]>();
  readonly order: string[] = [];
  #days = 0;

  async take(step: Step): Promise<void> {
    this.#days++;
    switch (step.does) {
      case 'full':
        return this.#load(step.holds, false);
      case 'delta':
        return this.#load(step.holds, true);
      case 'history':
        return this.#recover(step.rows);
      case 'rollback':
        return this.#rollBack();
    }
  }

  async #load(holds: Readonly<Record<string, number>>, delta: boolean): Promise<void> {
    const at = dayOf(this.#days);
    const given = names.filter((name) => holds[name] !== undefined);
    const publishing = Object.fromEntries(given.map((name) => [name, contents[name].of(holds[name] ?? 0)]));
    const since = delta ? { since: dayOf(0, 2020) } : {};
    const skippedGates = ['entity-count', 'resolvable-relationships'] as const;
    const before = this.#now();
    const { manifest } = await this.someone.load({ at, ...since, ...publishing }, { delta, skippedGates });
    const own = given.map((name) => ({
      kind: contents[name].kind,
      rows: holds[name] ?? 0,
      contentDate: at,
      publication: manifest.id,
    }));
    const replaced: readonly string[] = given.map((name) =>
      contents[name].replaced ? contents[name].kind : '',
    );
    const kept = delta ? before.filter(({ kind }) => !replaced.includes(kind)) : [];
    this.#note(manifest.id, [...kept, ...own]);
  }

  async #recover(rows: number): Promise<void> {
    const at = dayOf(this.#days, 2022);
    const before = this.#now();
    const { manifest } = await recover(this.someone, [{ at, companies: contents.companies.of(rows) }]);
    const own = { kind: 'level-1', rows, contentDate: at, publication: manifest.id };
    this.#note(manifest.id, [...before, own]);
  }

  #rollBack(): void {
    const paths = layout(this.someone.dataDir);
    const [first = ''] = this.order;
    const earlier = this.order.at(-2) ?? first;
    movePointer(paths, earlier, new Date(), readPointer(paths));
    this.order.push(earlier);
  }

  #now(): readonly Known[] {
    return this.expected.get(this.order.at(-1) ?? '') ?? [];
  }

  #note(id: string, files: readonly Known[]): void {
    this.expected.set(id, files);
    this.order.push(id);
  }
}

const byText = (a: Known, b: Known) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

test('a manifest names the files of every table, whatever chain of loads led to it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 7 }), async (steps) => {
      const chain = new Chain();
      await chain.take({ does: 'full', holds: { companies: 3, relationships: 2, bics: 2 } });
      for (const each of steps) {
        await chain.take(each);
        const manifest = activeManifest(chain.someone);
        const known: Known[] = manifest.files.map(({ kind, rows, contentDate, publication = '' }) => ({
          kind,
          rows,
          contentDate,
          publication,
        }));
        const expected = chain.expected.get(manifest.id) ?? [];
        expect(known.sort(byText)).toEqual([...expected].sort(byText));
        const bicFile = expected.find(({ kind }) => kind === 'bic');
        const day = (bicFile?.contentDate ?? manifest.sourcePublishedAt).slice(0, 10);
        expect(licenseNotice('', noticeOf.bic, manifest)).toContain(`database rights ${day}.`);
      }
    }),
    { numRuns: runs(3) },
  );
});

/** A mapping file whose name and content state no date. */
function undatedMics(): string {
  const path = join(temporaryFolder('mics'), 'mics.csv');
  writeFileSync(path, `LEI,MIC\n${lei(1)},XTST\n`);
  return path;
}

async function loadedWithTables(): Promise<Operator> {
  const someone = operator();
  const at = '2024-01-02T00:00:00Z';
  await someone.load({ at, companies: [company(1), company(2)], bics: [[1, bic(1)]] });
  await someone.loadFiles([undatedMics()], { delta: true });
  return someone;
}

test('after a delta the status still shows every file, and the notices the dates of their own tables', async () => {
  const someone = await loadedWithTables();
  await someone.load(
    { at: '2024-02-03T00:00:00Z', since: '2024-01-01T00:00:00Z', companies: [company(2)] },
    { delta: true },
  );
  const service = await startTestService({ dataDir: someone.dataDir });
  try {
    const body = async (path: string) => JSON.parse(await (await service.fetch(`/api/v1${path}`)).text());
    const { data } = await body('/status');
    expect(
      data.publication.files.map(({ kind, rows }: { kind: string; rows: number }) => `${kind} ${rows}`),
    ).toEqual(['level-1 2', 'bic 1', 'mic 1', 'level-1 1']);
    const { meta } = await body(`/bic/${bic(1)}`);
    expect(meta.sourcePublishedAt).toBe('2024-02-03T00:00:00Z');
    expect(meta.licenseNotice).toContain('database rights 2024-01-02.');
    expect((await body('/mic/XTST')).meta.licenseNotice).toContain('database rights 2024-01-02.');
  } finally {
    await service.stop();
  }
});

test('a manifest of an earlier version, which does not say who read a file, can still be built on', async () => {
  const someone = await loadedWithTables();
  const paths = layout(someone.dataDir);
  const { id, files, ...rest } = activeManifest(someone);
  const unmarked = files.map(({ publication: _, ...file }) => file);
  writeFileSync(paths.manifest(id), JSON.stringify({ id, files: unmarked, ...rest }));
  await someone.load(
    { at: '2024-02-03T00:00:00Z', since: '2024-01-01T00:00:00Z', companies: [company(2)] },
    { delta: true },
  );
  const active = activeManifest(someone);
  expect(active.files.map(({ publication }) => publication)).toEqual([id, id, id, active.id]);
});

test('an endless chain of deltas keeps the file of the full set and those of the newest deltas', () => {
  const file = {
    kind: 'level-1',
    sha256: '0'.repeat(64),
    bytes: 1,
    rows: 1,
    rejected: 0,
    remarks: 0,
    contentDate: null,
  } as const;
  let files = sourceFiles(null, 'full', [
    { ...file, name: 'full' },
    { ...file, kind: 'bic', name: 'bic' },
  ]);
  for (let n = 1; n <= 3 * filesOfKindMax; n++) {
    files = sourceFiles({ id: 'base', files }, `delta ${n}`, [{ ...file, name: `delta ${n}` }]);
  }
  const names = files.map(({ name }) => name);
  const newest = Array.from(
    { length: filesOfKindMax - 1 },
    (_, at) => `delta ${2 * filesOfKindMax + 2 + at}`,
  );
  expect(names).toEqual(['full', 'bic', ...newest]);
});

test('the longest list of files with the longest names leaves the status a small body', () => {
  const name = 'x'.repeat(200);
  const sha256 = '0'.repeat(64);
  const ofKind = (kind: string) =>
    Array.from({ length: filesOfKindMax }, () => ({ name, kind, sha256, rows: 3_450_000, rejected: 1_000 }));
  const listed = ['level-1', 'relationships', 'reporting-exceptions'].flatMap(ofKind);
  const restBytes = 16 * 1024;
  expect(JSON.stringify(listed).length + restBytes).toBeLessThan(bodyLimits.weighedBytes);
});
