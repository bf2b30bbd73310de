/** Tests getCompanyAsOf over publications that the real pipeline loads day by day. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { answerQuestion } from '../../src/query/answer-question.ts';
import { answerAsOf } from '../../src/query/history.ts';
import type { PublicationReader } from '../../src/store/publication-reader.ts';
import { atOnce } from '../../src/store/steps.ts';
import { company, companyOf, lei, operator, relationship } from '../loader/publishing.ts';
import { recover } from '../loader/recovering.ts';
import { deltaBetween, following, fullSet, numbers, type World, world } from '../loader/worlds.ts';
import { runs } from '../support/runs.ts';

const dayOf = (index: number) => `2024-05-${String(index + 10).padStart(2, '0')}T08:00:00Z`;
const lenient = { skippedGates: ['entity-count', 'resolvable-relationships'] as const };

/** The answer's data; the reason if there is none. */
function asOf(reader: PublicationReader, n: number, at: string) {
  const answer = answerQuestion(reader, { kind: 'as-of', lei: lei(n), at });
  if (answer.outcome === 'found') return JSON.parse(Buffer.from(answer.data).toString());
  return answer.outcome === 'not-found' ? (answer.detail ?? 'unknown') : answer.outcome;
}

/** What an answer without a record says. */
function missing({ id }: PublicationReader, n: number, at: string, reason: string): string {
  return `LEI ${lei(n)} was not found as of ${at} in dataset version ${id}: it ${reason}`;
}

const published = (record: Record<string, unknown> | null) =>
  record && {
    entity: record['entity'],
    registration: record['registration'],
    validation: record['validation'],
  };

test('a company as of each day equals what the publication of that day showed, as long as it stays in the data', async () => {
  const month = fc.array(fc.tuple(world, fc.boolean()), { minLength: 3, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(month, async (days) => {
      const someone = operator();
      const shown: Map<number, unknown>[] = [];
      let before: World | null = null;
      for (const [index, [fresh, byDelta]] of days.entries()) {
        const at = dayOf(index);
        if (before !== null && byDelta) {
          const next: World = following(before, fresh);
          const delta = { ...deltaBetween(before, next), at, since: dayOf(index - 1) };
          await someone.load(delta, { delta: true, ...lenient });
          before = next;
        } else {
          await someone.load(fullSet(at, fresh), lenient);
          before = fresh;
        }
        const reader = await someone.open();
        const companies = numbers.filter((n) => reader.find(lei(n))?.hasRecord === true);
        shown.push(new Map(companies.map((n) => [n, published(companyOf(reader, n))])));
        await reader.close();
      }
      const reader = await someone.open();
      for (const n of numbers) {
        shown.forEach((then, index) => {
          const stays = shown.slice(index).every((day) => day.has(n));
          for (const at of [dayOf(index), dayOf(index).replace('T08', 'T23')]) {
            const answer = asOf(reader, n, at);
            if (stays) expect(published(answer)).toEqual(JSON.parse(JSON.stringify(then.get(n))));
            else expect(answer).toBeString();
          }
        });
      }
      await reader.close();
    }),
    { numRuns: runs(2) },
  );
});

test('a day in the future is refused; today and the day of the data are not', async () => {
  const someone = operator();
  await someone.load({ at: dayOf(0), companies: [company(1)] });
  const reader = await someone.open();
  const outcome = (at: string, now: string) =>
    atOnce(answerAsOf(reader, { kind: 'as-of', lei: lei(1), at }, Date.parse(now))).outcome;
  expect(outcome('2024-06-02T23:59:59Z', '2024-06-02T00:00:00Z')).toBe('found');
  expect(outcome('2024-06-03T00:00:00Z', '2024-06-02T23:59:59Z')).toBe('invalid');
  expect(outcome(dayOf(0), '2020-01-01T00:00:00Z')).toBe('found');
  expect(outcome(dayOf(1), '2020-01-01T00:00:00Z')).toBe('invalid');
  await reader.close();
});

test('a record is known since its last change, its first load or its snapshot; for earlier times the answer says so', async () => {
  const someone = operator();
  await someone.load({ at: dayOf(0), companies: [company(1), company(2)] });
  await someone.load({ at: dayOf(2), companies: [company(1, { city: 'LEEDS' }), company(2), company(3)] });
  await someone.load({ at: dayOf(4), companies: [company(1, { city: 'LEEDS' }), company(3)] }, lenient);
  await recover(someone, [{ at: '2020-01-01T00:00:00Z', companies: [company(1, { city: 'BATH' })] }]);
  const reader = await someone.open();
  const of = (n: number, at: string) => {
    const answer = asOf(reader, n, at);
    return typeof answer === 'string' ? answer : [answer.entity.legalAddress.city, answer.knownSince];
  };
  expect(of(1, '2025-01-01T00:00:00Z')).toEqual(['LEEDS', dayOf(2)]);
  expect(of(1, dayOf(2))).toEqual(['LEEDS', dayOf(2)]);
  expect(of(1, dayOf(1))).toEqual(['LONDON', dayOf(0)]);
  expect(of(1, '2024-01-01T00:00:00Z')).toEqual(['BATH', '2020-01-01T00:00:00Z']);
  expect(of(1, '2019-01-01T00:00:00Z')).toBe(
    missing(reader, 1, '2019-01-01T00:00:00Z', 'has a history that reaches back to 2020-01-01T00:00:00Z.'),
  );
  expect(of(2, dayOf(4))).toBe(missing(reader, 2, dayOf(4), `was removed from the data at ${dayOf(4)}.`));
  expect(of(3, dayOf(1))).toBe(
    missing(reader, 3, dayOf(1), `has a history that reaches back to ${dayOf(2)}.`),
  );
  expect(of(4, dayOf(4))).toBe('unknown');
  await reader.close();
});

test('for a moment between a change and the removal of a company the answer says that the record is not kept', async () => {
  const someone = operator();
  await someone.load({ at: dayOf(0), companies: [company(1), company(2)] });
  await someone.load({ at: dayOf(2), companies: [company(1), company(2, { city: 'LEEDS' }), company(3)] });
  await someone.load({ at: dayOf(4), companies: [company(1)] }, lenient);
  await recover(someone, [{ at: '2020-01-01T00:00:00Z', companies: [company(2, { city: 'BATH' })] }]);
  const reader = await someone.open();
  const removed = (n: number) =>
    missing(reader, n, dayOf(3), `was removed from the data at ${dayOf(4)}; no earlier record is kept.`);
  expect(asOf(reader, 3, dayOf(3))).toBe(removed(3));
  expect(asOf(reader, 2, dayOf(3))).toBe(removed(2));
  expect(asOf(reader, 2, '2020-06-01T00:00:00Z').knownSince).toBe('2020-01-01T00:00:00Z');
  await reader.close();
});

test('a company whose history has only relationships is unknown as of any time', async () => {
  const someone = operator();
  await someone.load({ at: dayOf(0), companies: [company(1), company(2)] });
  await someone.load({ at: dayOf(1), relationships: { kept: [relationship(1, 2)] } }, lenient);
  const reader = await someone.open();
  expect(reader.changes(lei(1), null, 10)?.items).toHaveLength(1);
  for (const at of [dayOf(0), dayOf(1), dayOf(2)]) expect(asOf(reader, 1, at)).toBe('unknown');
  await reader.close();
});

test('a legal form that has changed is shown with its name at that time', async () => {
  const someone = operator();
  await someone.load({ at: dayOf(0), companies: [company(1)] });
  const before = await someone.open();
  const then = published(companyOf(before, 1));
  await before.close();
  await someone.load({ at: dayOf(1), companies: [company(1, { legalForm: 'ZZZZ' })] });
  const reader = await someone.open();
  expect(published(asOf(reader, 1, dayOf(0)))).toEqual(JSON.parse(JSON.stringify(then)));
  expect(asOf(reader, 1, dayOf(1)).entity.legalForm).toEqual({ id: 'ZZZZ', other: null, label: null });
  await reader.close();
});
