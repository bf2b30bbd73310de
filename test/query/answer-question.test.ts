import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { IdentifierKind } from '../../src/lei/identifier-kinds.ts';
import { noNotices, noticesOf } from '../../src/lei/notices.ts';
import type { Answer } from '../../src/protocol/questions.ts';
import { answerQuestion } from '../../src/query/answer-question.ts';
import { type MemoryContent, memoryPublication } from '../support/memory-publication.ts';
import { dataIn, relationship } from './world.ts';

const id = '20261004T160000Z-00000001';
const [child, mother, grandmother, other, mentioned, unknown] = [
  'CHILD0000000000000A1',
  'MOTHER000000000000B2',
  'GRANDM000000000000C3',
  'OTHER0000000000000D4',
  'MENTIONED000000000E5',
  'UNKNOWN00000000000F6',
] as const;
const companies = [
  { lei: child, name: 'Tochter "GmbH"' },
  { lei: mother, name: 'Mutter AG' },
  { lei: grandmother, name: 'Großmutter SE' },
  { lei: other, name: '株式会社アザー' },
  { lei: mentioned, name: null },
];

function ask(content: Partial<MemoryContent>, question: Parameters<typeof answerQuestion>[1]): Answer {
  return answerQuestion(memoryPublication({ id, companies, ...content }), question);
}

function relationshipsOf(lei: string, content: Partial<MemoryContent>) {
  return dataIn(ask(content, { kind: 'relationships', lei }));
}

/** LEIs of the items, in order. */
function leisIn(children: unknown): unknown {
  return JSON.parse(JSON.stringify(children)).items.map((item: { lei: string }) => item.lei);
}

describe('a company', () => {
  test('is the stored text, with the notices that its mappings require', () => {
    const given = ask({ companies: [{ lei: child, name: 'A' }] }, { kind: 'company', lei: child });
    expect(given).toMatchObject({ outcome: 'found', next: null });
    for (const notice of ['bic', 'mic', 'gem'] as const) {
      const mapped = ask(
        { companies: [{ lei: child, name: 'A', mapped: [notice] }] },
        { kind: 'company', lei: child },
      );
      expect(mapped).toMatchObject({ outcome: 'found', notices: noticesOf([notice]) });
    }
  });

  test('that is only mentioned by others, or not at all, is not found', () => {
    for (const lei of [mentioned, unknown]) {
      expect(ask({}, { kind: 'company', lei })).toEqual({ outcome: 'not-found' });
      expect(ask({}, { kind: 'relationships', lei })).toEqual({ outcome: 'not-found' });
    }
  });
});

describe('parents', () => {
  test('are the ends of the active relationships, each with its name and its record', () => {
    const direct = relationship(child, mother);
    const ultimate = relationship(child, grandmother, { type: 'IS_ULTIMATELY_CONSOLIDATED_BY' });
    const data = relationshipsOf(child, { relationships: [ultimate, direct] });
    expect(data).toEqual({
      lei: child,
      name: 'Tochter "GmbH"',
      directParent: { lei: mother, name: 'Mutter AG', relationship: direct.relationship },
      ultimateParent: { lei: grandmother, name: 'Großmutter SE', relationship: ultimate.relationship },
      directChildren: { total: 0, items: [] },
      ultimateChildren: { total: 0, items: [] },
      others: [],
    });
  });

  test('without a record here have no name', () => {
    const data = relationshipsOf(child, { relationships: [relationship(child, mentioned)] });
    expect(data['directParent']).toMatchObject({ lei: mentioned, name: null });
  });

  test('with several current ones are the latest updated one, to the fraction of a second; none is lost', () => {
    const moments = ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00.5Z', '2023-12-31T23:59:59.9Z'];
    // The lowest LEI is not the latest one.
    const ends = [mother, other, grandmother];
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2], { minLength: 3 }), (order) => {
        const relationships = order.map((index) =>
          relationship(child, ends[index] ?? '', { updated: moments[index] ?? '' }),
        );
        const data = relationshipsOf(child, { relationships });
        expect(data['directParent']).toMatchObject({ lei: other });
        expect(leisIn({ items: data['others'] })).toEqual([grandmother, mother]);
      }),
    );
  });

  test('with several updated at once are the one with the lower LEI after every load', () => {
    const alike = [mother, grandmother, other].map((end) => relationship(child, end));
    for (const relationships of [alike, alike.toReversed()]) {
      expect(relationshipsOf(child, { relationships })['directParent']).toMatchObject({ lei: grandmother });
    }
  });

  test('with an update that is not a date are never the latest of several', () => {
    const odd = relationship(child, other, { updated: 'unknown' });
    const dated = relationship(child, mother);
    for (const relationships of [
      [odd, dated],
      [dated, odd],
    ]) {
      expect(relationshipsOf(child, { relationships })['directParent']).toMatchObject({ lei: mother });
    }
  });

  test('are an exception if there is no current one, even beside an inactive one, and otherwise null', () => {
    const exception = {
      category: 'DIRECT_ACCOUNTING_CONSOLIDATION_PARENT',
      reasons: ['NO_KNOWN_PERSON'],
      references: [],
    };
    const inactive = relationship(child, mother, { status: 'INACTIVE' });
    const content = {
      companies: companies.map((each) =>
        each.lei === child ? { ...each, direct: JSON.stringify(exception) } : each,
      ),
      relationships: [inactive],
    };
    const data = relationshipsOf(child, content);
    expect(data['directParent']).toEqual({ exception });
    expect(data['ultimateParent']).toBeNull();
    expect(data['others']).toEqual([
      { direction: 'parent', lei: mother, name: 'Mutter AG', relationship: inactive.relationship },
    ]);
    const current = relationshipsOf(child, { ...content, relationships: [relationship(child, other)] });
    expect(current['directParent']).toMatchObject({ lei: other });
    const ultimate = relationship(child, grandmother, { type: 'IS_ULTIMATELY_CONSOLIDATED_BY' });
    const besideIt = relationshipsOf(child, { ...content, relationships: [ultimate] });
    expect(besideIt['directParent']).toEqual({ exception });
    expect(besideIt['ultimateParent']).toMatchObject({ lei: grandmother });
  });
});

describe('children', () => {
  test('are complete and sorted by name, then by LEI, those without a name last, in any order of storage', () => {
    const leis = Array.from({ length: 30 }, (_, index) => `CHILD${String(index).padStart(13, '0')}00`);
    const named = leis.map((lei, index) => ({ lei, name: index % 5 === 0 ? null : `Name ${index % 3}` }));
    const byName = named
      .filter(({ name }) => name !== null)
      .toSorted((a, b) => (`${a.name} ${a.lei}` < `${b.name} ${b.lei}` ? -1 : 1));
    const expected = [...byName, ...named.filter(({ name }) => name === null)].map(({ lei }) => lei);
    fc.assert(
      fc.property(fc.shuffledSubarray(leis, { minLength: leis.length }), (order) => {
        const relationships = order.map((lei) => relationship(lei, mother));
        const data = relationshipsOf(mother, { companies: [...named, ...companies], relationships });
        expect(data['directChildren']).toMatchObject({ total: 30 });
        expect(leisIn(data['directChildren'])).toEqual(expected);
        expect(data['others']).toEqual([]);
      }),
    );
  });

  test('are sorted by UTF-16 code units, not by bytes, and by characters, not by their escapes', () => {
    const names = ['A "B"', 'A !', 'A \\', 'A ]', '\u{1F600}', '\uFB01nance', '日本'];
    const named = names.map((name, index) => ({ lei: `CHILD0000000000000${index}0`, name }));
    const relationships = named.map(({ lei }) => relationship(lei, mother));
    const data = relationshipsOf(mother, { companies: [...named, ...companies], relationships });
    const items: { name: string }[] = JSON.parse(JSON.stringify(data['directChildren'])).items;
    expect(items.map(({ name }) => name)).toEqual(names.toSorted());
  });

  test('of a large group make an answer of any size', () => {
    const named = Array.from({ length: 2000 }, (_, index) => ({
      lei: `CHILD${String(index).padStart(13, '0')}00`,
      name: `Company ${String(index).padStart(4, '0')}`,
    }));
    const relationships = named.map(({ lei }) => relationship(lei, mother));
    const data = relationshipsOf(mother, { companies: [...named, ...companies], relationships });
    expect(leisIn(data['directChildren'])).toEqual(named.map(({ lei }) => lei));
  });
});

describe('other relationships', () => {
  test('have the direction of the other end and are grouped by type, inactive ones included', () => {
    const relationships = [
      relationship(child, mother, { type: 'IS_INTERNATIONAL_BRANCH_OF', status: 'NULL' }),
      relationship(grandmother, child, { type: 'IS_SUBFUND_OF' }),
      relationship(other, child, { status: 'INACTIVE' }),
      relationship(child, other, { type: 'IS_FUND-MANAGED_BY' }),
    ];
    const { others, directChildren } = relationshipsOf(child, { relationships });
    const shown = JSON.parse(JSON.stringify(others));
    expect(shown.map((each: { direction: string; lei: string }) => [each.direction, each.lei])).toEqual([
      ['parent', other],
      ['parent', mother],
      ['child', other],
      ['child', grandmother],
    ]);
    expect(directChildren).toEqual({ total: 0, items: [] });
  });

  test('show a company that owns itself, and a circle of owners, without following them', () => {
    const circle = [relationship(child, mother), relationship(mother, child), relationship(child, child)];
    const data = relationshipsOf(child, { relationships: circle });
    expect(data['directParent']).toMatchObject({ lei: child });
    expect(leisIn(data['directChildren'])).toEqual([mother, child]);
    expect(leisIn({ items: data['others'] })).toEqual([mother]);
  });
});

describe('changes', () => {
  const changes = { [unknown]: ['{"kind":"removed"}', '{"kind":"created"}', '{"kind":"snapshot"}'] };

  test('of a removed company stay readable, page by page', () => {
    const first = ask({ changes }, { kind: 'changes', lei: unknown, after: null, limit: 2 });
    expect(first).toMatchObject({ next: '2' });
    expect(dataIn(first)).toEqual({ lei: unknown, items: [{ kind: 'removed' }, { kind: 'created' }] });
    const last = ask({ changes }, { kind: 'changes', lei: unknown, after: '2', limit: 2 });
    expect(last).toMatchObject({ next: null });
    expect(dataIn(last)).toEqual({ lei: unknown, items: [{ kind: 'snapshot' }] });
  });

  test('are an empty list without a history, and not found for an LEI that was never in the data', () => {
    expect(dataIn(ask({}, { kind: 'changes', lei: child, after: null, limit: 20 }))).toEqual({
      lei: child,
      items: [],
    });
    expect(ask({}, { kind: 'changes', lei: unknown, after: null, limit: 20 })).toEqual({
      outcome: 'not-found',
    });
  });

  test('that contain mappings require their notices', () => {
    const item = '{"kind":"change","changes":[{"field":"mappings.bic","from":[],"to":["DEUTDEFFXXX"]}]}';
    const given = ask(
      { changes: { [child]: [item] } },
      { kind: 'changes', lei: child, after: null, limit: 20 },
    );
    expect(given).toMatchObject({ notices: noticesOf(['bic']) });
  });

  test('with a snapshot require the notices of its mappings', () => {
    const noticesWith = (mappings: Readonly<Record<string, readonly string[]>>) => {
      const item = JSON.stringify({ kind: 'snapshot', record: { mappings } });
      return ask({ changes: { [child]: [item] } }, { kind: 'changes', lei: child, after: null, limit: 20 });
    };
    const none = { bic: [], mic: [], gem: [], qcc: ['QGBC4N1Y8V'] };
    expect(noticesWith(none)).toMatchObject({ notices: noNotices });
    expect(noticesWith({ ...none, bic: ['DEUTDEFFXXX'], mic: ['XETR'] })).toMatchObject({
      notices: noticesOf(['bic', 'mic']),
    });
    expect(noticesWith({ ...none, gem: ['E100000001096'] })).toMatchObject({
      notices: noticesOf(['gem']),
    });
  });
});

describe('search', () => {
  const question = {
    kind: 'search',
    q: 'tochter "x"',
    country: null,
    status: 'ISSUED',
    after: null,
    limit: 20,
  } as const;

  test('returns hits in the order and with the scores of the index, and the name that matched', () => {
    const given = ask(
      {
        companies: [
          {
            lei: child,
            name: 'Tochter',
            otherNames: [{ name: 'Daughter', type: 'TRADING_OR_OPERATING_NAME' }],
          },
        ],
        search: () => ({
          outcome: 'hits',
          total: 7,
          hits: [{ entity: 1, score: 0.97, nameIndex: 1 }],
          next: 'p',
        }),
      },
      { ...question, country: 'DE' },
    );
    expect(given).toMatchObject({ next: 'p' });
    expect(dataIn(given)).toEqual({
      query: { q: 'tochter "x"', country: 'DE', status: 'ISSUED' },
      total: 7,
      items: [
        {
          lei: child,
          name: 'Tochter',
          matchedName: { name: 'Daughter', type: 'TRADING_OR_OPERATING_NAME' },
          country: 'DE',
          jurisdiction: 'DE',
          city: 'BERLIN',
          entityStatus: 'ACTIVE',
          registrationStatus: 'ISSUED',
          score: 0.97,
        },
      ],
    });
  });

  test('for an ISIN finds its issuers, page by page and within the filters; for an unknown one it searches', () => {
    const isin = 'DE0005140008';
    const mappings = [child, mother, mentioned].map((lei) => ({ kind: 'isin' as const, value: isin, lei }));
    const search = (q: string, more: object = {}) => ask({ mappings }, { ...question, q, ...more });
    const first = search(isin, { limit: 1 });
    expect(dataIn(first)).toMatchObject({ total: 2, items: [{ lei: child, score: 1 }] });
    const next = first.outcome === 'found' ? first.next : null;
    expect(dataIn(search(isin, { limit: 1, after: next }))['items']).toMatchObject([{ lei: mother }]);
    for (const written of ['ISIN: de000 514000 8', 'de0005140008']) {
      expect([written, dataIn(search(written))['total']]).toEqual([written, 2]);
    }
    expect(dataIn(search(isin, { country: 'FR' }))['total']).toBe(0);
    expect(dataIn(search(isin, { status: 'LAPSED' }))['total']).toBe(0);
    expect(dataIn(search('US0378331005'))['total']).toBe(0);
    const suggested = dataIn(ask({ mappings }, { kind: 'suggest', q: isin }));
    expect(suggested['items']).toMatchObject([{ lei: child }, { lei: mother }]);
  });

  test('for an OpenCorporates id, also as an address, finds its company', () => {
    const mappings = [{ kind: 'ocid' as const, value: 'gb/00102498', lei: child }];
    for (const q of [
      'gb/00102498',
      ' GB/00102498 ',
      'https://opencorporates.com/companies/gb/00102498',
      'OpenCorporates: gb/00102498',
    ]) {
      const given = dataIn(ask({ mappings }, { ...question, q }));
      expect([q, given['items']]).toMatchObject([q, [{ lei: child, score: 1 }]]);
      expect(dataIn(ask({ mappings }, { kind: 'suggest', q }))['items']).toMatchObject([{ lei: child }]);
    }
    expect(dataIn(ask({ mappings }, { ...question, q: 'gb/0010249' }))['total']).toBe(0);
  });

  test('refuses a country that is neither in ISO 3166-1 nor in the publication, and says what is allowed', () => {
    const given = ask({}, { ...question, country: 'ZZ' });
    expect(given).toMatchObject({ outcome: 'invalid', parameter: 'country' });
    expect(JSON.stringify(given)).toContain('ISO 3166-1');
    expect(ask({}, { ...question, country: 'FR' }).outcome).toBe('found');
    const kosovo = [{ lei: child, name: 'A', country: 'XK' }];
    expect(ask({ companies: kosovo }, { ...question, country: 'XK' }).outcome).toBe('found');
  });

  test('that reaches its time limit is unavailable, like a question that waited too long', () => {
    const timeout = { outcome: 'timeout', detail: 'The search took more than 1000 ms.' } as const;
    expect(ask({ search: () => timeout }, question)).toEqual({ outcome: 'unavailable', reason: 'timeout' });
  });

  test('passes on a refusal of the index', () => {
    const refused = { outcome: 'refused', detail: 'was never given out' } as const;
    expect(ask({ search: () => refused }, question)).toEqual({
      outcome: 'invalid',
      parameter: 'cursor',
      detail: 'was never given out',
    });
  });
});

describe('identifiers', () => {
  const row = (kind: IdentifierKind, value: string, lei: string) => ({ kind, value, lei });
  const entity = (lei: string, name: string | null) => ({
    lei,
    name,
    country: name === null ? null : 'DE',
    entityStatus: name === null ? null : 'ACTIVE',
    registrationStatus: name === null ? null : 'ISSUED',
    links: { self: `/api/v1/lei/${lei}` },
  });

  test('name every company they are mapped to; one without a record has nulls', () => {
    const mappings = [row('isin', 'DE0005140008', mother), row('isin', 'DE0005140008', mentioned)];
    const given = ask({ mappings }, { kind: 'isin', value: 'DE0005140008' });
    expect(dataIn(given)).toEqual({
      isin: 'DE0005140008',
      entities: [entity(mother, 'Mutter AG'), entity(mentioned, null)],
    });
    expect(given).toMatchObject({ notices: noNotices });
  });

  test('that are mapped to nobody are not found', () => {
    for (const kind of ['bic', 'isin', 'mic', 'gem', 'qcc'] as const) {
      expect(ask({}, { kind, value: 'X' })).toEqual({ outcome: 'not-found' });
    }
  });

  test('of 8 characters (BIC) find the head office, and the answer has the 11-character form', () => {
    const mappings = [row('bic', 'DEUTDEFFXXX', mother), row('bic', 'DEUTDEFF500', other)];
    for (const value of ['DEUTDEFF', 'DEUTDEFFXXX']) {
      const given = ask({ mappings }, { kind: 'bic', value });
      expect(dataIn(given)).toEqual({ bic: 'DEUTDEFFXXX', entities: [entity(mother, 'Mutter AG')] });
      expect(given).toMatchObject({ notices: noticesOf(['bic']) });
    }
  });

  test('of kind GEM require their own notice', () => {
    const mappings = [row('gem', 'E100000001096', mother)];
    const given = ask({ mappings }, { kind: 'gem', value: 'E100000001096' });
    expect(given).toMatchObject({ notices: noticesOf(['gem']) });
  });

  test('of a segment MIC are answered through the operating MIC, and the answer says so', () => {
    const json = JSON.stringify({
      name: 'XETRA - SEGMENT',
      type: 'SGMT',
      country: 'DE',
      city: 'FRANKFURT',
      status: 'ACTIVE',
    });
    const content = {
      mappings: [row('mic', 'XETR', mother)],
      micList: { XETS: { operatingMic: 'XETR', json } },
    };
    const given = ask(content, { kind: 'mic', value: 'XETS' });
    expect(dataIn(given)).toEqual({
      mic: 'XETS',
      operatingMic: 'XETR',
      record: JSON.parse(json),
      entities: [entity(mother, 'Mutter AG')],
    });
    expect(given).toMatchObject({ notices: noticesOf(['mic']) });
  });

  test('of a segment of a segment are answered through both steps, and show the operating MIC as listed', () => {
    const line = (operatingMic: string) => ({ operatingMic, json: '{}' });
    const content = {
      mappings: [row('mic', 'XPAR', mother)],
      micList: { VRXP: line('XMLI'), XMLI: line('XPAR'), XPAR: line('XPAR') },
    };
    expect(dataIn(ask(content, { kind: 'mic', value: 'VRXP' }))).toEqual({
      mic: 'VRXP',
      operatingMic: 'XMLI',
      record: {},
      entities: [entity(mother, 'Mutter AG')],
    });
  });

  test('of segments that name each other as operating MIC are known, but lead to nobody', () => {
    const micList = {
      XAAA: { operatingMic: 'XBBB', json: '{}' },
      XBBB: { operatingMic: 'XAAA', json: '{}' },
    };
    expect(dataIn(ask({ micList }, { kind: 'mic', value: 'XAAA' }))).toMatchObject({
      operatingMic: 'XBBB',
      entities: [],
    });
  });

  test('of a listed MIC that is mapped to nobody are known too; without the list the record is null', () => {
    const listed = ask(
      { micList: { XABC: { operatingMic: 'XABC', json: '{"name":"A"}' } } },
      { kind: 'mic', value: 'XABC' },
    );
    expect(dataIn(listed)).toEqual({
      mic: 'XABC',
      operatingMic: 'XABC',
      record: { name: 'A' },
      entities: [],
    });
    expect(listed).toMatchObject({ notices: noNotices });
    const unlisted = ask({ mappings: [row('mic', 'XABC', mother)] }, { kind: 'mic', value: 'XABC' });
    expect(dataIn(unlisted)).toMatchObject({ mic: 'XABC', operatingMic: null, record: null });
  });
});
