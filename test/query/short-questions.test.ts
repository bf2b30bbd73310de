/** Tests which company is meant by a question of one word, of which a longer name has more. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { matchCompany, type Verdict } from '../../src/query/match.ts';
import type { PublicationReader } from '../../src/store/publication-reader.ts';
import { bic, company, isin, lei, operator, relationship } from '../loader/publishing.ts';
import { type NameQuestion, testNameQuestions } from './match-questions.ts';

const names = [
  'BULK OCEAN SHIPPING COMPANY (BERMUDA) LTD.',
  'STOCHASTIC LARKMOOR (SL) LTD',
  'ABACUS COATING TIMBERS (ACT) PTY LTD',
  'PRIVATE EQUITY (POLARIS) LP',
  'PAN AFRICAN CONSULTING AND ENGINEERING SERVICES (PACES) LTD',
  'Quellberg Handel und Warenlogistik (QBHW)',
  'HEMSLEY SETTLEMENT (H118)',
  'CORP-COLMENAR S.A.S.',
  'NUCA-NULA BOTTLING LTD',
  'IBX-INTERNATIONAL BUSINESS XYLOPHONES LTD',
  'BNI - BANCO DE NEGOCIOS INTERNACIONAL S.A.',
  'PERU - PETROLEOS DEL NORTE S.A.',
  'ROMMEL & SØNNER (R&S) LTD',
];

const questions: readonly NameQuestion[] = [
  // A place, a legal form or a brand in brackets is no short name.
  ['Bermuda', 'none'],
  ['SL', 'none'],
  ['ACT', 'none'],
  ['Polaris', 'none'],
  // Capitals that are made of the name's letters are one.
  ['PACES', 'match', 'PAN AFRICAN CONSULTING AND ENGINEERING SERVICES (PACES) LTD'],
  ['QBHW', 'match', 'Quellberg Handel und Warenlogistik (QBHW)'],
  ['H118', 'match', 'HEMSLEY SETTLEMENT (H118)'],
  ['R&S', 'match', 'ROMMEL & SØNNER (R&S) LTD'],
  // So are those in front of a dash, and in front of a hyphen if the name's words begin with them.
  ['BNI', 'match', 'BNI - BANCO DE NEGOCIOS INTERNACIONAL S.A.'],
  ['Banco de Negocios Internacional', 'match', 'BNI - BANCO DE NEGOCIOS INTERNACIONAL S.A.'],
  ['IBX', 'match', 'IBX-INTERNATIONAL BUSINESS XYLOPHONES LTD'],
  ['Peru', 'none'],
  ['Corporacion', 'none'],
  ['Colmenar', 'ambiguous'],
  ['Nuca', 'none'],
];

testNameQuestions({ names, country: 'GB', askedCountry: null }, questions);

describe('a name in another script that is not cut off', () => {
  const fund = '百利豐亨人壽保險 股份有限公司開放式退休基金';
  testNameQuestions({ names: [fund], country: 'MO', askedCountry: 'MO' }, [
    ['百利豐亨人壽保險', 'ambiguous'],
  ]);
});

/** Companies of public lists, which a part of their name is enough for. The first one has the others. */
const known = [
  'TAMARACK TRANSNATIONAL LTD',
  'QUILLER INTERNATIONAL PLC',
  'BRENNING BANK PLC',
  'BANK OF SCOTLAND PLC',
  'NATIONAL BANK LARKMOOR PLC',
  'KESTREL SEAGLEN BANK PLC',
  'OSTERMOOR INTERNATIONAL PLC',
  'HARROW INTERNATIONAL BANK PLC',
];

interface More {
  readonly country?: null;
  readonly city?: string;
  readonly lei?: string;
}

/** @returns what tells the verdict about a name of one word, in a publication of British companies in Larkmoor */
function wellKnown(names: readonly string[]): (name: string, more?: More) => Verdict {
  let publication: PublicationReader | null = null;
  beforeAll(async () => {
    const someone = operator();
    await someone.load({
      at: '2026-01-01T00:00:00Z',
      companies: names.map((name, n) => company(n + 1, { name, city: 'Larkmoor', legalForm: '9999' })),
      bics: names.map((_, n) => [n + 1, bic(n + 1)]),
      isins: names.map((_, n) => [n + 1, isin(n + 1)]),
      relationships: { kept: names.slice(1).map((_, n) => relationship(n + 2, 1)) },
    });
    publication = await someone.open();
  });
  afterAll(() => publication?.close());
  return (name, more = {}) => {
    if (publication === null) throw new Error('Nothing is loaded yet.');
    const nothing = { city: null, registrationNumber: null, lei: null };
    return matchCompany(publication, { name, country: 'GB', ...nothing, ...more }).verdict;
  };
}

describe('a match of one word of a longer name', () => {
  const verdictOf = wellKnown(known);
  test('is certain if the name has only usual words beside it', () => {
    expect(verdictOf('Quiller')).toBe('match');
    expect(verdictOf('Brenning')).toBe('match');
  });
  test('is ambiguous if the name has another telling word', () => {
    expect(verdictOf('Transnational')).toBe('ambiguous');
    expect(verdictOf('Seaglen')).toBe('ambiguous');
  });
  test('is ambiguous if the word is a place or mistyped', () => {
    expect(verdictOf('Scotland')).toBe('ambiguous');
    expect(verdictOf('Larkmoor')).toBe('ambiguous');
    expect(verdictOf('Brennings')).toBe('ambiguous');
  });
  test('is certain if the city or the LEI agrees', () => {
    expect(verdictOf('Transnational', { city: 'Larkmoor' })).toBe('match');
    expect(verdictOf('Transnational', { lei: lei(1) })).toBe('match');
    expect(verdictOf('Transnationel', { city: 'Larkmoor' })).toBe('match');
    expect(verdictOf('Transnational', { city: 'Quenbrook' })).not.toBe('match');
  });
});

describe('a match of one mistyped word', () => {
  const verdictOf = wellKnown(['TAVLO PLC', 'QUERNIX PLC', 'HALVORMINSTER PLC', 'STABRIN PLC']);
  test('of few letters is certain if country and form agree, or the city', () => {
    expect(verdictOf('Tavlo')).toBe('match');
    expect(verdictOf('Tavro')).toBe('ambiguous');
    expect(verdictOf('Tavro plc')).toBe('match');
    expect(verdictOf('Tavro plc', { country: null })).toBe('ambiguous');
    expect(verdictOf('Tavro', { city: 'Larkmoor' })).toBe('match');
    expect(verdictOf('Tavro', { lei: lei(1) })).toBe('match');
  });
  test('is certain if the country agrees and the form does not differ', () => {
    expect(verdictOf('Quernux')).toBe('match');
    expect(verdictOf('Quernux', { country: null })).toBe('ambiguous');
    expect(verdictOf('Quernux GmbH')).toBe('ambiguous');
  });
  test('of many letters is certain alone', () => {
    expect(verdictOf('Halvorminstar', { country: null })).toBe('match');
  });
  test('is ambiguous if it has two errors or is the beginning of the name', () => {
    expect(verdictOf('Qwernux')).toBe('ambiguous');
    expect(verdictOf('Halvormin')).toBe('ambiguous');
    expect(verdictOf('Halvormin', { city: 'Larkmoor' })).toBe('ambiguous');
  });
  test('of another script needs as many letters', () => {
    expect(verdictOf('Стабрин', { country: null })).toBe('match');
    expect(verdictOf('Стабрен')).toBe('match');
    expect(verdictOf('Стабрен', { country: null })).toBe('ambiguous');
    expect(verdictOf('Стабренс')).toBe('ambiguous');
  });
});

describe('a match of mistyped words', () => {
  const verdictOf = wellKnown([
    'COSVEL LARKMOOR LTD',
    'MONTEFIORE PRODUCTION PLC',
    'VANTOR BRICK CERAMICS PLC',
  ]);
  test('is certain if one of them has an error beside a place', () => {
    expect(verdictOf('Cosval Larkmoor Ltd')).toBe('match');
  });
  test('is ambiguous if the word beside a place has two errors', () => {
    expect(verdictOf('Fosvol Larkmoor Ltd')).toBe('ambiguous');
  });
  test('is ambiguous if no word agrees, and one has more than an error', () => {
    expect(verdictOf('M Product PLC')).toBe('ambiguous');
    expect(verdictOf('Mantefiori Productions PLC')).toBe('ambiguous');
    expect(verdictOf('Montefiori Productions PLC')).toBe('match');
  });
});

test('initials are ambiguous without a place', () => {
  expect(verdictOfInitials('VBC', { country: null })).toBe('ambiguous');
  expect(verdictOfInitials('VBC')).toBe('match');
});
const verdictOfInitials = wellKnown(['VANTOR BRICK CERAMICS PLC', 'MONTEFIORE PRODUCTION PLC']);
