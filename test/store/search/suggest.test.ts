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
