import { afterEach, expect, test } from 'bun:test';
import type { LinkedCompany } from '../../../support/index-companies.ts';
import { company, type SmallIndex, smallIndex } from '../small-index.ts';
import { traverse } from '../traverse.ts';

const opened: SmallIndex[] = [];

async function indexOf(companies: readonly LinkedCompany[]): Promise<SmallIndex> {
  const index = await smallIndex(companies);
  opened.push(index);
  return index;
}

afterEach(async () => {
  for (const index of opened.splice(0)) await index.close();
});

test('a company whose whole name was typed comes before all others, however many children those have', async () => {
  const index = await indexOf([
    company({ names: ['Larkmoor Energy Trading Ltd'], directChildren: 500 }),
    company({ names: ['Larkmoor Ltd'], registrationStatus: 'LAPSED' }),
  ]);
  expect(index.find('larkmoor')).toEqual(['Larkmoor Ltd', 'Larkmoor Energy Trading Ltd']);
});

test('a whole name is equal however its initials and its legal form are dotted', async () => {
  const names = ['R.B.M. S.R.L.', 'Larkmoor Audit S.à r.l.', 'Rossi & C. S.n.c.'];
  const index = await indexOf([
    ...names.map((name) => company({ names: [name], registrationStatus: 'LAPSED' })),
    company({ names: ['RBM Trading Srl'], directChildren: 500 }),
    company({ names: ['Larkmoor Audit Trading Sarl'], directChildren: 500 }),
    company({ names: ['Rossi C Trading Snc'], directChildren: 500 }),
  ]);
  for (const q of ['RBM', 'rbm srl', 'R.B.M.', 'R.B.M. S.p.A.'])
    expect(index.find(q)[0]).toBe('R.B.M. S.R.L.');
  for (const q of ['larkmoor audit', 'larkmoor audit sarl', 'Larkmoor Audit S.A.'])
    expect(index.find(q)[0]).toBe('Larkmoor Audit S.à r.l.');
  for (const q of ['Rossi & C.', 'rossi & c snc']) expect(index.find(q)[0]).toBe('Rossi & C. S.n.c.');
});

test('a letter between two words may be an initial or an "and", whichever of them the question has', async () => {
  const index = await indexOf([
    company({ names: ['Maria E. Quexley Oy'] }),
    company({ names: ['Rui e Larkmoor Lda'] }),
    company({ names: ['Maria Quexley Oy'], directChildren: 500 }),
  ]);
  expect(index.find('maria e quexley oy')).toEqual(['Maria Quexley Oy', 'Maria E. Quexley Oy']);
  expect(index.find('maria e. quexley')[0]).toBe('Maria E. Quexley Oy');
  expect(index.find('rui e. larkmoor lda')[0]).toBe('Rui e Larkmoor Lda');
  await index.close();
});

test('a name whose words are separate as typed comes before one that joins them, however many children that company has', async () => {
  const index = await indexOf([
    company({ names: ['Blueharbour Ltd'], directChildren: 500 }),
    company({ names: ['Blue Harbour Ltd'] }),
  ]);
  expect(index.find('blue harbour')).toEqual(['Blue Harbour Ltd', 'Blueharbour Ltd']);
  expect(index.find('blueharbour')).toEqual(['Blueharbour Ltd', 'Blue Harbour Ltd']);
  expect(index.ask('blue harbour')).toMatchObject({ hits: [{ score: 0.9985 }, { score: 0.9889 }] });
});

test('a name that begins with the question, or has its words side by side, comes before others', async () => {
  const index = await indexOf([
    company({ names: ['House Larkmoor Energy Trading Ltd'] }),
    company({ names: ['Larkmoor House Trading Energy Ltd'] }),
    company({ names: ['Larkmoor Energy House Trading Ltd'] }),
  ]);
  expect(index.find('larkmoor')[2]).toBe('House Larkmoor Energy Trading Ltd');
  expect(index.find('larkmoor energy')).toEqual([
    'Larkmoor Energy House Trading Ltd',
    'House Larkmoor Energy Trading Ltd',
    'Larkmoor House Trading Energy Ltd',
  ]);
});

test('a repeated word is part of the name', async () => {
  const index = await indexOf([
    company({ names: ['Larkmoor Ltd'] }),
    company({ names: ['Larkmoor Larkmoor Ltd'] }),
  ]);
  expect(index.find('larkmoor')).toEqual(['Larkmoor Ltd', 'Larkmoor Larkmoor Ltd']);
  expect(index.find('larkmoor larkmoor')).toEqual(['Larkmoor Larkmoor Ltd', 'Larkmoor Ltd']);
});

test('a name that repeats the question and has no other word is among the first of very many hits', async () => {
  const index = await indexOf([
    ...Array.from({ length: 700 }, () => company({ names: ['Taylor Bank Ltd'] })),
    company({ names: ['Taylor Taylor Ltd'], registrationStatus: 'LAPSED' }),
  ]);
  expect(index.find('taylor')[0]).toBe('Taylor Taylor Ltd');
});

test('a word that is also a legal form counts if it is part of the name', async () => {
  const index = await indexOf([
    ...Array.from({ length: 30 }, (_, i) => company({ names: [`Bank ${i}`] })),
    company({ names: ['UAB Bank Limited'] }),
  ]);
  expect(index.find('uab bank')[0]).toBe('UAB Bank Limited');
});

test('a company with a legal form as a word of its name is found among any number of companies named like the other words', async () => {
  const index = await indexOf([
    ...Array.from({ length: 1_200 }, () => company({ names: ['Larkmoor GmbH'], directChildren: 30 })),
    company({ names: ['CV Larkmoor Ltd'] }),
  ]);
  expect(index.find('cv larkmoor')[0]).toBe('CV Larkmoor Ltd');
});

test('a company alone with the typed words and another form comes before one with a light word more and the typed form', async () => {
  const index = await indexOf([
    ...otherForms([]),
    company({ names: ['Larkmoor AB'], registrationStatus: 'LAPSED' }),
  ]);
  expect(index.find('larkmoor oy').slice(0, 2)).toEqual(['Larkmoor AB', 'Sallowby Larkmoor Oy']);
});

test('of several companies with the typed words and other forms only the first is near one with a light word more and the typed form, the fewer they are', async () => {
  const names = ['Larkmoor AB', 'Larkmoor GmbH', 'Larkmoor S.p.A.', 'Larkmoor S.A.'];
  const scores = new Set<number>();
  for (const count of [2, 3, 4]) {
    const index = await indexOf(otherForms(names.slice(0, count)));
    const all = index.find('larkmoor oy');
    expect(all.slice(0, 3)).toEqual(['Sallowby Larkmoor Oy', 'Larkmoor AB', 'Larkmoor GmbH']);
    expect(all).toHaveLength(3 + count);
    expect(traverse(index, 'larkmoor oy', 1)).toEqual(traverse(index, 'larkmoor oy', 7));
    const outcome = index.ask('larkmoor oy');
    scores.add(outcome.outcome === 'hits' ? (outcome.hits[1]?.score ?? 0) : 0);
  }
  expect([...scores]).toEqual([0.8515, 0.8035]);
});

test('of companies with the typed words and not the typed form one without any form comes first', async () => {
  const index = await indexOf([
    ...otherForms(['Larkmoor AB', 'Larkmoor GmbH']),
    company({ names: ['Larkmoor'], registrationStatus: 'LAPSED' }),
  ]);
  expect(index.find('larkmoor oy').slice(0, 3)).toEqual(['Sallowby Larkmoor Oy', 'Larkmoor', 'Larkmoor AB']);
});

test('a name of earlier times with the typed words and another form comes after one of today, and after legal names with a light word more', async () => {
  const index = await indexOf([
    company({ names: ['Sallowby Larkmoor Oy'] }),
    company({ names: ['Formerly Known AB', ['Larkmoor AB', 'PREVIOUS_LEGAL_NAME']], directChildren: 200 }),
    company({ names: ['Known Trading Ltd', 'Larkmoor Ltd'] }),
    ...Array.from({ length: 20 }, () => company({ names: ['Sallowby Trading'] })),
  ]);
  expect(index.find('larkmoor oy')).toEqual([
    'Sallowby Larkmoor Oy',
    'Known Trading Ltd',
    'Formerly Known AB',
  ]);
});

test('a company whose legal name has another form is scored by a further name that answers better', async () => {
  const index = await indexOf([
    company({ names: ['Larkmoor AB'], directChildren: 5 }),
    company({ names: ['Larkmoor GmbH', 'Sallowby Larkmoor Oy'] }),
    company({ names: ['Sallowby', 'Sallowby Larkmoor Oy'] }),
    ...Array.from({ length: 20 }, () => company({ names: ['Sallowby Trading'] })),
  ]);
  const outcome = index.ask('larkmoor oy');
  const [first, ...others] = outcome.outcome === 'hits' ? outcome.hits : [];
  expect(first?.nameIndex).toBe(0);
  expect(others.map(({ nameIndex }) => nameIndex)).toEqual([1, 1]);
  expect(others[0]?.score).toBe(others[1]?.score);
});

/** Companies of these names, others with the typed words in further names, and one with a light word more. */
function otherForms(names: readonly string[]): LinkedCompany[] {
  return [
    ...names.map((name) => company({ names: [name] })),
    company({ names: ['Known Trading Ltd', 'Larkmoor Ltd'], directChildren: 200 }),
    company({ names: ['Better Known AB', 'Larkmoor AB'], directChildren: 200 }),
    company({ names: ['Sallowby Larkmoor Oy'] }),
    ...Array.from({ length: 20 }, () => company({ names: ['Sallowby Trading'] })),
  ];
}

test('a name with the typed legal form and another word is found among any number of companies with the typed words', async () => {
  const sought = company({ names: ['Marill Quexley WLL'], registrationStatus: 'LAPSED' });
  const forms = ['Ltd', 'GmbH', 'SA', 'AG'];
  for (const other of ['Quexley', 'Quexley Harbour']) {
    const index = await smallIndex([
      ...Array.from({ length: 700 }, (_, i) => company({ names: [`${other} ${forms[i % 4]}`] })),
      sought,
    ]);
    expect(index.find('quexley wll').indexOf('Marill Quexley WLL')).toBeLessThanOrEqual(1);
    expect(index.find('quexley wll')).toContain('Marill Quexley WLL');
    await index.close();
  }
});

test('the legal name ranks above another name', async () => {
  const index = await indexOf([
    company({ names: ['Unrelated Ltd', 'Larkmoor Ltd'] }),
    company({ names: ['Larkmoor Ltd'] }),
  ]);
  expect(index.find('larkmoor')).toEqual(['Larkmoor Ltd', 'Unrelated Ltd']);
});

test('another name that has more words than the question does not count as the whole name', async () => {
  const index = await indexOf([company({ names: ['Unrelated Ltd', 'Larkmoor Energy Ltd'] })]);
  const outcome = index.ask('larkmoor');
  expect(outcome.outcome === 'hits' && outcome.hits[0]?.score).toBeLessThan(0.9);
});

test('a current name comes before a previous name, whole or in part', async () => {
  const index = await indexOf([
    company({ names: ['Former Ltd', ['Larkmoor Energy Ltd', 'PREVIOUS_LEGAL_NAME']] }),
    company({ names: ['Today Ltd', ['Larkmoor Energy Ltd', 'TRADING_OR_OPERATING_NAME']] }),
  ]);
  for (const q of ['larkmoor energy', 'larkmoor']) expect(index.find(q)).toEqual(['Today Ltd', 'Former Ltd']);
});

test('the typed legal form ranks above another one', async () => {
  const index = await indexOf([
    company({ names: ['Larkmoor GmbH'] }),
    company({ names: ['Larkmoor Limited'] }),
  ]);
  expect(index.find('larkmoor ltd')).toEqual(['Larkmoor Limited', 'Larkmoor GmbH']);
  expect(index.find('larkmoor gesellschaft mit beschränkter haftung')[0]).toBe('Larkmoor GmbH');
});

test('a name with the typed legal form and a second one counts as having another form', async () => {
  const index = await indexOf([
    company({ names: ['Larkmoor GmbH & Co. KG'], directChildren: 500 }),
    company({ names: ['Larkmoor GmbH'] }),
  ]);
  expect(index.find('larkmoor gmbh')).toEqual(['Larkmoor GmbH', 'Larkmoor GmbH & Co. KG']);
  expect(index.find('larkmoor gmbh & co kg')).toEqual(['Larkmoor GmbH & Co. KG', 'Larkmoor GmbH']);
});

test('a name with the typed legal form comes before one with another form, whatever the status of its company', async () => {
  const index = await indexOf([
    company({ names: ['Larkmoor Limited'], directChildren: 500 }),
    company({ names: ['Larkmoor DOO'], registrationStatus: 'RETIRED', entityStatus: 'INACTIVE' }),
  ]);
  expect(index.find('larkmoor doo')).toEqual(['Larkmoor DOO', 'Larkmoor Limited']);
});

test('of names with additional words, one with the typed legal form comes first, wherever the typed words are in it', async () => {
  const index = await indexOf([
    company({ names: ['Larkmoor Consultancy LLC'], directChildren: 500 }),
    company({ names: ['Savon Larkmoor Oy'] }),
  ]);
  expect(index.find('larkmoor oy')).toEqual(['Savon Larkmoor Oy', 'Larkmoor Consultancy LLC']);
});

test('a name with fewer additional words comes first, whatever the status of its company', async () => {
  const index = await indexOf([
    company({ names: ['Larkmoor Energy Trading Ltd'], directChildren: 500 }),
    company({ names: ['Larkmoor Energy Ltd'], registrationStatus: 'LAPSED' }),
  ]);
  expect(index.find('larkmoor')).toEqual(['Larkmoor Energy Ltd', 'Larkmoor Energy Trading Ltd']);
});

test('a name without a legal form comes first if none was typed', async () => {
  const index = await indexOf([
    company({ names: ['Larkmoor Works Limited'], directChildren: 500 }),
    company({ names: ['Larkmoor Works'] }),
  ]);
  for (const q of ['larkmoor works', 'works larkmoor'])
    expect(index.find(q)).toEqual(['Larkmoor Works', 'Larkmoor Works Limited']);
});

test('a legal form of which some words were typed comes before another form', async () => {
  const index = await indexOf([
    company({ names: ['Larkmoor Agro S.A.'], directChildren: 500 }),
    company({ names: ['Larkmoor Agro (Pty) Ltd'], registrationStatus: 'LAPSED' }),
    company({ names: ['Quexley Foods GmbH'], directChildren: 500 }),
    company({ names: ['Quexley Foods Private Limited'], registrationStatus: 'LAPSED' }),
  ]);
  expect(index.find('larkmoor agro (pty)')).toEqual(['Larkmoor Agro (Pty) Ltd', 'Larkmoor Agro S.A.']);
  expect(index.find('quexley foods private')).toEqual([
    'Quexley Foods Private Limited',
    'Quexley Foods GmbH',
  ]);
});

test('a legal form that a name has as a word was typed for that word', async () => {
  const index = await indexOf([
    company({ names: ['Larkmoor GmbH'], directChildren: 500 }),
    company({ names: ['Co Larkmoor AB'], registrationStatus: 'LAPSED' }),
    company({ names: ['Quexley Metals Limited'], directChildren: 500 }),
    company({ names: ['PSA Quexley Metals'], registrationStatus: 'LAPSED' }),
  ]);
  expect(index.find('larkmoor ab co')).toEqual(['Co Larkmoor AB', 'Larkmoor GmbH']);
  expect(index.find('quexley metals psa')).toEqual(['PSA Quexley Metals', 'Quexley Metals Limited']);
  const twice = await indexOf([
    company({ names: ['Co Larkmoor & Co'] }),
    company({ names: ['Larkmoor Nordic Co'] }),
  ]);
  expect(twice.find('larkmoor co')).toEqual(['Co Larkmoor & Co', 'Larkmoor Nordic Co']);
});

test('an annulled record comes after companies whose names begin with the question, even if its whole name was typed', async () => {
  const index = await indexOf([
    company({ names: ['Larkmoor Ltd'], registrationStatus: 'ANNULLED' }),
    company({ names: ['Larkmoor Energy Ltd'] }),
  ]);
  expect(index.find('larkmoor')).toEqual(['Larkmoor Energy Ltd', 'Larkmoor Ltd']);
});

test('the typed legal form also breaks the tie of names that have more words than the question', async () => {
  const index = await indexOf([
    company({ names: ['Larkmoor Energy GmbH'] }),
    company({ names: ['Larkmoor Energy Limited'] }),
  ]);
  expect(index.find('larkmoor ltd')).toEqual(['Larkmoor Energy Limited', 'Larkmoor Energy GmbH']);
});

test('a rare word counts more than a common one', async () => {
  const index = await indexOf([
    ...Array.from({ length: 50 }, (_, i) => company({ names: [`Thing ${i} Capital Holdings`] })),
    company({ names: ['Larkmoor Quarries'] }),
  ]);
  expect(index.find('larkmoor capital')[0]).toBe('Larkmoor Quarries');
});

test('live registrations rank above lapsed, then retired, then annulled ones, and duplicates last', async () => {
  const named = (registrationStatus: string, entityStatus = 'ACTIVE') =>
    company({ names: [`Larkmoor ${registrationStatus}`, 'Larkmoor'], registrationStatus, entityStatus });
  const index = await indexOf([
    named('DUPLICATE'),
    named('RETIRED', 'INACTIVE'),
    named('LAPSED'),
    named('ANNULLED'),
    named('ISSUED'),
  ]);
  // As whole names, and as names with more words than the question.
  const ordered = ['ISSUED', 'LAPSED', 'RETIRED', 'ANNULLED', 'DUPLICATE'].map(
    (status) => `Larkmoor ${status}`,
  );
  expect(index.find('larkmoor')).toEqual(ordered);
  const longer = await indexOf(
    [...ordered].reverse().map((name) => {
      const registrationStatus = name.split(' ')[1] ?? '';
      const entityStatus = registrationStatus === 'RETIRED' ? 'INACTIVE' : 'ACTIVE';
      return company({ names: [name], registrationStatus, entityStatus, directChildren: 0 });
    }),
  );
  expect(longer.find('larkmoor')).toEqual(ordered);
});

test('the live company with more children comes first if both match equally well', async () => {
  const kept = [100, 25, 5, 1, 0].map((directChildren) => ({ directChildren }));
  const lapsed = [500, 0].map((directChildren) => ({ directChildren, registrationStatus: 'LAPSED' }));
  const gone = [0, 500].map((directChildren) => ({ directChildren, registrationStatus: 'RETIRED' }));
  // Added from the last on, so that the order differs from that of the LEIs.
  const family = [...kept, ...lapsed]
    .toReversed()
    .map((fields, i) => company({ names: [`Larkmoor A${i}`], ...fields }))
    .toReversed();
  const others = gone.map((fields, i) => company({ names: [`Larkmoor B${i}`], ...fields }));
  const index = await indexOf([...family, ...others]);
  expect(index.find('larkmoor')).toEqual([...family, ...others].map(({ names }) => names[0]?.name ?? ''));
});

test('the company with the lower LEI comes first if both match equally well, whichever character differs', async () => {
  const names = Array.from({ length: 20 }, (_, at) => `Larkmoor X${at}`);
  const lower = names.map((name, at) =>
    company({ names: [name], lei: `${'Z'.repeat(at)}7${'Z'.repeat(19 - at)}` }),
  );
  const index = await indexOf([...lower].reverse());
  expect(index.find('larkmoor')).toEqual(names);
});

test('companies found by identifier all score 1 and come in order of LEI, whatever their grades and the size of a page', async () => {
  const statuses = ['LAPSED', 'ISSUED', 'RETIRED', 'ISSUED', 'ANNULLED'];
  const registered = Array.from({ length: 600 }, (_, i) =>
    company({
      names: [`Larkmoor ${i}`],
      registeredAs: 'HRB 4711 K',
      registrationStatus: statuses[i % 5] ?? '',
      directChildren: i % 40,
    }),
  );
  const typed = ['029200156B8S2G1I9C02', '213800E5Z6QRDSMZMK84', '7LTWFZYICNSX8D621K86'].map((lei, i) =>
    company({ names: [`Quexley ${i}`], lei, registrationStatus: statuses[i] ?? '', directChildren: i }),
  );
  const index = await indexOf([...registered, ...typed].reverse());
  const questions: readonly [string, readonly LinkedCompany[]][] = [
    ['hrb 4711 k', registered],
    [typed.map(({ lei }) => lei).join(' '), typed],
    [
      typed
        .map(({ lei }) => lei)
        .toReversed()
        .join(', '),
      typed,
    ],
  ];
  for (const [q, found] of questions) {
    for (const limit of [1, 100]) {
      const { hits } = traverse(index, q, limit);
      expect(hits.map(({ entity, score }) => [entity, score])).toEqual(
        found.map(({ entity }) => [entity, 1]),
      );
    }
  }
});

test('the order in which companies are added has no effect', async () => {
  const companies = Array.from({ length: 200 }, (_, i) =>
    company({
      names: [`Larkmoor ${i % 17} Fund`, `Other ${i}`],
      directChildren: i % 3,
      country: i % 2 ? 'DE' : 'FR',
    }),
  );
  const forward = await indexOf(companies);
  const backward = await indexOf([...companies].reverse());
  for (const q of ['larkmoor', 'larkmoor fund', 'fund 7', 'larkmor', 'other 1']) {
    expect(backward.ask(q, { limit: 100 })).toEqual(forward.ask(q, { limit: 100 }));
  }
});

test('a name that is nothing but the legal form comes before names that also have it', async () => {
  const index = await indexOf([
    company({ names: ['½ Co'], directChildren: 500 }),
    ...Array.from({ length: 30 }, (_, i) => company({ names: [`Larkmoor ${i} Co`], directChildren: 9 })),
    company({ names: ['Co'], registrationStatus: 'LAPSED' }),
  ]);
  expect(index.find('Co')[0]).toBe('Co');
  expect(index.find('½ co')[0]).toBe('½ Co');
});

test('a mistyped or unfinished word has the weight of the words that it may stand for, a word as typed its own', async () => {
  const index = await indexOf([
    ...Array.from({ length: 60 }, (_, i) => company({ names: [`Zenobia Trading Fund ${i}`] })),
    company({ names: ['Quexley Works'] }),
  ]);
  const score = (q: string) => {
    const outcome = index.ask(q, { limit: 1 });
    return outcome.outcome === 'hits' ? outcome.hits[0]?.score : undefined;
  };
  const [common, unknown] = [score('quexley fund'), score('quexley zzyzzyxq')];
  for (const q of ['quexley fundd', 'quexley trading', 'quexley tradin', 'quexley trad'])
    expect([q, score(q)]).toEqual([q, common]);
  expect(common).toBeGreaterThan(unknown ?? 1);
});

test('only the rarest of many words count: a company that lacks the common ones has the whole question', async () => {
  const twelve = 'alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima';
  const index = await indexOf([
    ...Array.from({ length: 60 }, (_, i) => company({ names: [`Zenobia Fund Mike ${i}`] })),
    company({ names: [`${twelve} november`] }),
  ]);
  for (const q of [`${twelve} fund`, `mike ${twelve} fund`]) expect(index.ask(q)).toEqual(index.ask(twelve));
});

test('letters left out or exchanged after the first are equally likely, and likelier than strange letters', async () => {
  const index = await indexOf([company({ names: ['Larkmoor Works'] }), company({ names: ['Zorbia'] })]);
  const score = (q: string) => {
    const outcome = index.ask(q);
    return outcome.outcome === 'hits' ? (outcome.hits[0]?.score ?? 0) : 0;
  };
  const [leftOut, strange] = [score('larkmor'), score('larkmooq')];
  for (const q of ['larmkoor', 'lrakmoor']) expect([q, score(q)]).toEqual([q, leftOut]);
  for (const q of ['larkkmoor', 'larzmoor']) expect([q, score(q)]).toEqual([q, strange]);
  expect(strange).toBeGreaterThan(0.5);
  expect(strange).toBeLessThan(leftOut);
});

test('a word of the question counts as typed although another word may stand for it too', async () => {
  const index = await indexOf([
    company({ names: ['Quexley Harbour Works'], directChildren: 500 }),
    company({ names: ['Quexley Quexlay Works'] }),
  ]);
  expect(index.ask('quexley quexlay works')).toMatchObject({ hits: [{ score: 0.9995 }] });
});

test('an unfinished word, and a word that is two in a name, count nearly as if typed', async () => {
  const index = await indexOf([
    company({ names: ['Larkmoor Ventures'] }),
    company({ names: ['Larkmoor Trading'] }),
    company({ names: ['Gazprom Bank Trading'] }),
    company({ names: ['Gazprombank Leasing'] }),
  ]);
  expect(index.find('larkmoor vent')).toEqual(['Larkmoor Ventures']);
  expect(index.find('gazprom bank')).toEqual(['Gazprom Bank Trading', 'Gazprombank Leasing']);
  for (const q of ['larkmoor vent', 'gazprom bank']) {
    const outcome = index.ask(q);
    const scores = outcome.outcome === 'hits' ? outcome.hits.map(({ score }) => score) : [];
    expect(Math.min(...scores)).toBeGreaterThan(0.75);
  }
});
