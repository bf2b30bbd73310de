import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { company, type SmallIndex, smallIndex } from './small-index.ts';

let index: SmallIndex;

const noise = Array.from({ length: 300 }, (_, i) =>
  company({ names: [`Noise ${(i * 7919).toString(36)} Bank Holdings ${i} Ltd`] }),
);

beforeAll(async () => {
  index = await smallIndex([
    ...noise,
    company({ names: ['MAXRETS VENTURES PLC'], registeredAs: 'HRB 10985622 B', lei: '213800E5Z6QRDSMZMK84' }),
    company({
      names: ['Deutsche Bank Aktiengesellschaft'],
      country: 'DE',
      bics: ['DEUTDEFFXXX'],
      directChildren: 120,
    }),
    company({ names: ['Gazprombank'], country: 'RU' }),
    company({ names: ['Noise International'] }),
    company({ names: ['Noise Mgmt'] }),
    company({ names: ['Blue Harbour Shipping Limited'] }),
    company({ names: ['The Harbour Lights Company'] }),
    company({ names: ['H-Brontes Works AG'] }),
    company({ names: ['Brontes AG'] }),
    company({ names: ['Q & X Lanterns Nordic AB'], country: 'SE' }),
    company({ names: ['A.B.C. Cement Works GmbH'], country: 'DE' }),
    company({ names: ['Ørsted Łódź Straße S.A.'], country: 'DK' }),
    company({ names: ['Smith & Wesson Fasteners Inc.'], country: 'US' }),
    company({
      names: ['株式会社三菱UFJ銀行', ['MUFG Bank', 'ALTERNATIVE_LANGUAGE_LEGAL_NAME']],
      country: 'JP',
    }),
    company({ names: ['龙江电气有限责任公司'], country: 'CN' }),
    company({ names: ['บริษัท ไทยประกันชีวิต จำกัด (มหาชน)'], country: 'TH' }),
    company({ names: ['삼성전자 주식회사'], country: 'KR' }),
    company({ names: ['شركة الراجحي المصرفية للاستثمار'], country: 'SA' }),
    company({ names: ['भारतीय जीवन बीमा निगम'], country: 'IN' }),
    company({ names: ['Общество с ограниченной ответственностью "Ромашка"'], country: 'RU' }),
    company({ names: ['Quexley Metals SA', ['Brontide Alloys SA', 'PREVIOUS_LEGAL_NAME']], country: 'FR' }),
    company({ names: ["L'Oréal Cosmétiques SA"], country: 'FR' }),
    company({ names: ['株式会社みずほ銀行'], country: 'JP' }),
    company({ names: ['Op&eacute;ra &LT;Lyonnaise&gt; SAS'], country: 'FR' }),
    company({ names: ['CO-OPERATIVE GROUP LIMITED'] }),
    company({ names: ['Noise Group Limited'] }),
    company({ names: ['Kestrel™ Optics Limited'] }),
  ]);
});

afterAll(() => index.close());

describe('a company is found by its name', () => {
  const cases: readonly [string, string, string][] = [
    ['as it stands', 'MAXRETS VENTURES PLC', 'MAXRETS VENTURES PLC'],
    ['in any case', 'maxrets ventures plc', 'MAXRETS VENTURES PLC'],
    ['in full width', 'ＭＡＸＲＥＴＳ　ＶＥＮＴＵＲＥＳ', 'MAXRETS VENTURES PLC'],
    ['without accents and special letters', 'orsted lodz strasse', 'Ørsted Łódź Straße S.A.'],
    ['without its legal form', 'maxrets ventures', 'MAXRETS VENTURES PLC'],
    ['with another legal form', 'Maxrets Ventures GmbH', 'MAXRETS VENTURES PLC'],
    ['with the legal form abbreviated', 'Deutsche Bank AG', 'Deutsche Bank Aktiengesellschaft'],
    ['with a letter replaced', 'maxrats ventures', 'MAXRETS VENTURES PLC'],
    ['with two letters exchanged', 'mxarets ventures', 'MAXRETS VENTURES PLC'],
    ['with a letter missing', 'blue harbur shipping', 'Blue Harbour Shipping Limited'],
    ['with a letter too many', 'blue harbourr shipping', 'Blue Harbour Shipping Limited'],
    ['with two errors in a long word', 'smith wesson fastrnera', 'Smith & Wesson Fasteners Inc.'],
    ['with a word missing', 'blue shipping', 'Blue Harbour Shipping Limited'],
    ['with a word too many', 'blue harbour shipping rotterdam', 'Blue Harbour Shipping Limited'],
    ['with words in another order', 'shipping harbour blue', 'Blue Harbour Shipping Limited'],
    ['with a word split', 'Gazprom bank', 'Gazprombank'],
    ['with words joined', 'blueharbour shipping', 'Blue Harbour Shipping Limited'],
    ['with "and" for &', 'smith and wesson fasteners', 'Smith & Wesson Fasteners Inc.'],
    ['with "et" for &', 'smith et wesson fasteners', 'Smith & Wesson Fasteners Inc.'],
    ['without the &', 'smith wesson fasteners', 'Smith & Wesson Fasteners Inc.'],
    ['without a leading "the"', 'harbour lights', 'The Harbour Lights Company'],
    ['with two letters joined', 'qx lanterns', 'Q & X Lanterns Nordic AB'],
    ['with initials without dots', 'ABC Cement Works', 'A.B.C. Cement Works GmbH'],
    ['with initials apart', 'A B C cement works', 'A.B.C. Cement Works GmbH'],
    ['with a letter joined to a word', 'hbrontes', 'H-Brontes Works AG'],
    ['with the entities of a page', 'L&#39;Or&eacute;al Cosm&#xE9;tiques', "L'Oréal Cosmétiques SA"],
    [
      'as it is published with entities',
      'Op&eacute;ra &LT;Lyonnaise&gt;',
      'Op&eacute;ra &LT;Lyonnaise&gt; SAS',
    ],
    ['as the entities were meant', 'opéra lyonnaise', 'Op&eacute;ra &LT;Lyonnaise&gt; SAS'],
    ['with an entity for &', 'Smith &amp; Wesson Fasteners', 'Smith & Wesson Fasteners Inc.'],
    ['by the beginning of the last word', 'maxrets ven', 'MAXRETS VENTURES PLC'],
    ['without the apostrophe', 'loreal cosmetiques', "L'Oréal Cosmétiques SA"],
    ['with a space for the apostrophe', 'l oreal cosmetiques', "L'Oréal Cosmétiques SA"],
    ['by a part in ideographs', '三菱UFJ', '株式会社三菱UFJ銀行'],
    ['by its end in ideographs', '銀行株式会社', '株式会社三菱UFJ銀行'],
    ['in simplified characters', '三菱UFJ银行', '株式会社三菱UFJ銀行'],
    ['in characters before the Japanese reform', '株式會社三菱', '株式会社三菱UFJ銀行'],
    ['in traditional characters', '龍江電氣', '龙江电气有限责任公司'],
    ['in the other kana', 'ミズホ銀行', '株式会社みずほ銀行'],
    [
      'with a first word joined that is a legal form elsewhere',
      'cooperative group',
      'CO-OPERATIVE GROUP LIMITED',
    ],
    ['without the sign of a trade mark', 'kestrel optics', 'Kestrel™ Optics Limited'],
    ['with the sign of a trade mark', 'maxrets℠ ventures', 'MAXRETS VENTURES PLC'],
    ['by a part in Thai', 'ประกันชีวิต', 'บริษัท ไทยประกันชีวิต จำกัด (มหาชน)'],
    ['by a part in Hangul', '전자', '삼성전자 주식회사'],
    ['with the Korean form in parentheses', '(주)삼성전자', '삼성전자 주식회사'],
    ['by words in Arabic', 'الراجحي المصرفية', 'شركة الراجحي المصرفية للاستثمار'],
    ['with Arabic vowel signs', 'الرَّاجِحِي', 'شركة الراجحي المصرفية للاستثمار'],
    ['without the Arabic article', 'راجحي', 'شركة الراجحي المصرفية للاستثمار'],
    ['with a word abbreviated', 'quex intl', 'Noise International'],
    ['with a word abbreviated by an apostrophe', "Quex Int'l", 'Noise International'],
    ['with a word in full that the name abbreviates', 'noise management', 'Noise Mgmt'],
    ['by words in Devanagari', 'जीवन बीमा', 'भारतीय जीवन बीमा निगम'],
    [
      'with a Cyrillic legal form abbreviated',
      'ООО Ромашка',
      'Общество с ограниченной ответственностью "Ромашка"',
    ],
    ['with a typing error in Cyrillic', 'Рамашка', 'Общество с ограниченной ответственностью "Ромашка"'],
  ];
  for (const [how, q, name] of cases) {
    test(how, () => {
      expect(index.find(q)[0]).toBe(name);
    });
  }
});

test('another name finds the company, and the answer names it', () => {
  expect(index.ask('brontide alloys')).toMatchObject({ hits: [{ nameIndex: 1 }] });
  expect(index.ask('mufg bank').outcome === 'hits' && index.find('mufg bank')[0]).toBe('株式会社三菱UFJ銀行');
});

test('an LEI, a registration number or a BIC finds its company with score 1', () => {
  for (const q of ['213800E5Z6QRDSMZMK84', '213800e5z6qrdsmzmk84', 'hrb10985622b', 'HRB 10985622 B']) {
    expect(index.find(q)).toEqual(['MAXRETS VENTURES PLC']);
    expect(index.ask(q)).toMatchObject({ hits: [{ score: 1 }] });
  }
  for (const q of ['DEUTDEFFXXX', 'deutdeff'])
    expect(index.find(q)[0]).toBe('Deutsche Bank Aktiengesellschaft');
});

test('an identifier is found as documents print it: in groups, after its label, beside the name', () => {
  for (const q of [
    '2138 00E5 Z6QR DSMZ MK84',
    'LEI: 213800E5Z6QRDSMZMK84',
    'lei code 2138-00E5-Z6QR-DSMZ-MK84',
  ]) {
    expect(index.ask(q)).toMatchObject({ hits: [{ score: 1 }] });
    expect(index.find(q)).toEqual(['MAXRETS VENTURES PLC']);
  }
  expect(index.find('Noise Group Limited (213800e5z6qrdsmzmk84)')[0]).toBe('MAXRETS VENTURES PLC');
  for (const q of ['DEUTDEFF XXX', 'DEUT DE FF', 'BIC DEUTDEFF', 'Swift code: deutdeffxxx']) {
    expect(index.ask(q)).toMatchObject({ hits: [{ score: 1 }] });
    expect(index.find(q)[0]).toBe('Deutsche Bank Aktiengesellschaft');
  }
});

test('a label before a word does not make the word an identifier, so names may begin with a label', () => {
  expect(index.ask('LEI HRB 10985622 B')).not.toMatchObject({ hits: [{ score: 1 }] });
});

test('a legal form alone finds all companies that have it, however they write it', () => {
  expect(index.find('gmbh')).toEqual(['A.B.C. Cement Works GmbH']);
  expect(index.find('Gesellschaft mit beschränkter Haftung')).toEqual(['A.B.C. Cement Works GmbH']);
  expect(index.ask('ltd')).toMatchObject({ total: 304 });
});

test('a legal form alone does not stand for longer forms that begin with it', async () => {
  const small = await smallIndex([
    company({ names: ['Alfa SA'] }),
    company({ names: ['Bravo SAS'] }),
    company({ names: ['Charlie SARL'] }),
  ]);
  expect(small.find('sa')).toEqual(['Alfa SA']);
  await small.close();
});

test('a question without a letter or digit finds nothing, and has no further page', () => {
  for (const q of ['!!! ---', '&&', '\u{1f3e6}\u{1f3e6}', '\u200b\u200b']) {
    expect(index.ask(q)).toEqual({ outcome: 'hits', total: 0, hits: [], next: null });
    expect(index.suggest(q)).toEqual([]);
    expect(index.ask(q, { after: '0' })).toMatchObject({ outcome: 'refused' });
  }
});

test('a position that the service never returned is refused', () => {
  for (const after of ['x', '-1', '99999', '1.5', '']) {
    expect(index.ask('bank', { after })).toMatchObject({ outcome: 'refused' });
  }
});

test('a question of light words alone finds the companies that have them in their names', async () => {
  const small = await smallIndex([
    company({ names: ['Von der Heide AG'] }),
    company({ names: ['Larkmoor AG'] }),
  ]);
  expect(small.find('von der')).toEqual(['Von der Heide AG']);
  await small.close();
});

test('a company with hundreds of names or hundreds of words in a name neither hides others nor is found by those words', async () => {
  const many = Array.from({ length: 300 }, (_, n) => `Otherwise ${n + 1}`);
  const odd = await smallIndex([
    company({ names: ['Larkmoor Ltd', ...many] }),
    company({ names: ['Blue Harbour Ltd'] }),
    company({ names: [many.join(' ')] }),
  ]);
  expect(odd.find('larkmoor')).toEqual(['Larkmoor Ltd']);
  expect(odd.find('blue harbour')).toEqual(['Blue Harbour Ltd']);
  expect(odd.find('otherwise 7').sort()).toEqual(['Larkmoor Ltd', many.join(' ')]);
  expect(odd.find('otherwise 260')).not.toContain('Blue Harbour Ltd');
  await odd.close();
});

test('an index of no companies finds nothing', async () => {
  const empty = await smallIndex([]);
  expect(empty.ask('fund', { country: 'DE' })).toEqual({ outcome: 'hits', total: 0, hits: [], next: null });
  await empty.close();
});

test('a word that resembles no other is ignored beside a distinctive known word, and the total counts the hits of the others', () => {
  expect(index.ask('zzyzzyxq bank')).toEqual(index.ask('bank zzyzzyxq'));
  expect(index.ask('zzyzzyxq bank')).toMatchObject({ total: 302 });
  expect(index.find('zzyzzyxq wvvwvq harbour')).toEqual([
    'The Harbour Lights Company',
    'Blue Harbour Shipping Limited',
  ]);
  expect(index.find('zzyzzyxq quexley gazprombank brontide romashkaa wvvwvq')).not.toEqual([]);
});

test('a place beside a name does not hide the companies of that name, although fewer companies have the place in their names', async () => {
  const small = await smallIndex([
    ...noise,
    ...Array.from({ length: 5 }, (_, i) => company({ names: [`Larkfield ${i} Ltd`] })),
    company({ names: ['Larkfield Ltd'] }),
    company({ names: ['Madrid Travel Ltd'] }),
  ]);
  expect(small.find('larkfield madrid')).toContain('Larkfield Ltd');
  expect(small.find('larkfield madrid')).toContain('Madrid Travel Ltd');
  await small.close();
});

test('words that no name has find nothing', () => {
  expect(index.ask('zzyzzyxq wvvwvq')).toEqual({ outcome: 'hits', total: 0, hits: [], next: null });
});

test('a filter for a country or status that no company has finds nothing', () => {
  expect(index.ask('bank', { country: 'ZW' })).toMatchObject({ total: 0 });
  expect(index.ask('bank', { status: 'ANNULLED' })).toMatchObject({ total: 0 });
});

test('a filter keeps only companies of that country', () => {
  expect(index.find('bank', { country: 'DE' })).toEqual(['Deutsche Bank Aktiengesellschaft']);
});

describe('a hostile question gets an answer', () => {
  const questions: readonly [string, string][] = [
    ['of 250 words', Array.from({ length: 250 }, (_, i) => `w${i % 9}`).join(' ')],
    ['of small words only', 'the of and '.repeat(40)],
    ['of combining marks without end', `a${'\u0301'.repeat(499)}`],
    ['of marks of several scripts', '\u0e31\u0301\u064b\u05b0'.repeat(120)],
    ['with right-to-left overrides', `\u202emaxrets\u202c ventures${'\u202e'.repeat(300)}`],
    ['of one letter', 'a'.repeat(500)],
    ['of one ideograph', '銀'.repeat(500)],
    ['of lone surrogates', '\ud800\udc00\ud800'.repeat(100)],
    ['of connectors', '& + & and & '.repeat(40)],
    ['of initials', 'a.b.c.'.repeat(80)],
  ];
  for (const [what, q] of questions) {
    test(what, () => {
      expect(['hits', 'refused']).toContain(index.ask(q.slice(0, 500)).outcome);
    });
  }
});

test('all companies with some words are those that have them in their legal name, or in all their names together', () => {
  expect(index.withWords('bank ufj', 'names')).toEqual(['株式会社三菱UFJ銀行']);
  expect(index.withWords('works', 'legalName')).toEqual(['A.B.C. Cement Works GmbH', 'H-Brontes Works AG']);
  expect(index.withWords('sa brontide', 'names')).toEqual(['Quexley Metals SA']);
  expect(index.withWords('sa brontide', 'legalName')).toEqual([]);
});
