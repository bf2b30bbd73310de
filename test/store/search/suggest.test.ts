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
