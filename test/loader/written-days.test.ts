/**
 * Tests that times published with an offset keep their day as written: in every format, in full loads, deltas and the
 * change history, and after an upgrade from a version that kept no days.
 */
import { expect, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { Value } from '@sinclair/typebox/value';
import { CompanySchema, type LegalEntityRecord } from '../../src/lei/company.ts';
import { RelationshipSchema } from '../../src/lei/relationship.ts';
import { layout } from '../../src/publication/layout.ts';
import { readPointer } from '../../src/publication/pointer.ts';
import { answerQuestion } from '../../src/query/answer-question.ts';
import { openPublication } from '../../src/store/open-publication.ts';
import { temporaryFolder } from '../support/folders.ts';
import { runLei } from '../support/lei-here.ts';
import { loadHere } from '../support/load-here.ts';
import { changesOf, company, companyOf, lei, operator, relationship } from './publishing.ts';

const days = ['2024-05-04T00:00:00Z', '2024-05-05T00:00:00Z', '2024-05-06T00:00:00Z'] as const;

/** A company whose times have offsets, as most of GLEIF's have. */
function zoned(n: number, renewal: string): LegalEntityRecord {
  const is = company(n);
  return {
    ...is,
    entity: {
      ...is.entity,
      creationDate: '1952-11-11T00:00:00+01:00',
      expiration: { date: '0001-01-01T00:00:00+01:00', reason: null },
      eventGroups: [
        {
          groupType: 'STANDALONE',
          groupId: null,
          events: [
            {
              type: 'CHANGE_LEGAL_NAME',
              status: 'COMPLETED',
              sequence: null,
              effectiveDate: '2024-03-01T00:00:00+09:00',
              recordedDate: '2024-02-29T19:00:00.50-05:00',
              validationDocuments: null,
              validationReference: null,
              affectedFields: [],
            },
          ],
        },
      ],
    },
    registration: { ...is.registration, nextRenewalDate: renewal },
  };
}

test('a company shows the day as written beside each time, and null beside one in UTC', async () => {
  const someone = operator();
  await someone.load({ at: days[0], companies: [zoned(1, '2024-12-31T23:30:00-05:00')] });
  const reader = await someone.open();
  const shown = companyOf(reader, 1);
  expect(Value.Errors(CompanySchema, shown).First()).toBeUndefined();
  expect(shown).toMatchObject({
    entity: {
      creationDate: '1952-11-10T23:00:00Z',
      creationDay: '1952-11-11',
      expiration: { date: '0001-01-01T00:00:00+01:00', day: '0001-01-01' },
      eventGroups: [
        {
          events: [
            {
              effectiveDate: '2024-02-29T15:00:00Z',
              effectiveDay: '2024-03-01',
              recordedDate: '2024-03-01T00:00:00.50Z',
              recordedDay: '2024-02-29',
            },
          ],
        },
      ],
    },
    registration: {
      initialRegistrationDate: '2014-01-01T00:00:00Z',
      initialRegistrationDay: null,
      nextRenewalDate: '2025-01-01T04:30:00Z',
      nextRenewalDay: '2024-12-31',
    },
  });
  expect(someone.messages.join('\n')).toContain('outside the years 1 to 9999');
  await reader.close();
});

test('a relationship shows the days of its periods and of its registration', async () => {
  const someone = operator();
  const is = relationship(1, 2);
  const [period] = is.relationship.periods;
  const zonedPeriod = { type: null, ...period, startDate: '2016-01-01T00:00:00+02:00', endDate: null };
  const registration = { ...is.relationship.registration, lastUpdateDate: '2024-01-01T08:00:00+00:00' };
  const record = { ...is, relationship: { ...is.relationship, periods: [zonedPeriod], registration } };
  await someone.load({ at: days[0], companies: [company(1), company(2)], relationships: { kept: [record] } });
  const reader = await someone.open();
  const [stored] = reader.relationships(reader.find(lei(1))?.entity ?? 0).asStart;
  const shown = JSON.parse(stored?.json ?? 'null');
  expect(Value.Errors(RelationshipSchema, shown).First()).toBeUndefined();
  expect(shown).toMatchObject({
    periods: [{ startDate: '2015-12-31T22:00:00Z', startDay: '2016-01-01', endDate: null, endDay: null }],
    registration: { lastUpdateDate: '2024-01-01T08:00:00Z', lastUpdateDay: '2024-01-01' },
  });
  await reader.close();
});

test('changes list the day with its time, and the record as of each day has the day that was shown', async () => {
  const someone = operator();
  const [first, second] = ['2025-01-01T00:00:00+01:00', '2026-01-01T00:00:00Z'];
  await someone.load({ at: days[0], companies: [zoned(1, first)] });
  await someone.load({ at: days[1], since: days[0], companies: [zoned(1, second)] }, { delta: true });
  const reader = await someone.open();
  expect(changesOf(reader, 1)).toMatchObject([
    {
      changes: [
        { field: 'registration.nextRenewalDate', from: '2024-12-31T23:00:00Z', to: second },
        { field: 'registration.nextRenewalDay', from: '2025-01-01', to: null },
      ],
    },
  ]);
  const { registration } = asOf(reader, days[0]);
  expect(registration.nextRenewalDay).toBe('2025-01-01');
  await reader.close();
});

function asOf(reader: Parameters<typeof companyOf>[0], at: string) {
  const answer = answerQuestion(reader, { kind: 'as-of', lei: lei(1), at });
  return answer.outcome === 'found' ? JSON.parse(Buffer.from(answer.data).toString()) : null;
}

test('a day that an earlier version did not keep is no change, in a full load and in a delta', async () => {
  const files = temporaryFolder('written-days-files');
  // The same files as those that the earlier version loaded.
  await runLei('', 'generate', '--entities', '40', '--seed', '7', '--out', files);
  const names = ['*lei2*', '*-rr-*'].flatMap((some) => [...new Bun.Glob(some).scanSync(files)]);
  const paths = names.map((name) => join(files, name));
  for (const delta of [false, true]) {
    const dataDir = temporaryFolder('written-days');
    cpSync(join(import.meta.dir, '..', 'fixtures', 'earlier-version'), dataDir, { recursive: true });
    const earlier = readPointer(layout(dataDir))?.id;
    await loadHere(dataDir, paths, { delta });
    const reader = await openPublication(layout(dataDir), readPointer(layout(dataDir))?.id ?? '');
    const shown = Array.from({ length: reader.lastEntity }).flatMap((_, index) => {
      const text = reader.company(index + 1);
      return text === null ? [] : [JSON.parse(Buffer.from(text.json).toString())];
    });
    expect(shown).toHaveLength(40);
    expect(shown.some(({ entity }) => entity.creationDay !== null)).toBe(true);
    for (const { lei: each, provenance } of shown) {
      expect(provenance.lastChanged).toBe(earlier);
      expect(reader.changes(each, null, 20)?.items).toEqual([]);
    }
    await reader.close();
  }
});
