/** Tests how legal forms decide between names that have the words of the question. */
import { expect, test } from 'bun:test';
import { company, named, numbered, smallIndex, within } from '../small-index.ts';

const large = { directChildren: 500 } as const;

test('a form that a name has twice is neither two forms of the question nor too many', async () => {
  const index = await smallIndex([
    company({ names: ['Quexley GmbH & Co. GmbH'], ...large }),
    company({ names: ['Quexley GmbH & Co. KG'], registrationStatus: 'LAPSED' }),
    company({ names: ['Larkmoor Ltd. Limited'], ...large }),
    company({ names: ['Larkmoor Ltd.'], registrationStatus: 'LAPSED' }),
  ]);
  expect(index.find('quexley gmbh and co. kg')[0]).toBe('Quexley GmbH & Co. KG');
  expect(index.find('quexley gmbh & co. gmbh')[0]).toBe('Quexley GmbH & Co. GmbH');
  expect(index.ask('quexley gmbh & co. gmbh')).toMatchObject({
    hits: [{ score: 0.9999 }, { score: 0.9903 }],
  });
  expect(index.find('larkmoor ltd')[0]).toBe('Larkmoor Ltd.');
  await index.close();
});

test('a name that is also a legal form, with another form, is no part of the typed form', async () => {
  const index = await smallIndex([
    company({ names: ['KS GmbH'], ...large }),
    company({ names: ['KS AG'] }),
    company({ names: ['KS SCI'] }),
    company({ names: ['KS of Inc.'] }),
    ...numbered(60, 'Larkmoor of'),
  ]);
  expect(index.find('ks inc').slice(0, 2)).toEqual(['KS of Inc.', 'KS GmbH']);
  await index.close();
});

test('a name that shares only a part of a form of several parts has another form', async () => {
  const index = await smallIndex([
    company({ names: ['Larkmoor GmbH & Co. KG'] }),
    company({ names: ['Larkmoor AB'], ...large }),
    company({ names: ['Quexley GmbH & Co. KG'] }),
  ]);
  expect(index.find('larkmoor co., ltd.')).toEqual(['Larkmoor AB', 'Larkmoor GmbH & Co. KG']);
  for (const q of ['quexley gmbh co kg', 'quexley gmbh u. co. kg', 'quexley & co'])
    expect([q, index.find(q)[0]]).toEqual([q, 'Quexley GmbH & Co. KG']);
  await index.close();
});

test('a form of four letters may lack one at the end of a question', () =>
  within(
    [...named('Larkmoor GmbH', 'Quexley BVBA'), company({ names: ['Larkmoor AB'], ...large })],
    (index) => {
      for (const q of ['larkmoor gmh', 'larkmor gbh'])
        expect([q, index.find(q)[0]]).toEqual([q, 'Larkmoor GmbH']);
      expect(index.find('quexley bba')).toEqual(['Quexley BVBA']);
    },
  ));

test('a name that was split before the letters of a legal form is found', () =>
  within(
    [
      ...named('Quexco B.V.', 'Americanas S.A.', 'Quexsa S.A.'),
      ...numbered(20, 'Quex Works'),
      ...numbered(20, 'American'),
    ],
    (index) => {
      expect(index.find('quex co b.v.')[0]).toBe('Quexco B.V.');
      expect(index.find('quex sa s.a.')[0]).toBe('Quexsa S.A.');
      expect(index.find('american as s.a.')).toContain('Americanas S.A.');
    },
  ));

test('a group of companies is not the company without "group", and may be mistyped', () =>
  within(
    [
      ...named('Larkmoor Group SA', 'Larkmoor Group Co., Ltd.', 'Larkmoor Grove Ltd'),
      ...numbered(20, 'Quexley Group'),
    ],
    (index) => {
      for (const q of ['larkmoor gruop co ltd', 'lakmoor grous co., ltd.', 'larkmoor grovup co.,ltd'])
        expect([q, index.find(q)[0]]).toEqual([q, 'Larkmoor Group Co., Ltd.']);
      expect(index.find('larkmoor group').slice(0, 2)).toEqual([
        'Larkmoor Group SA',
        'Larkmoor Group Co., Ltd.',
      ]);
      expect(index.find('larkmoor group ltd')).toContain('Larkmoor Group Co., Ltd.');
    },
  ));

test('the first word of the typed form may be joined to the name', () =>
  within(named('Larkmoor Pte Holdings Ltd', 'Larkmoor Pte Ltd', 'Webcom Ltd', 'Web Co., Ltd.'), (index) => {
    expect(index.find('larkmoorpte ltd')[0]).toBe('Larkmoor Pte Ltd');
    expect(index.find('webco ltd')[0]).toBe('Webcom Ltd');
  }));

test('S.A. is as different from S.à r.l. as any form, and S.A.S. from A.S. and S.A., although they share letters', async () => {
  const index = await smallIndex([
    company({ names: ['Larkmoor S.A.'] }),
    company({ names: ['Larkmoor GmbH'], ...large }),
    company({ names: ['Quexley S.A.S.'] }),
    company({ names: ['Quexley GmbH'], ...large }),
  ]);
  expect(index.find('larkmoor s.à r.l.')).toEqual(['Larkmoor GmbH', 'Larkmoor S.A.']);
  for (const q of ['quexley a.s.', 'quexley s.a.'])
    expect([q, index.find(q)]).toEqual([q, ['Quexley GmbH', 'Quexley S.A.S.']]);
});
