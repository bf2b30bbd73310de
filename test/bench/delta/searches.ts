/**
 * Measures searches on an index after a chain of deltas, beside an index built from the same companies. Both answer the
 * same questions in turn, and each question counts with its shortest time. The CPU time of all questions, asked of one
 * index after the other, depends less on other work of the machine.
 *
 *     bun test/bench/delta/searches.ts --entities 50000 --days 90 --questions 2000
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publishedAt } from '../../../src/generate/dates.ts';
import { createDelta } from '../../../src/generate/delta.ts';
import { entityRecord } from '../../../src/generate/entities.ts';
import { createWorld } from '../../../src/generate/world.ts';
import type { LegalEntityRecord } from '../../../src/lei/company.ts';
import { type Environment, openForBuilding, openReadOnly, syncAndClose } from '../../../src/lmdb.ts';
import { packCompany, searchFactsOf } from '../../../src/store/company-record.ts';
import { openSearchReader } from '../../../src/store/search/open-search.ts';
import type { CompanyFacts, SearchReader } from '../../../src/store/search/search-reader.ts';
import { withoutTimeLimit } from '../../../src/store/search/time-limit.ts';
import { updateIndex } from '../../../src/store/search/update/update-index.ts';
import { createIndexing } from '../../support/index-companies.ts';
import { wholeNumbers } from '../harness/arguments.ts';
import { minute } from '../harness/machine.ts';
import { median } from '../harness/median.ts';
import { figure, Report } from '../harness/report.ts';

const option = wholeNumbers({ entities: 50_000, days: 90, questions: 2_000, rounds: 5 });
const entities = option('entities');
const days = option('days');
const world = createWorld(1, entities);
const root = mkdtempSync(join(tmpdir(), 'lei-delta-searches-'));

const companies = new Map<string, CompanyFacts>();
/** By entity number, from 1. */
const leis: string[] = [''];

function factsOf(record: LegalEntityRecord): CompanyFacts {
  const entity = companies.get(record.lei)?.entity ?? leis.push(record.lei) - 1;
  const bytes = Buffer.from(packCompany(record));
  return { entity, ...searchFactsOf({ bytes, length: bytes.length }), directChildren: 0, bics: [] };
}

function known(entity: number): CompanyFacts {
  const facts = companies.get(leis[entity] ?? '');
  if (facts === undefined) throw new Error(`Nobody knows entity ${entity}.`);
  return facts;
}

function build(folder: string): Environment {
  const environment = openForBuilding(folder);
  const indexing = createIndexing();
  for (const facts of companies.values()) indexing.add(facts);
  indexing.finish(environment);
  return environment;
}

function applyDay(environment: Environment, day: number): string {
  const changes = [...createDelta(world, publishedAt, { day, changes: null }).level1()].map(({ record }) => ({
    before: companies.get(record.lei) ?? null,
    after: factsOf(record),
  }));
  for (const { after } of changes) companies.set(after.lei, after);
  const outcome = updateIndex(environment, { changes, factsOf: known, leiOf: (entity) => known(entity).lei });
  return 'due' in outcome ? outcome.due : '';
}

function questions(count: number): string[] {
  const all = [...companies.values()];
  return Array.from({ length: count }, (_, i) => {
    const name = all[(i * 7_919) % all.length]?.names[0]?.name ?? '';
    const at = Math.floor(name.length / 2);
    // As it is, its beginning, and with a letter missing.
    return [name, name.slice(0, at + 2), name.slice(0, at) + name.slice(at + 1)][i % 3] ?? name;
  });
}

/** Milliseconds of each question, the shortest of all rounds; `readers` answer in turn. */
function timesOf(readers: readonly SearchReader[], asked: readonly string[]): Float64Array[] {
  const times = readers.map(() => new Float64Array(asked.length).fill(Number.POSITIVE_INFINITY));
  for (let round = 0; round < option('rounds'); round++) {
    for (const [i, q] of asked.entries()) {
      // The second reader finds words of the question cached.
      const turn = [...readers.entries()];
      for (const [which, reader] of round % 2 === 0 ? turn : turn.reverse()) {
        const began = performance.now();
        reader.search({ q, country: null, status: null, after: null, limit: 20 });
        const own = times[which];
        if (own !== undefined) own[i] = Math.min(own[i] ?? 0, performance.now() - began);
      }
    }
  }
  return times.map((each) => each.sort());
}

/** Microseconds of CPU time per question, of each round and each reader. */
function cpuOf(readers: readonly SearchReader[], asked: readonly string[]): number[][] {
  return Array.from({ length: option('rounds') }, () =>
    readers.map((reader) => {
      const before = process.cpuUsage();
      for (const q of asked) reader.search({ q, country: null, status: null, after: null, limit: 20 });
      const { user, system } = process.cpuUsage(before);
      return (user + system) / asked.length;
    }),
  );
}

for (let entity = 0; entity < entities; entity++) {
  const facts = factsOf(entityRecord(world, entity, publishedAt));
  companies.set(facts.lei, facts);
}
const changedFolder = join(root, 'changed');
const changing = build(changedFolder);
const reasons = Array.from({ length: days }, (_, day) => applyDay(changing, day + 1)).filter(
  (reason) => reason !== '',
);
if (reasons.length > 0) throw new Error(`The index was due for making it anew: ${reasons[0]}.`);
await syncAndClose(changing);
const freshFolder = join(root, 'fresh');
await syncAndClose(build(freshFolder));

const readers = [changedFolder, freshFolder].map((folder) =>
  openSearchReader(openReadOnly(folder, 'scattered'), String, withoutTimeLimit()),
);
const asked = questions(option('questions'));
const [changed = new Float64Array(0), fresh = new Float64Array(0)] = timesOf(readers, asked);
const cpu = cpuOf(readers, asked);
const report = new Report(
  join(import.meta.dir, '../reports/delta'),
  'searches',
  'Searches after many deltas',
);
report.text(
  `Measured ${minute(new Date())}: ${entities.toLocaleString('en')} generated companies after ${days} usual days of deltas, compared with a new index of the same ${companies.size.toLocaleString('en')} companies. ${changed.length.toLocaleString('en')} questions (names, beginnings of names, names without a letter) are asked in turn; each counts with the shortest of ${option('rounds')} times.`,
);
const at = (times: Float64Array, share: number) => times[Math.floor(times.length * share)] ?? 0;
report.table(
  ['', 'µs changed', 'µs fresh', 'Ratio'],
  [
    ...[0.5, 0.9, 0.99].map((share) => [
      `p${share * 100}`,
      figure(at(changed, share) * 1000),
      figure(at(fresh, share) * 1000),
      figure(at(changed, share) / at(fresh, share)),
    ]),
    [
      'CPU time, median of the rounds',
      figure(median(cpu.map(([one = 0]) => one))),
      figure(median(cpu.map(([, other = 0]) => other))),
      figure(median(cpu.map(([one = 0, other = 1]) => one / other))),
    ],
  ],
);
report.save();
rmSync(root, { recursive: true });
