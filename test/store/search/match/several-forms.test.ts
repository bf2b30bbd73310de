/** Questions and names that are several legal forms and nothing else. */
import { expect, test } from 'bun:test';
import { company, smallIndex } from '../small-index.ts';

test('of several legal forms and nothing else the first is the name, and a form before a single letter is a form', async () => {
  const index = await smallIndex([
    company({ names: ['ANL Beheer B.V.'] }),
    company({ names: ['ANL B.V.'] }),
    company({ names: ['Larkmoor B.V.'], directChildren: 500 }),
    company({ names: ['A/S D Amian'] }),
  ]);
  expect(index.find('anl b.v.')).toEqual(['ANL B.V.', 'ANL Beheer B.V.']);
  expect(index.find('anl')[0]).toBe('ANL B.V.');
  expect(index.find('b.v.')).toHaveLength(3);
  for (const q of ['a/s damian', 'd amian', 'd amian a/s']) expect(index.find(q)).toEqual(['A/S D Amian']);
  await index.close();
});

test('several legal forms that are no name are a question for the companies that have all of them', async () => {
  const index = await smallIndex([
    company({ names: ['Quexley GmbH'], directChildren: 500 }),
    company({ names: ['Quexley GmbH & Co. KG'] }),
    company({ names: ['Larkmoor Spółka z o.o. sp.k.'] }),
    company({ names: ['Larkmoor sp. z o.o.'] }),
  ]);
  for (const q of ['gmbh & co kg', 'gmbh kg'])
    expect([q, index.find(q)]).toEqual([q, ['Quexley GmbH & Co. KG']]);
  expect(index.find('spółka z o.o. sp.k.')).toEqual(['Larkmoor Spółka z o.o. sp.k.']);
  await index.close();
});
