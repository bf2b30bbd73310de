import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { certainty } from '../../../../src/store/search/limits.ts';
import { isWordOf, meantForms } from '../../../../src/store/search/text/meant-forms.ts';
import { company, type SmallIndex, smallIndex } from '../small-index.ts';

let index: SmallIndex;

beforeAll(async () => {
  index = await smallIndex([
    ...Array.from({ length: 50 }, (_, i) => company({ names: [`Noise${i} Trading Limited`] })),
    company({ names: ['Sanlam Limited'], country: 'ZA' }),
    company({ names: ['Sanlam Namibia Balanced Fund'], country: 'NA' }),
    company({ names: ['Limited Edition Prints Limit Sdn Bhd'], country: 'MY' }),
    company({ names: ['Siemens Aktiengesellschaft'], country: 'DE' }),
    company({ names: ['TERRA RECYCLING SPÓŁKA Z OGRANICZONĄ ODPOWIEDZIALNOŚCIĄ'], country: 'PL' }),
    company({ names: ['Общество с ограниченной ответственностью "Ромашка"'], country: 'RU' }),
    company({ names: ['Общество Ответственность Ромашка Клуб'], country: 'RU' }),
    company({ names: ['NEW JERSEY COMMUNITY DEVELOPMENT CORPORATION'], country: 'US' }),
    company({ names: ['Maryland Department of Housing and Community Development'], country: 'US' }),
    company({ names: ['Barrick Mining Corporation'], country: 'CA' }),
    company({ names: ['Cape Electric (Private) Limited'], country: 'PK' }),
    company({ names: ['Quexley Partnership Metals GmbH'], country: 'DE' }),
    company({ names: ['Brontide Alloys, Società per Azioni'], country: 'IT' }),
    company({ names: ['Osaühing Zorbia'], country: 'EE' }),
    company({ names: ['Zorbia, National Association'], country: 'US' }),
    company({ names: ['Quexley Air Private Limited'], registrationStatus: 'LAPSED' }),
    company({ names: ['Quexley Air Private LLC'] }),
    company({ names: ['Cooperativa Agricola Societa per Azioni in Milano'], country: 'IT' }),
    company({ names: ['Vekosla Corporation Limited'], registrationStatus: 'LAPSED' }),
    company({ names: ['Vekosla Limited'] }),
    company({ names: ['Narong Foods Public Company Limited'], country: 'TH' }),
    company({ names: ['Zorbia Rivers Limited'] }),
    company({ names: ['Zorbia Rivers Harbour Limited Liability Partnership'] }),
    company({ names: ['Narong Public Foods Limited'], country: 'TH' }),
    company({ names: ['Narong Public Foods Company B.V.'], country: 'NL' }),
    ...Array.from({ length: 200 }, (_, i) => company({ names: [`Noise${i} Foods IC GmbH`] })),
  ]);
});

afterAll(() => index.close());

describe('a company is found although its legal form is', () => {
  const cases: readonly [string, string, string][] = [
    ['mistyped', 'sanlam limitd', 'Sanlam Limited'],
    ['mistyped as the published list has it in a form of two words', 'sanlam limted', 'Sanlam Limited'],
    ['mistyped in a long word', 'siemens aktiengeselschafft', 'Siemens Aktiengesellschaft'],
    [
      'mistyped in front',
      'Общество с ограниченной ответственностю Ромашка',
      'Общество с ограниченной ответственностью "Ромашка"',
    ],
    ['mistyped at its end', 'barrick mining corporatoin', 'Barrick Mining Corporation'],
    ['not finished', 'sanlam limi', 'Sanlam Limited'],
    ['cut in a word of several', 'cape electric private l', 'Cape Electric (Private) Limited'],
    [
      'cut after 35 characters',
      'TERRA RECYCLING SPÓŁKA Z OGRANICZON',
      'TERRA RECYCLING SPÓŁKA Z OGRANICZONĄ ODPOWIEDZIALNOŚCIĄ',
    ],
    [
      'left without its last word, and the others tell something',
      'new jersey community development',
      'NEW JERSEY COMMUNITY DEVELOPMENT CORPORATION',
    ],
    ['split in its one word', 'sanlam li mited', 'Sanlam Limited'],
    ['split in the first word of several', 'vekosla cor poration limited', 'Vekosla Corporation Limited'],
    ['split in front', 'osaühi ng zorbia', 'Osaühing Zorbia'],
    ['left without all words but one', 'zorbia association', 'Zorbia, National Association'],
    ['split in a word of several', 'cape electric priv ate limited', 'Cape Electric (Private) Limited'],
    [
      'of several words that were joined',
      'brontide alloys societaper azioni',
      'Brontide Alloys, Società per Azioni',
    ],
    [
      'one of which a word stands among the other words',
      'cape private electric',
      'Cape Electric (Private) Limited',
    ],
    [
      'followed by the place',
      'Brontide Alloys, Società per Azioni, Milano',
      'Brontide Alloys, Società per Azioni',
    ],
    [
      'left without a small word',
      'terra recycling spółka ograniczoną odpowiedzialnością',
      'TERRA RECYCLING SPÓŁKA Z OGRANICZONĄ ODPOWIEDZIALNOŚCIĄ',
    ],
    ['moved to the front', 'limited sanlam', 'Sanlam Limited'],
    ['moved to the front but for a word', 'limited cape electric private', 'Cape Electric (Private) Limited'],
    ['in another order', 'brontide alloys azioni società per', 'Brontide Alloys, Società per Azioni'],
    ['followed by a stock exchange', 'Sanlam Limited (JSE: SLM)', 'Sanlam Limited'],
  ];
  for (const [how, q, name] of cases) {
    test(how, () => {
      expect(index.find(q)).toEqual([name]);
    });
  }
});

test('a mistyped word in front of a legal form is a part of a longer form, which then was typed', () => {
  expect(index.find('vekosla coproration limited')[0]).toBe('Vekosla Corporation Limited');
  expect(index.find('vekosla limited')[0]).toBe('Vekosla Limited');
});

describe('words of a form that is longer than the one at the end of the question mean it, too', () => {
  const questions = {
    'joined to the name': 'narong foodspublic company limited',
    split: 'narong foods publ ic company limited',
    'moved to the front': 'limited narong foods public company',
  };
  for (const [how, q] of Object.entries(questions)) {
    test(how, () => {
      expect(index.find(q)).toContain('Narong Foods Public Company Limited');
    });
  }
});

test('a word behind a word of a form, or of a form in front, does not have to be one', () => {
  expect(index.find('barrick mining corporation listed')[0]).toBe('Barrick Mining Corporation');
  expect(index.find('company sanlam ltd')[0]).toBe('Sanlam Limited');
  // Of the companies with this form one has a part of the name.
  expect(index.find('partnership zorbia rivers limited liability')).toContain('Zorbia Rivers Limited');
});

test('a form of several words that was joined to the name does not exclude a company with another form', () => {
  expect(index.find('quexley partnership metalsprivate limited')).toEqual([
    'Quexley Partnership Metals GmbH',
  ]);
});

test('a form with two errors only orders the hits: names with the other words stay', () => {
  expect(index.find('sanlam limide')).toEqual(['Sanlam Limited', 'Sanlam Namibia Balanced Fund']);
});

test('a legal form that is joined to a name is read as if it stood apart', () => {
  expect(index.find('sanlamlimited')).toEqual(index.find('sanlam limited'));
});

test('a mistyped legal form beside unknown words does not find all companies of that form', () => {
  for (const q of ['xqzzyq limitd', 'limitd'])
    expect(index.find(q)).toEqual(['Limited Edition Prints Limit Sdn Bhd']);
});

test('the beginning of a name does not count as the beginning of a form of several words', () => {
  expect(index.find('quexley partn')).toEqual(['Quexley Partnership Metals GmbH']);
});

test('a mistyped form stands for the longer one that a written form ends', () => {
  expect(index.find('quexley air piivate limited')[0]).toBe('Quexley Air Private Limited');
});

test('a form that words may stand for in several ways counts by the most certain of them', () => {
  // As the beginning of "corporation", with an error in that, and with two in "corporate".
  const meant = meantForms(['acme', 'corporatio'], new Set()).find(({ token }) => token === 'corp');
  expect(meant?.certainty).toBe(certainty.begun);
});

test('all words that spell a form stand for it, wherever they are in the question', () => {
  const { typed, begun, joined, formRespaced } = certainty;
  const mistyped = certainty.mistyped[1];
  const cases: readonly [string, string, number, number, number][] = [
    ['sanlam limitd', 'ltd', 1, 2, mistyped],
    ['terra recycling spolka z ograniczon', 'spzoo', 2, 5, begun],
    ['acme gesellschaft mit beschrank', 'gmbh', 1, 4, begun],
    ['acme private limi', 'pvtltd', 1, 3, begun],
    ['brontide alloys societa per azioni milano', 'spa', 2, 5, typed],
    ['sociedad anonmia acme', 'sa', 0, 2, mistyped],
    ['acme corp oration', 'corp', 1, 3, formRespaced],
    ['corporation acme', 'corp', 2, 3, joined],
    ['private limited acme', 'pvtltd', 0, 2, typed],
    ['acme private limiteds', 'pvtltd', 1, 3, mistyped],
    ['limited acme private', 'pvtltd', 2, 4, joined],
    ['o acme sr', 'sro', 2, 4, joined],
    ['acme limitada sociedad', 'sl', 1, 3, joined],
  ];
  for (const [q, token, from, to, sure] of cases)
    expect(meantForms(q.split(' '), new Set())).toContainEqual({ token, from, to, certainty: sure });
});

test('a form at the end of which the first word stands has that word and the last ones', () => {
  const form = { token: 'pvtltd', from: 2, to: 4, certainty: certainty.joined };
  expect([0, 1, 2].filter((at) => isWordOf(form, at, 3))).toEqual([0, 2]);
});

test('a word of a name, a mistyped first word, one letter, or all words of the question do not stand for a form', () => {
  const questions = [
    'quexley zzyz',
    'quexley gesells',
    'limitd sanlam',
    'sanlam l',
    'societa per azion',
    'sociedad anonmia',
  ];
  for (const q of questions) expect([q, meantForms(q.split(' '), new Set())]).toEqual([q, []]);
});

test('two halves of a word of legal forms are that form although they are mistyped if no name has one; a letter is no half', () => {
  const tokens = (words: string, ...unknown: string[]) =>
    meantForms(words.split(' '), new Set(unknown)).map(({ token }) => token);
  expect(tokens('quexley corpo ratoin', 'corpo')).toEqual(['corp']);
  expect(tokens('quexley corpo ratoin', 'ratoin')).toEqual(['corp']);
  expect(tokens('quexley corpo ratoin', 'quexley')).toEqual([]);
  expect(tokens('quexley corp o', 'o')).toEqual(['corp']);
});
