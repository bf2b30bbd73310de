import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { deltaWindows } from '../../../../src/lei/golden-copy.ts';
import {
  type Choice,
  chooseFiles,
  type HeldTimes,
  type Mapping,
} from '../../../../src/loader/command/fetch/choose-files.ts';
import {
  families,
  type Publish,
  type PublishedFile,
} from '../../../../src/loader/command/fetch/publishers.ts';

const file = (name: string): PublishedFile => ({
  url: `https://publisher.test/${name}`,
  name,
  bytes: 1,
  records: 1,
});
const formats = (stem: string) => ({ xml: file(`${stem}.xml.zip`), csv: file(`${stem}.csv.zip`) });

function publishOf(
  publishedAt: string,
  windows: readonly string[] = deltaWindows.map(({ name }) => name),
): Publish {
  const family = (name: string) => ({
    full: formats(`${name}-golden-copy`),
    deltas: Object.fromEntries(windows.map((window) => [window, formats(`${name}-${window}`)])),
  });
  return { publishedAt, families: { lei2: family('lei2'), rr: family('rr'), repex: family('repex') } };
}

const heldAt = (sourcePublishedAt: string, changes: HeldTimes['contentDates'] = {}): HeldTimes => ({
  sourcePublishedAt,
  contentDates: {
    'level-1': sourcePublishedAt,
    relationships: sourcePublishedAt,
    'reporting-exceptions': sourcePublishedAt,
    isin: '2026-10-04T07:15:00Z',
    ...changes,
  },
});
const isin = (day: string): Mapping => ({ kind: 'isin', file: file(`isin-lei-${day}T071500.zip`) });
const usual = { full: false, format: 'xml' } as const;
const names = (choice: Choice) => choice.files.map(({ name }) => name);
const noon = publishOf('2026-10-04T16:00:00Z');

describe('full files are chosen', () => {
  const everything = [
    'lei2-golden-copy.xml.zip',
    'rr-golden-copy.xml.zip',
    'repex-golden-copy.xml.zip',
    'isin-lei-20261004T071500.zip',
  ];

  test('if nothing is active yet', () => {
    const choice = chooseFiles(noon, [isin('20261004')], null, usual);
    expect(choice.mode).toBe('full');
    expect(names(choice)).toEqual(everything);
    expect(choice.reason).toBe('There is no active publication of GLEIF data yet.');
    expect(choice.publishedAt).toBe('2026-10-04T16:00:00Z');
  });

  test('on request, with all mappings, because a full load starts from nothing', () => {
    const choice = chooseFiles(noon, [isin('20261004')], heldAt('2026-10-04T16:00:00Z'), {
      ...usual,
      full: true,
    });
    expect(choice.mode).toBe('full');
    expect(names(choice)).toEqual(everything);
  });

  test('if a family was never loaded', () => {
    const { relationships, ...others } = heldAt('2026-10-04T08:00:00Z').contentDates;
    expect(relationships).toBeDefined();
    const held = { sourcePublishedAt: '2026-10-04T08:00:00Z', contentDates: others };
    const choice = chooseFiles(noon, [], held, usual);
    expect(choice.mode).toBe('full');
    expect(choice.reason).toBe(
      'The active publication has no relationships data, but the golden copy of 2026-10-04T16:00:00Z has.',
    );
  });

  test('if the active publication is older than the longest window', () => {
    const choice = chooseFiles(noon, [], heldAt('2026-09-03T15:59:59Z'), usual);
    expect(choice.mode).toBe('full');
    expect(choice.reason).toBe(
      'No delta of 2026-10-04T16:00:00Z reaches back to the active publication (2026-09-03T15:59:59Z).',
    );
  });

  test('in the requested format', () => {
    const choice = chooseFiles(noon, [], null, { full: false, format: 'csv' });
    expect(names(choice)[0]).toBe('lei2-golden-copy.csv.zip');
  });

  test('in another format if a family lacks the requested one', () => {
    const choice = chooseFiles(noon, [], null, { full: false, format: 'json' });
    expect(names(choice)[0]).toBe('lei2-golden-copy.xml.zip');
    const table = file('lei2-golden-copy.csv.zip');
    const { lei2 } = noon.families;
    const only: Publish = {
      ...noon,
      families: { ...noon.families, lei2: { ...lei2, full: { csv: table } } },
    };
    expect(names(chooseFiles(only, [], null, usual))[0]).toBe(table.name);
  });

  test('of all three families or of none', () => {
    const { lei2, repex } = noon.families;
    const halved: Publish = { ...noon, families: { lei2, repex, rr: { full: {}, deltas: {} } } };
    expect(() => chooseFiles(halved, [], null, usual)).toThrow('2026-10-04T16:00:00Z has no full rr file.');
  });
});

describe('deltas are chosen', () => {
  test.each([
    ['2026-10-04T08:00:00Z', 'IntraDay'],
    ['2026-10-04T07:59:59Z', 'LastDay'],
    ['2026-10-03T16:00:00Z', 'LastDay'],
    ['2026-10-03T15:00:00Z', 'LastWeek'],
    ['2026-09-27T08:00:00Z', 'LastMonth'],
    ['2026-09-03T16:00:00Z', 'LastMonth'],
  ])('for an active publication of %s: %s, of all three families and always as XML', (heldSince, window) => {
    const choice = chooseFiles(noon, [isin('20261004')], heldAt(heldSince), { full: false, format: 'csv' });
    expect(choice.mode).toBe('delta');
    expect(names(choice)).toEqual([
      `lei2-${window}.xml.zip`,
      `rr-${window}.xml.zip`,
      `repex-${window}.xml.zip`,
    ]);
    expect(choice.publishedAt).toBe('2026-10-04T16:00:00Z');
  });

  test('with new mapping files', () => {
    const choice = chooseFiles(noon, [isin('20261005')], heldAt('2026-10-04T08:00:00Z'), usual);
    expect(names(choice)).toContain('isin-lei-20261005T071500.zip');
  });

  test('as JSON if there is no XML, and never as CSV, which cannot delete', () => {
    const { families } = publishOf(noon.publishedAt);
    const only = (format: 'json' | 'csv'): Publish => {
      const intraDay = { IntraDay: { [format]: file(`rr-IntraDay.${format}.zip`) } };
      return { ...noon, families: { ...families, rr: { full: families.rr.full, deltas: intraDay } } };
    };
    const held = heldAt('2026-10-04T08:00:00Z');
    expect(names(chooseFiles(only('json'), [], held, usual))[1]).toBe('rr-IntraDay.json.zip');
    expect(chooseFiles(only('csv'), [], held, usual).mode).toBe('full');
  });

  test('of the next longer window if the right one is not offered', () => {
    const choice = chooseFiles(
      publishOf('2026-10-04T16:00:00Z', ['LastWeek']),
      [],
      heldAt('2026-10-04T08:00:00Z'),
      usual,
    );
    expect(names(choice)[0]).toBe('lei2-LastWeek.xml.zip');
  });

  test('for the family that is furthest behind', () => {
    const held = heldAt('2026-10-04T08:20:40Z', { relationships: '2026-10-03T16:29:01Z' });
    expect(names(chooseFiles(noon, [], held, usual))[1]).toBe('rr-LastDay.xml.zip');
  });

  test('for a family that is behind even if the companies are up to date', () => {
    const held = heldAt('2026-10-04T16:20:40Z', { relationships: '2026-10-04T09:29:01Z' });
    expect(names(chooseFiles(noon, [], held, usual))).toContain('rr-IntraDay.xml.zip');
  });

  test('for new mappings alone, with the same source time', () => {
    const choice = chooseFiles(noon, [isin('20261005')], heldAt('2026-10-04T16:20:40Z'), usual);
    expect(choice.mode).toBe('delta');
    expect(names(choice)).toEqual(['isin-lei-20261005T071500.zip']);
    expect(choice.publishedAt).toBe('2026-10-04T16:20:40Z');
    // A file whose name states no time may be new.
    const undated: Mapping = { kind: 'isin', file: file('isin-lei.zip') };
    expect(names(chooseFiles(noon, [undated], heldAt('2026-10-04T16:20:40Z'), usual))).toEqual([
      'isin-lei.zip',
    ]);
  });
});

test('a delta can do without mapping files that the served publication keeps', () => {
  const names = (files: readonly PublishedFile[]) => files.map(({ name }) => name);
  const bic: Mapping = { kind: 'bic', file: file('LEI-BIC-20261002.zip') };
  const offered = [isin('20261005'), bic];
  const both = names(offered.map((mapping) => mapping.file));
  // A delta keeps the mappings that are held.
  const delta = chooseFiles(noon, offered, heldAt('2026-10-04T08:00:00Z'), usual);
  expect(delta.mode).toBe('delta');
  expect(names(delta.dispensable)).toEqual(both);
  const full = chooseFiles(noon, offered, heldAt('2026-10-04T08:00:00Z'), { ...usual, full: true });
  expect(names(full.dispensable)).toEqual([bic.file.name]);
  expect(names(chooseFiles(noon, offered, null, usual).dispensable)).toEqual(both);
});

test('nothing is chosen if nothing is new', () => {
  const choice = chooseFiles(noon, [isin('20261004')], heldAt('2026-10-04T16:00:00Z'), usual);
  expect(choice).toEqual({
    mode: 'nothing',
    reason:
      'The active publication (2026-10-04T16:00:00Z) is as new as the golden copy (2026-10-04T16:00:00Z).',
    publishedAt: '2026-10-04T16:00:00Z',
    files: [],
    dispensable: [],
  });
});

test('an active publication a day newer than the golden copy is reported as possibly misdated', () => {
  const choice = chooseFiles(noon, [], heldAt('2099-12-31T00:00:00Z'), usual);
  expect(choice.mode).toBe('nothing');
  expect(choice.reason).toBe(
    'The active publication (2099-12-31T00:00:00Z) is newer than the golden copy (2026-10-04T16:00:00Z); if its time is wrong, lei update --full replaces it.',
  );
});

test('for any times, a delta reaches back to the active publication and no newer file is left out', () => {
  const minutes = fc.integer({ min: -3_000, max: 60 * 24 * 60 });
  fc.assert(
    fc.property(minutes, fc.subarray(deltaWindows.map(({ name }) => name)), (age, offered) => {
      const since = new Date(Date.parse(noon.publishedAt) - age * 60_000).toISOString();
      const choice = chooseFiles(publishOf(noon.publishedAt, offered), [], heldAt(since), usual);
      if (age <= 0) expect(choice.mode).toBe('nothing');
      else expect(choice.files).toHaveLength(families.length);
      if (choice.mode !== 'delta') return;
      const window = deltaWindows.find(({ name }) => names(choice)[0]?.includes(name));
      expect((window?.hours ?? 0) * 60).toBeGreaterThanOrEqual(age);
      expect(choice.publishedAt).toBe(noon.publishedAt);
    }),
  );
});
