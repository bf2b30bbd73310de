/**
 * Tests the HTML of a company's page: no text of a record becomes markup, codes are described, and the history is a
 * time line.
 */
import { describe, expect, test } from 'bun:test';
import type { TSchema } from '@sinclair/typebox';
import fc from 'fast-check';
import { companyExample } from '../../src/api/company.ts';
import changesExample from '../../src/api/examples/changes.json' with { type: 'json' };
import childrenExample from '../../src/api/ext/examples/children.json' with { type: 'json' };
import { tableColumns } from '../../src/export/columns.ts';
import { nameOf, summary } from '../../src/html/company.ts';
import { fieldName, type History, timeLine } from '../../src/html/history.ts';
import { type Html, html } from '../../src/html/html.ts';
import { childrenHtml, parentsHtml, pictureFrame } from '../../src/html/ownership.ts';
import { programs } from '../../src/html/programs.ts';
import { recordSections } from '../../src/html/record.ts';
import { type Company, CompanySchema } from '../../src/lei/company.ts';
import type { ChildrenOnPage, ParentsAnswer } from '../../src/lei/page-answers.ts';
import { RelationshipSchema } from '../../src/lei/relationship.ts';

const place = { basePath: '/base', baseUrl: 'https://example.org/base' };

/** The shapes of real answers, with members that the examples lack. */
function samples() {
  const company: Company = structuredClone(companyExample.data);
  company.entity.successorEntities = [
    { lei: null, name: 'Successor' },
    { lei: '529900K9B0N5BT694847', name: null },
  ];
  company.entity.transliteratedOtherNames = [
    { name: 'Name', language: 'ja', type: 'AUTO_ASCII_TRANSLITERATED_LEGAL_NAME' },
  ];
  company.entity.otherAddresses = [
    { ...company.entity.legalAddress, type: 'ALTERNATIVE_LANGUAGE_LEGAL_ADDRESS' },
  ];
  company.entity.associatedEntity = { type: 'FUND_FAMILY', lei: null, name: 'Manager' };
  company.entity.expiration = { date: '2019-12-31T23:00:00Z', day: '2020-01-01', reason: 'DISSOLVED' };
  company.validation.otherValidationAuthorities = [
    { validatedAt: { id: 'RA1', other: 'Register' }, validatedAs: '7' },
  ];
  company.mappings = {
    ...company.mappings,
    bic: ['DEUTDEFFXXX'],
    ocid: ['de/M1201_HRB32000'],
    isin: { count: 40, first: ['DE0005140008'] },
  };
  const facts = { country: 'FR', entityStatus: 'INACTIVE', registrationStatus: 'RETIRED' };
  const items = childrenExample.data.items.map((item) => ({ ...item, ...facts }));
  const children: ChildrenOnPage = JSON.parse(JSON.stringify({ ...childrenExample.data, items }));
  const [related] = children.items;
  if (related === undefined) throw new Error('The example has no child.');
  const parents: ParentsAnswer = {
    lei: company.lei,
    name: 'Name',
    directParent: { exception: { category: 'D', reasons: ['NO_LEI', 'ODD'], references: ['Because'] } },
    ultimateParent: related,
    others: [related, { ...related, relationship: { ...related.relationship, status: 'INACTIVE' } }],
    children: { direct: 30, ultimate: 40, fund: 1, branch: 1 },
  };
  const changes: History = JSON.parse(JSON.stringify(changesExample.data));
  changes.items.push({ kind: 'snapshot', at: '2020-01-01T00:00:00Z', source: 'file', record: company });
  return { company, children, parents, changes };
}

/** Before the renewal of the example. */
const dataOf = '2024-05-05T00:00:00Z';

type Samples = ReturnType<typeof samples>;

const nameless = { managingLou: null, registers: new Map<string, string>() };

/** All that a record has codes of, with its own name. */
function namesIn({ entity, validation }: Samples['company']) {
  const { name } = entity.legalName;
  const codes = [entity.registeredAt, validation.validatedAt].flatMap(({ id }) => id ?? []);
  return { managingLou: name, registers: new Map(codes.map((code) => [code, name] as const)) };
}

function page({ company, children, parents, changes }: Samples): Html {
  return html`${summary(company, dataOf)}${recordSections(place, company, namesIn(company), dataOf)}
${parentsHtml(place, parents)}${childrenHtml(place, [children, { ...children, kind: 'fund' }])}
${timeLine(place, changes)}${programs(place, company, parents)}${pictureFrame(place, company.lei, nameOf(company), true)}`;
}

/** Replaces every text of an answer by the next one of a list. */
function withTexts<Value>(value: Value, texts: readonly string[]): Value {
  let next = 0;
  const replaced = JSON.stringify(value, (key, each) =>
    typeof each === 'string' && !['kind', 'type'].includes(key) ? texts[next++ % texts.length] : each,
  );
  return JSON.parse(replaced);
}

/** The names of all elements and attributes of a page. */
async function markupOf(text: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  const rewriter = new HTMLRewriter().on('*', {
    element(element) {
      names.add(element.tagName);
      for (const [name] of element.attributes) names.add(name);
    },
  });
  await rewriter.transform(new Response(text)).text();
  return names;
}

describe('a text of a record', () => {
  const attack = fc.constantFrom(
    '<evil-element evil-attribute>',
    '" evil-attribute="',
    "' evil-attribute='",
    '</code></pre><evil-element>',
    '--><evil-element>',
    '&lt;evil-element&gt;<evil-element',
  );
  const hostile = fc
    .tuple(fc.string({ unit: 'binary', maxLength: 8 }), attack, fc.string({ maxLength: 8 }))
    .map((parts) => parts.join(''));

  test('never becomes markup, wherever it appears', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 20 }), async (texts) => {
        const { text } = page(withTexts(samples(), texts));
        const names = await markupOf(text);
        expect(names.has('evil-element')).toBe(false);
        expect(names.has('evil-attribute')).toBe(false);
        expect(names.has('h2')).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('is shown, as is every name and every code of the record', () => {
    const { text } = page(samples());
    for (const shown of [
      'MAXRETS VENTURES PLC',
      'GREENCARE CAPITAL LTD',
      'DEUTDEFFXXX',
      'de/M1201_HRB32000',
      'RA000585',
      '12237710',
      '5 FLEET PLACE',
    ]) {
      expect(text).toContain(shown);
    }
    expect(text).toContain('All 40 ISINs');
  });
});

describe('codes', () => {
  const { text } = page(samples());
  test.each([
    ['a legal form', 'Public Limited Company'],
    ['a country', 'United Kingdom'],
    ['a reporting exception', 'None is reported: its parent does not consent to have an LEI; ODD.'],
    ['the kind of a name', 'Former legal name'],
    ['how far a record is confirmed', 'Public sources confirm all of it'],
    ['a former parent', 'Former: direct parent'],
  ])('have a description of %s beside them', (_, words) => {
    expect(text).toContain(words);
  });
});

describe('a code', () => {
  test('stands in the title of its meaning, not beside it', () => {
    const { text } = page(samples());
    expect(text).toContain('<bdi title="ACTIVE">Active</bdi>');
    expect(text).toContain('<span title="NO_LEI ODD">None is reported: its parent');
  });

  test('of a region is shown by its name, and as it is if the standard does not have it', () => {
    const { company } = samples();
    const shown = (region: string) => {
      Object.assign(company.entity.legalAddress, { region, country: 'FR' });
      return html`${recordSections(place, company, nameless, dataOf)}`.text;
    };
    expect(shown('FR-IDF')).toContain('<bdi>Île-de-France</bdi>');
    expect(shown('FR-ODD')).toContain('<bdi>FR-ODD</bdi>');
  });
});

describe('a relative', () => {
  test('is marked if it, its LEI or the report of the relationship is not up to date, with its country', () => {
    const { parents } = samples();
    const related = parents.others[0];
    if (related === undefined) throw new Error('The sample has no relative.');
    const lapsed = structuredClone(related);
    lapsed.relationship.registration.status = 'LAPSED';
    const { text } = parentsHtml(place, { ...parents, directParent: lapsed });
    for (const mark of ['Inactive', 'LEI retired', 'Report lapsed']) {
      expect(text).toContain(`<span class="badge">${mark}</span>`);
    }
    expect(text).toContain('France');
    const good = { ...related, entityStatus: 'ACTIVE', registrationStatus: 'ISSUED' };
    good.relationship.registration.status = 'PUBLISHED';
    const plain = parentsHtml(place, { ...parents, ultimateParent: good, others: [] });
    expect(plain.text).not.toContain('class="badge"');
  });
});

describe('a list of children', () => {
  test('says on paper where all of them are, if the page has the first ones only', () => {
    const { children } = samples();
    const [item] = children.items;
    if (item === undefined) throw new Error('The sample has no child.');
    const listed = (shown: number, total: number) => {
      const items = Array.from({ length: shown }, () => item);
      return html`${childrenHtml(place, [{ ...children, kind: 'direct', items, total }])}`.text;
    };
    const printed = `<span class="printed">: ${place.baseUrl}/company/${children.lei}/children?kind=direct</span>`;
    expect(listed(20, 580)).toContain(printed);
    expect(listed(80, 80)).not.toContain('class="printed"');
  });
});

describe('what the page says of the LEI', () => {
  const registered = (changed: (company: Company) => void, at = dataOf) => {
    const { company } = samples();
    changed(company);
    const { text } = html`${summary(company, at)}${recordSections(place, company, nameless, at)}`;
    return text;
  };

  test('follows from its status, unless its record does not conform', () => {
    const conforming = registered(({ validation }) => (validation.conformityFlag = 'CONFORMING'));
    expect(conforming).toContain('The LEI is valid and its record is kept up to date.');
    expect(registered(() => {})).toContain(
      'The LEI is valid, but its record does not follow GLEIF’s policies.',
    );
    const lapsed = registered(({ registration }) => (registration.status = 'LAPSED'), '2026-01-23T08:00:00Z');
    expect(lapsed).toContain('The LEI was not renewed in time');
    expect(lapsed).not.toContain('Renewal overdue');
  });

  test('is that its renewal is overdue where it is, at the date of the data', () => {
    const text = registered(() => {}, '2026-01-23T08:00:00Z');
    const [since, data] = ['<time datetime="2025-05-04">4 May 2025</time>', '23 January 2026</time>'];
    expect(text).toContain(`<p>Renewal overdue since ${since}, by the data of <time`);
    expect(text).toContain(data);
    expect(text).toContain('<span class="badge">Renewal overdue</span>');
    expect(text).not.toContain('The LEI is valid');
  });
});

describe('dates', () => {
  test('are days as they were written, and as published where UTC has no day for them', () => {
    const { company } = samples();
    Object.assign(company.entity, { creationDate: '1952-11-10T23:00:00Z', creationDay: '1952-11-11' });
    expect(summary(company, dataOf).text).toContain('founded <time datetime="1952-11-11">11 November 1952');
    const published = '0001-01-01T00:00:00+01:00';
    Object.assign(company.entity, { creationDate: published, creationDay: '0001-01-01' });
    expect(summary(company, dataOf).text).toContain(
      `founded <time datetime="${published}">${published}</time>`,
    );
  });
});

describe('the history', () => {
  const { text } = timeLine(place, samples().changes);

  test('shows what changed, from which value to which, newest first', () => {
    expect(text).toContain('Legal address: city, Other names changed');
    expect(text).toContain('<td><bdi>LONDON</bdi></td><td><bdi>LEEDS</bdi></td>');
    expect(text).toContain('<td><span class="quiet">nothing</span></td>');
    expect(text.indexOf('6 May 2024')).toBeLessThan(text.indexOf('5 May 2024'));
  });

  test('shows a changed time as one row, by its days as written', () => {
    const { changes } = samples();
    const time = {
      field: 'registration.nextRenewalDate',
      from: '2024-05-03T22:00:00Z',
      to: '2025-05-03T22:00:00Z',
    };
    const day = { field: 'registration.nextRenewalDay', from: '2024-05-04', to: '2025-05-04' };
    const item = { kind: 'change', at: dataOf, datasetVersion: 'v', changes: [time, day] } as const;
    const { text } = timeLine(place, { ...changes, items: [{ ...item, changes: [...item.changes] }] });
    expect(text).toContain('<strong>Next renewal date changed</strong>');
    expect(text).toContain('4 May 2024</time></td><td><time datetime="2025-05-04">4 May 2025</time>');
  });

  test('names every field of a record or a relationship differently', () => {
    const fields = (schema: TSchema) => tableColumns(schema).map(({ name }) => name);
    for (const schema of [CompanySchema, RelationshipSchema]) {
      const names = fields(schema).map(fieldName);
      expect(names.length).toBe(new Set(names).size);
    }
  });

  test('shows relationships from this company’s side, with a link to the other company', () => {
    expect(text).toContain('<strong>Direct parent</strong> <a href="/base/company/7LTWFZYICNSX8D621K86">');
    expect(text).toContain('is no longer reported');
  });

  test('links each snapshot to the record as of its date', () => {
    expect(text).toContain('/base/ext/v1/lei/213800E5Z6QRDSMZMK84/as-of/2020-01-01T00:00:00Z');
  });
});
