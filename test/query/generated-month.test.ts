/**
 * Tests a month of generated publications, loaded day by day as deltas. Each company as of a day equals what the
 * publication of that day showed, and following the changes from any of them gives the records of the last one.
 */
import { beforeAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { generate } from '../../src/generate/generate.ts';
import { answerQuestion } from '../../src/query/answer-question.ts';
import type { PublicationReader } from '../../src/store/publication-reader.ts';
import { operator } from '../loader/publishing.ts';
import { jsonIn } from '../support/answers.ts';
import { temporaryFolder } from '../support/folders.ts';
import { applyChanges, changesSince, comparable, type Records, recordsOf } from './follower.ts';

/** Days after the full set; the long form runs a whole month. */
const days = Number(process.env['LONG_DAYS'] ?? 7);
const entities = 150;
const changesPerDay = 30;

interface Day {
  readonly id: string;
  /** The source time, in ms. */
  readonly time: number;
  readonly records: Records;
}

const month: Day[] = [];
let reader: PublicationReader;

beforeAll(async () => {
  const someone = operator();
  for (let day = 0; day <= days; day++) {
    const folder = temporaryFolder('month');
    const delta = day === 0 ? null : { day, changes: changesPerDay };
    await generate({ entities, seed: 11, delta, format: 'json', folder }, () => undefined);
    const files = readdirSync(folder).map((name) => join(folder, name));
    const { manifest } = await someone.loadFiles(files, { delta: delta !== null });
    reader = await someone.open();
    const time = Date.parse(manifest.sourcePublishedAt);
    month.push({ id: manifest.id, time, records: recordsOf(reader) });
    if (day < days) await reader.close();
  }
}, 300_000);

/** The record as of a moment; null if there is none. */
function asOf(lei: string, moment: number): unknown {
  const at = new Date(moment).toISOString().replace(/\.\d+/, '');
  const answer = answerQuestion(reader, { kind: 'as-of', lei, at });
  if (answer.outcome !== 'found') return null;
  const { entity, registration, validation } = jsonIn(answer.data);
  return { entity, registration, validation };
}

/** What a publication showed of a company, without its mappings: an answer as of a moment has none. */
function shown({ companies }: Records, lei: string): unknown {
  const company = companies.get(lei);
  if (company === undefined) return null;
  const { entity, registration, validation } = company;
  return { entity, registration, validation };
}

test('a company as of any moment equals what the publication of that time showed', () => {
  const leis = [...(month.at(-1)?.records.companies.keys() ?? [])];
  const dayMs = 86_400_000;
  const begin = month[0]?.time ?? 0;
  const moment = fc.oneof(
    fc.constantFrom(...month.flatMap(({ time }) => [time - 1000, time])),
    fc.integer({ min: -dayMs / 1000, max: (days * dayMs) / 1000 }).map((s) => begin + s * 1000),
  );
  fc.assert(
    fc.property(fc.constantFrom(...leis), moment, (lei, at) => {
      const then = month.findLast(({ time }) => time <= at);
      expect(asOf(lei, at)).toEqual(then === undefined ? null : shown(then.records, lei));
    }),
    { numRuns: 500 * days },
  );
});

test('all companies as of the time of each publication equal what it showed', () => {
  for (const { time, records } of month) {
    for (const lei of records.companies.keys()) expect(asOf(lei, time)).toEqual(shown(records, lei));
  }
});

test('following from every publication gives the records of the last one', async () => {
  const now = comparable(recordsOf(reader));
  for (const { id, records } of month) {
    const items = changesSince(reader, id, { limit: 100 });
    expect(items.length > 0).toBe(id !== reader.id);
    applyChanges(records, items, reader);
    expect(comparable(records)).toEqual(now);
  }
  await reader.close();
});
