/** Tests which company is meant by names as people write them into lists, among companies with such names. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { KnownOfCompany } from '../../src/protocol/ext-questions.ts';
import { matchCompany } from '../../src/query/match.ts';
import type { PublicationReader } from '../../src/store/publication-reader.ts';
import { type CompanyTraits, company, operator } from '../loader/publishing.ts';

/** A name that only the company of a city has. */
const namedIn = (country: string, city: string) => `Quendolin ${country}${city.length} Tarvik`;

/** The city of a record, its country, and other names of it. */
const citiesOfRecords: readonly (readonly [record: string, country: string, ...written: string[]])[] = [
  ['Wien', 'AT', 'Vienna', 'Wien, 1010', 'VIENNE'],
  ["'s-Gravenhage", 'NL', 'The Hague', 'Den Haag', 'La Haye'],
  ['Москва', 'RU', 'Moscow', 'Moskau', 'MOSKVA'],
  ['г.Москва', 'RU', 'Moscow', 'Москва'],
  ['м. Київ', 'UA', 'Kyiv', 'Kiev'],
  ['دبي', 'AE', 'Dubai'],
  ['부산광역시', 'KR', 'Busan'],
  ['Genève', 'CH', 'Geneva', 'Genf', 'GENEVE 11'],
  ['PARIS LA DEFENSE CEDEX 9', 'FR', 'Puteaux', 'La Défense'],
  ['LYON CEDEX 03', 'FR', 'Lyon', 'LYON 3'],
];

/** Codes of the ISO 20275 list. */
const form = { frenchSa: '5RDO', plc: 'B6ES', none: '9999' };

const companies: readonly (CompanyTraits & { readonly name: string })[] = [
  { name: 'Citibank, National Association', country: 'US', city: 'Sioux Falls' },
  { name: 'FIDELITY BANK, NATIONAL ASSOCIATION', country: 'US', city: 'Wichita' },
  { name: 'PRIMEWAY FEDERAL CREDIT UNION', country: 'US', city: 'Houston' },
  { name: 'OPEN MORTGAGE, LLC', country: 'US', city: 'Austin' },
  { name: 'BNP PARIBAS', country: 'FR', city: 'Paris', legalForm: form.frenchSa },
  { name: 'UAB BANK LIMITED', country: 'MM', city: 'Yangon', otherNames: ['UAB BANK'] },
  { name: 'AB STUDIO', country: 'FR', city: 'Lyon', legalForm: form.none },
  { name: 'APS SARL', country: 'ML', city: 'Bamako', legalForm: form.none },
  { name: 'P.L.C.', country: 'BE', city: 'Gent', legalForm: form.none },
  { name: 'SAS AB', country: 'SE', city: 'Stockholm', legalForm: form.none },
  { name: 'Storch Bau AG in Liquidation', country: 'CH', city: 'Chur', legalForm: form.none },
  { name: 'Siemens Aktiengesellschaft', country: 'DE', city: 'München', legalForm: form.none },
  { name: 'UNILEVER PLC', country: 'GB', city: 'London' },
  { name: 'UBS AG', country: 'CH', city: 'Zürich', legalForm: form.none },
  {
    name: 'UBS AG, Jersey Branch',
    country: 'JE',
    city: 'St Helier',
    category: 'BRANCH',
    legalForm: form.none,
  },
  { name: 'BANK OF CHINA LIMITED', country: 'CN', city: 'Beijing', legalForm: form.none },
  { name: 'ENTAIN PLC', country: 'IM', city: 'Douglas' },
  { name: 'WESTPAC BANKING CORPORATION', country: 'AU', city: 'Sydney', legalForm: form.none },
  { name: 'Peoples Bank', country: 'US', city: 'Cuba', legalForm: form.none },
  { name: 'Allianz SE', country: 'DE', city: 'München', legalForm: form.none },
  {
    name: 'DEUTSCHE BANK AKTIENGESELLSCHAFT',
    country: 'DE',
    city: 'Frankfurt am Main',
    legalForm: form.none,
  },
  { name: 'COBAS MIXTO GLOBAL', country: 'ES', city: 'Madrid', legalForm: form.none },
  { name: 'ROBERT BOSCH S.A.', country: 'PY', city: 'Asunción', legalForm: form.none },
  { name: 'CITIGROUP GLOBAL MARKETS LIMITED', country: 'GB', city: 'London' },
  { name: 'GLENCORE PLC', country: 'JE', city: 'St Helier', legalForm: form.none },
  { name: 'AMDAR COMPANY, LLC', country: 'US', city: 'Denver', legalForm: form.none },
  { name: 'FILINVEST DEVELOPMENT CORPORATION', country: 'PH', city: 'Taguig', legalForm: form.none },
  { name: 'Walter Blassnig e.U.', country: 'AT', city: 'Lienz', legalForm: form.none },
  { name: 'Möbel Krügerhausen GmbH', country: 'DE', city: 'Frankfurt am Main', legalForm: form.none },
  { name: 'Möbel Krügerhausen GmbH', country: 'DE', city: 'Hamburg', legalForm: form.none },
  {
    name: 'открытое акционерное общество "Белагропромбанк"',
    country: 'BY',
    city: 'Минск',
    legalForm: form.none,
  },
  { name: '株式会社みずほ銀行', country: 'JP', city: '東京都千代田区', legalForm: form.none },
  { name: 'BRITISH AMERICAN TOBACCO P.L.C.', country: 'GB', city: 'London' },
  { name: 'Skandinaviska Enskilda Banken AB (publ)', country: 'SE', city: 'Stockholm', legalForm: form.none },
  { name: 'OTP BANK NYRT.', country: 'HU', city: 'Budapest', legalForm: form.none },
  { name: 'KDDI株式会社', country: 'JP', city: '東京都新宿区', legalForm: form.none },
  { name: 'KLEINMOND WINERY LIMITED', country: 'GB', city: 'Glasgow', registeredAs: 'SC012345' },
  {
    name: 'Zahnradwerk Ottensen GmbH',
    country: 'DE',
    city: 'München',
    registeredAs: 'HRB 4711',
    legalForm: form.none,
  },
  {
    name: 'Kornmøllen Vestergaard ApS',
    country: 'DK',
    city: 'København',
    registeredAs: '12345674',
    legalForm: form.none,
  },
  {
    name: 'Maple Orchard Foods Inc.',
    country: 'CA',
    city: 'Vancouver',
    registeredAs: 'BC0749319',
    legalForm: form.none,
  },
  { name: 'LAGAN QUARRIES LIMITED', country: 'GB', city: 'Belfast', registeredAs: 'NI004321' },
  ...citiesOfRecords.map(([city, country]) => ({ name: namedIn(country, city), country, city })),
];

let publication: PublicationReader;
beforeAll(async () => {
  const someone = operator();
  await someone.load({
    at: '2026-01-01T00:00:00Z',
    companies: companies.map((traits, n) => company(n + 1, traits)),
  });
  publication = await someone.open();
});
afterAll(() => publication.close());

function ask(name: string | null, more: Partial<KnownOfCompany> = {}) {
  const nothing = { country: null, city: null, registrationNumber: null, lei: null };
  return matchCompany(publication, { name, ...nothing, ...more });
}

/** The verdict, and the name and city of the first candidate. */
function told(name: string | null, more: Partial<KnownOfCompany> = {}) {
  const { verdict, candidates } = ask(name, more);
  return [verdict, candidates[0]?.name ?? null];
}

describe('a match', () => {
  const same: readonly (readonly [written: string, name: string, more?: Partial<KnownOfCompany>])[] = [
    ['Citibank, N.A.', 'Citibank, National Association'],
    ['CITIBANK NA', 'Citibank, National Association'],
    ['FIDELITY BK NA', 'FIDELITY BANK, NATIONAL ASSOCIATION', { country: 'US' }],
    ['PRIMEWAY FCU', 'PRIMEWAY FEDERAL CREDIT UNION'],
    ['OPEN MTG LLC', 'OPEN MORTGAGE, LLC'],
    ['BNP Paribas SA', 'BNP PARIBAS'],
    ['UAB BANK', 'UAB BANK LIMITED'],
    ['AB STUDIO', 'AB STUDIO'],
    ['APS SARL', 'APS SARL'],
    ['P.L.C.', 'P.L.C.'],
    ['SAS AB', 'SAS AB'],
    ['Storch Bau AG', 'Storch Bau AG in Liquidation'],
    ['Storch Bau AG i.L.', 'Storch Bau AG in Liquidation'],
    ['Siemens AG, München', 'Siemens Aktiengesellschaft'],
    ['Siemens AG, Munich', 'Siemens Aktiengesellschaft'],
    ['Unilever PLC London', 'UNILEVER PLC'],
    ['UBS AG London Branch', 'UBS AG'],
    ['UBS AG, Jersey Branch', 'UBS AG, Jersey Branch'],
    ['BNP Paribas (Athens, Attica, GR, Branch)', 'BNP PARIBAS', { country: 'GR' }],
    ['Bank of China (London branch)', 'BANK OF CHINA LIMITED'],
    ['Filinvest Developement Corporation', 'FILINVEST DEVELOPMENT CORPORATION'],
    ['Walter Blassnig e.UU.', 'Walter Blassnig e.U.'],
    ['WESTPAC BANKING CORPORATION', 'WESTPAC BANKING CORPORATION', { country: 'UK' }],
    ['British American Tobacco (BAT)', 'BRITISH AMERICAN TOBACCO P.L.C.'],
    ['BELAGROPROMBANK JSC', 'открытое акционерное общество "Белагропромбанк"', { country: 'BY' }],
    ['Mizuho Bank, Ltd.', '株式会社みずほ銀行', { country: 'JP' }],
    ['Deutsche Bank AG c/o Allianz SE', 'DEUTSCHE BANK AKTIENGESELLSCHAFT'],
    ['Deutsche Bank AG d/b/a Allianz SE', 'DEUTSCHE BANK AKTIENGESELLSCHAFT'],
    ['Deutsche Bank AG (formerly Allianz SE)', 'DEUTSCHE BANK AKTIENGESELLSCHAFT'],
    ['Deutsche Bank AG on behalf of Allianz SE', 'DEUTSCHE BANK AKTIENGESELLSCHAFT'],
  ];
  for (const [written, name, more] of same) {
    test(`of ${written} with ${JSON.stringify(more ?? {})} is ${name}`, () => {
      expect(told(written, more)).toEqual(['match', name]);
    });
  }

  const others: readonly (readonly [written: string, more?: Partial<KnownOfCompany>])[] = [
    ['PEOPLES BANK', { country: 'US', city: 'Clive' }],
    ['Allianz SE', { lei: '7LTWFZYICNSX8D621K86' }],
    ['Allianz SE', { registrationNumber: '99999999' }],
    ['ALMAHA PRODUCTION c/o COBAS MIXTO GLOBAL'],
    ['ALMAHA PRODUCTION d/b/a COBAS MIXTO GLOBAL'],
    ['ALMAHA PRODUCTION formerly COBAS MIXTO GLOBAL'],
    ['ALMAHA PRODUCTION on behalf of COBAS MIXTO GLOBAL'],
    ['Robert Bosch GmbH'],
    ['Citigroup Global Markets Inc.'],
    ['GLENCORE AG', { country: 'CH', city: 'Baar' }],
    ['AMD'],
  ];
  for (const [written, more] of others) {
    test(`of ${written} with ${JSON.stringify(more ?? {})} is none or ambiguous`, () => {
      expect(ask(written, more).verdict).not.toBe('match');
    });
  }

  test('of a single word in another country has its company first', () => {
    const [verdict, first] = told('ENTAIN PLC', { country: 'GB' });
    expect([verdict === 'none', first]).toEqual([false, 'ENTAIN PLC']);
  });

  test('of initials has the company that they stand for among its candidates', () => {
    for (const [written, name] of [
      ['SEB', 'Skandinaviska Enskilda Banken AB (publ)'],
      ['S.E.B. AB', 'Skandinaviska Enskilda Banken AB (publ)'],
      ['OTP', 'OTP BANK NYRT.'],
      ['KDDI', 'KDDI株式会社'],
      ['BAT', 'BRITISH AMERICAN TOBACCO P.L.C.'],
    ] as const) {
      const { verdict, candidates } = ask(written);
      expect([verdict === 'none', candidates[0]?.name]).toEqual([false, name]);
    }
  });

  test('both sides of d/b/a are candidates', () => {
    const { candidates } = ask('ALMAHA PRODUCTION d/b/a COBAS MIXTO GLOBAL');
    expect(candidates.map(({ name }) => name)).toContain('COBAS MIXTO GLOBAL');
  });

  test('the city decides between two companies of one name, under any of its names', () => {
    const cityOf = (city: string) => {
      const { verdict, candidates } = ask('Moebel Kruegerhausen GmbH', { city });
      return [verdict, publication.find(candidates[0]?.lei ?? '')?.entity];
    };
    expect(ask('Möbel Krügerhausen GmbH').verdict).toBe('ambiguous');
    const [frankfurt, hamburg] = [cityOf('Francfort'), cityOf('Hamburg')];
    expect([frankfurt[0], hamburg[0]]).toEqual(['match', 'match']);
    expect(frankfurt[1]).not.toBe(hamburg[1]);
  });

  for (const [record, country, ...written] of citiesOfRecords) {
    test(`knows ${record} as ${written.join(', ')}`, () => {
      for (const city of written) {
        const [first] = ask(namedIn(country, record), { country, city }).candidates;
        expect([city, first?.features.city]).toEqual([city, 1]);
      }
    });
  }

  test('says what was read out of the name', () => {
    const [first] = ask('UBS AG London Branch').candidates;
    expect(first?.features).toMatchObject({ form: 'ag', state: null, place: 'london, GB', branch: true });
    const [storch] = ask('Storch Bau AG i.L.').candidates;
    expect(storch?.features).toMatchObject({ form: 'ag', state: 'i.l.', place: null, branch: false });
  });
});

describe('a registration number', () => {
  const numbers: readonly (readonly [written: string, country: string | null, name: string])[] = [
    ['SC12345', 'GB', 'KLEINMOND WINERY LIMITED'],
    ['SC 012345', null, 'KLEINMOND WINERY LIMITED'],
    ['NI4321', 'GB', 'LAGAN QUARRIES LIMITED'],
    ['BC749319', 'CA', 'Maple Orchard Foods Inc.'],
    ['HRB 04711', 'DE', 'Zahnradwerk Ottensen GmbH'],
    ['HRB 4711 München', 'DE', 'Zahnradwerk Ottensen GmbH'],
    ['DK12345674', 'DK', 'Kornmøllen Vestergaard ApS'],
  ];
  for (const [registrationNumber, country, name] of numbers) {
    test(`written as ${registrationNumber} finds its company, and never counts against it`, () => {
      expect(told(null, { registrationNumber, country })).toEqual(['match', name]);
      expect(told(name, { registrationNumber, country })).toEqual(['match', name]);
    });
  }
});
