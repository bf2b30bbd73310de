/** Tests what is suggested for a text while it is typed. */
import { expect, test } from 'bun:test';
import { company, smallIndex } from './small-index.ts';

test('a suggestion has the typed words, the last one as a beginning, and the most important companies come first', async () => {
  const many = Array.from({ length: 30 }, (_, i) => company({ names: [`Larkmoor Ventures ${i + 100}`] }));
  const index = await smallIndex([
    ...many,
    company({ names: ['Larkmoor Trading'] }),
    company({ names: ['Larkmoor Trust of Zorbia'], directChildren: 500, bics: ['LARKGB2L'] }),
    company({ names: ['Lark'] }),
  ]);
  expect(index.suggest('larkmoor tr')).toEqual(['Larkmoor Trust of Zorbia', 'Larkmoor Trading']);
  expect(index.suggest('tr larkmoor')).toEqual([]);
  expect(index.suggest('trust of z')).toEqual(['Larkmoor Trust of Zorbia']);
  const begun = index.suggest('larkm');
  expect([begun.length, begun[0]]).toEqual([10, 'Larkmoor Trust of Zorbia']);
  // A word that is a whole name may still be the beginning of others.
  expect(index.suggest('lark').slice(0, 2)).toEqual(['Lark', 'Larkmoor Trust of Zorbia']);
  expect(index.suggest('qqq')).toEqual([]);
  await index.close();
});

test('names that begin with the text come before more important ones that have it further on', async () => {
  const index = await smallIndex([
    ...Array.from({ length: 20 }, (_, i) =>
      company({ names: [`Zorbia Quillfeld ${i + 100}`], directChildren: 100 + i }),
    ),
    company({ names: ['Quillfeld Zorbia One'], directChildren: 1 }),
    company({ names: ['Quillfeld Two'] }),
    company({ names: ['Zorbia Three', 'Quillfeld Three'] }),
  ]);
  expect(index.suggest('quillf').slice(0, 3)).toEqual([
    'Quillfeld Zorbia One',
    'Quillfeld Two',
    'Zorbia Quillfeld 100',
  ]);
  expect(index.suggest('quillf')).toHaveLength(10);
  expect(index.suggest('quillfeld z')[0]).toBe('Quillfeld Zorbia One');
  expect(index.suggest('zorbia q')[0]).toBe('Zorbia Quillfeld 100');
  await index.close();
});

test('a name that begins with the text comes first, even if hundreds of more important ones have it further on', async () => {
  const index = await smallIndex([
    ...Array.from({ length: 600 }, (_, i) =>
      company({ names: [`Zorbia Quillfeld ${i + 100}`], directChildren: 1 + (i % 200) }),
    ),
    company({ names: ['Quillfeld Two'] }),
  ]);
  for (const q of ['quillf', 'quillfeld', 'quillfeld t']) expect(index.suggest(q)[0]).toBe('Quillfeld Two');
  await index.close();
});

test('while a name is typed to its end, it is suggested at every letter, whatever its legal form and its script', async () => {
  // From the bar on each letter is tried.
  const names = [
    'Lark|moor Holdings Limited',
    'Lark|moor Glas GmbH & Co. KG',
    'Lark|moor Energia S.p.A.',
    'Lark|moor Recycling Spółka z ograniczoną odpowiedzialnością',
    'Lark|moor Public Company Limited',
    'UAB L|arkmoor Baltic',
    'UAB B|ank Larkmoor Limited',
    'Capital B|ank Larkmoor Plc',
    '紅百|合有限公司',
    '株式会社三|菱',
    'บริษัท ไ|ทยประกันชีวิต จำกัด (มหาชน)',
    'შპს მ|აგთიკომი',
  ];
  const others = ['Larkmoor Limes', 'Capital UAB', 'Bank Limited', '紅百合有限公司 Trading', 'Hok UAB'];
  const index = await smallIndex(
    [...others, ...names].map((name) => company({ names: [name.replace('|', '')] })),
  );
  const missed = names.flatMap((each) => {
    const name = each.replace('|', '');
    const lengths = Array.from({ length: name.length + 1 }, (_, length) => length).slice(each.indexOf('|'));
    const texts = lengths.map((length) => name.slice(0, length));
    return texts.filter((text) => !index.suggest(text).includes(name));
  });
  expect(missed).toEqual([]);
  await index.close();
});

test('behind a word that means "and" the name goes on', async () => {
  const index = await smallIndex(
    ['Larkmoor Banca y Gestion', 'Larkmoor Bank and Trust'].map((name) => company({ names: [name] })),
  );
  for (const q of ['larkmoor banca', 'larkmoor banca y ge'])
    expect(index.suggest(q)).toEqual(['Larkmoor Banca y Gestion']);
  for (const q of ['larkmoor bank and', 'larkmoor bank and t'])
    expect(index.suggest(q)).toEqual(['Larkmoor Bank and Trust']);
  await index.close();
});

test('the last word may begin a word that stands before it, too', async () => {
  const index = await smallIndex(
    ['Larkmoor & Larkmoor', 'Larkmoor Trading'].map((name) => company({ names: [name] })),
  );
  expect(index.suggest('larkmoor & lar')).toEqual(['Larkmoor & Larkmoor']);
  await index.close();
});

test('a legal form that is typed in front of the name puts the companies that have it first', async () => {
  const index = await smallIndex([
    ...Array.from({ length: 12 }, (_, i) => company({ names: [`Hokodo ${i} Ltd`], directChildren: 50 })),
    company({ names: ['UAB Hokodo Baltic'] }),
    company({ names: ['Hokodo Baltic GmbH'], directChildren: 90 }),
  ]);
  expect(index.suggest('uab hok')[0]).toBe('UAB Hokodo Baltic');
  await index.close();
});

test('the last word may be a rare one although many others begin with its letters', async () => {
  const many = Array.from({ length: 700 }, (_, i) => company({ names: [`Zorbia Ka${i} Ka${i + 1}`] }));
  const index = await smallIndex([...many, company({ names: ['Quillfeld of Kazimir'] })]);
  expect(index.suggest('quillfeld of ka')).toEqual(['Quillfeld of Kazimir']);
  expect(index.suggest('quillfeld ka')).toEqual(['Quillfeld of Kazimir']);
  await index.close();
});

test('many companies with the text as their whole name leave room for those whose names begin with it', async () => {
  const index = await smallIndex([
    ...['Ltd', 'GmbH', 'AG', 'SA', 'PLC', 'AB', 'NV', 'Oy', 'AS', 'SpA', 'BV'].map((form) =>
      company({ names: [`Larkmoor ${form}`], directChildren: 5 }),
    ),
    company({ names: ['Larkmoor Baltic'], directChildren: 50 }),
  ]);
  const suggested = index.suggest('larkmoor');
  expect(suggested[5]).toBe('Larkmoor Baltic');
  expect(suggested).toHaveLength(10);
  // "ba" is a legal form, too.
  expect(index.suggest('larkmoor ba')).toContain('Larkmoor Baltic');
  await index.close();
});

test('companies of the name alone do not take the places of names that begin with the text', async () => {
  const index = await smallIndex([
    ...['Ltd', 'GmbH', 'AG', 'SA', 'PLC', 'AB', 'NV', 'Oy', 'AS', 'SpA', 'BV'].map((form) =>
      company({ names: [`Quexley ${form}`], directChildren: 50 }),
    ),
    company({ names: ['Quexley International GmbH'] }),
    company({ names: ['Quexley Fund Oy'] }),
    // "International business company" is a spelling of Ltd, and it may not be this company's.
    company({ names: ['Byron Ltd'], directChildren: 9 }),
    company({ names: ['Byron Interiors'] }),
    company({ names: ['Zenobia', 'Byron Interim Ltd'] }),
  ]);
  expect(index.suggest('quexley inte')[0]).toBe('Quexley International GmbH');
  expect(index.suggest('quexley f')[0]).toBe('Quexley Fund Oy');
  expect(index.suggest('byron inte').slice(0, 2)).toEqual(['Byron Interiors', 'Byron Ltd']);
  await index.close();
});

test('a legal form in front of the name must be the company’s while another one is typed behind it', async () => {
  const index = await smallIndex([
    ...Array.from({ length: 12 }, (_, i) => company({ names: ['Capital Pvt Ltd'], directChildren: i + 1 })),
    company({ names: ['SAS Capital Pvt Ltd'] }),
  ]);
  expect(index.suggest('sas capital pvt lt')).toContain('SAS Capital Pvt Ltd');
  await index.close();
});

test('a last word that means "and", or stands behind a single letter, may be a word of the name', async () => {
  const names = [
    'Quexley Andina SA',
    'Quexley and Sons',
    'Quexley Fifty A Share Fund',
    'Byron Invest di Succi E C.',
    'Zenobia of Brontide of Oslo',
  ];
  const index = await smallIndex(names.map((name) => company({ names: [name] })));
  expect(index.suggest('quexley and')).toEqual(
    expect.arrayContaining(['Quexley Andina SA', 'Quexley and Sons']),
  );
  expect(index.suggest('quexley fifty a sh')).toEqual(['Quexley Fifty A Share Fund']);
  expect(index.suggest('byron invest di succi e c')).toEqual(['Byron Invest di Succi E C.']);
  // The last letter begins a word that stands before it, too.
  expect(index.suggest('zenobia of brontide o')).toEqual(['Zenobia of Brontide of Oslo']);
  await index.close();
});
