/** Tests which reading of a question is chosen, by the companies that it finds and leaves out. */
import { expect, test } from 'bun:test';
import { searchLimits } from '../../../../src/store/search/limits.ts';
import { company, named, numbered, within } from '../small-index.ts';

const funds = numbered(60, 'Zenobia Fund');

test('names may lack the light words of a question, however many companies have them', () =>
  within([...numbered(12, 'Bank of Zorbia'), ...numbered(12, 'Zorbia Bank')], (index) => {
    for (const q of ['bank of zorbia', 'of zorbia']) expect(index.ask(q)).toMatchObject({ total: 24 });
  }));

test('a legal form beside other words does not exclude companies with another form or none', () =>
  within([...numbered(12, 'Zorbia Ltd'), ...named('Zorbia GmbH', 'Zorbia Harbour')], (index) => {
    expect(index.ask('zorbia ltd')).toMatchObject({ total: 14 });
  }));

test('an unfinished last word stands for the words that begin so, and if there are very many for the most frequent', () => {
  const rare = Array.from({ length: 600 }, (_, i) => `Zq${(i + 1296).toString(36)} Works`);
  return within(
    named('Larkmoor Ventures', 'Larkmoor Trading', ...rare, ...Array(5).fill('Zqzzz Works')),
    (index) => {
      expect(index.find('larkmoor vent')).toEqual(['Larkmoor Ventures']);
      expect(index.find('larkmoor trad')).toEqual(['Larkmoor Trading']);
      expect(index.find('vent larkmoor')).toEqual(['Larkmoor Ventures']);
      const found = index.find('zq', { limit: 200 });
      expect(found.filter((name) => name === 'Zqzzz Works')).toHaveLength(5);
    },
  );
});

test('the last word of the vocabulary is found by its beginning like any other', () =>
  within([...funds, ...named('Ромашка')], (index) => {
    expect(index.find('ром')).toEqual(['Ромашка']);
  }));

test('a mistyped word with very many similar words stands for the most frequent ones', () => {
  const rare = Array.from('bcdfghijklmnpqrstuvw', (letter) => `Zor${letter}ia`);
  const others = Array.from('bcdfghijklmnpqrstuvw', (letter) => `${letter}orxia`);
  return within(named(...rare, ...others, ...Array(5).fill('Zorxyia')), (index) => {
    expect(index.find('zorxia')).toEqual(expect.arrayContaining(Array(5).fill('Zorxyia')));
  });
});

test('a question that is a whole name of several words is read as typed; a single word is read like any other word', () =>
  within(named('Quexley Harbour', 'Quexlay Harbour Trading', 'Larkmoor', 'Larkmoar Trading'), (index) => {
    expect(index.find('quexley harbour')).toEqual(['Quexley Harbour']);
    expect(index.find('larkmoor')).toEqual(['Larkmoor', 'Larkmoar Trading']);
  }));

test('a company with one common word of the question is not found if another has most of them', () =>
  within([...funds, ...named('Quexley Brontide Ltd', 'Larkmoor Ltd')], (index) => {
    expect(index.find('quexley brontide harbinger fund')).toEqual(['Quexley Brontide Ltd']);
  }));

test('if no company has all words, the most distinctive one counts', () =>
  within([...funds, ...named('Quexley Ltd')], (index) => {
    expect(index.find('fund quexley wvvwvq zzyzzyxq jjkqqjkx')).toEqual(['Quexley Ltd']);
  }));

test('the other words that count are those that some company has together with the most distinctive one', () =>
  within([...funds, ...named('Quexley Ltd', 'Quexley Fund Ltd')], (index) => {
    expect(index.find('fund zzyzzyxq quexley wvvwvq jjkqqjkx qqvvkkx')).toEqual(['Quexley Fund Ltd']);
  }));

test('a word of thousands of companies finds all of them if no company has the other words, and none if some do', () =>
  within([...numbered(4_200, 'Fund'), ...named('Quexley Brontide Ltd', 'Larkmoor Zorbia Ltd')], (index) => {
    expect(index.ask('fund zzyzzyxq wvvwvq jjkqqjkx')).toMatchObject({ total: 4_200 });
    const told = index.find('fund quexley brontide larkmoor zorbia');
    expect(told.toSorted()).toEqual(['Larkmoor Zorbia Ltd', 'Quexley Brontide Ltd']);
  }));

test('a question of very many words uses the rarest, without those that no name has', () => {
  const common = 'alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november';
  return within([...numbered(20, common), ...named(`${common} quexley`)], (index) => {
    expect(index.ask(`${common} quexley`)).toMatchObject({ total: 1 });
    const unknown = Array.from('bcdfghjklmnp', (letter) => `zz${letter}qq${letter}x`).join(' ');
    expect(index.ask(`${unknown} quexley`)).toMatchObject({ total: 1 });
    expect(index.ask(`${unknown} zzyzzyxq`)).toMatchObject({ total: 0 });
  });
});

test('two words find the name that joins them, and a short word finds the name that spells it as initials', () =>
  within(
    [...funds, ...named('Gazprombank Leasing', 'Zorbia Bank', 'Brontide Bank', 'H & M Hennes')],
    (index) => {
      expect(index.find('gazprom bank')).toEqual(['Gazprombank Leasing']);
      expect(index.find('hm')).toEqual(['H & M Hennes']);
    },
  ));

test('a typing error in the first letter counts as less likely than one elsewhere', () =>
  within(named('Darkmoor Ltd', 'Barkmour Ltd'), (index) => {
    expect(index.find('barkmoor')).toEqual(['Barkmour Ltd', 'Darkmoor Ltd']);
  }));

test('words of a legal form are one form although a word of it is in front', () => {
  const others = Array.from({ length: 12 }, (_, i) => `Larkmoor ${i + 100} Ltd`);
  return within(named(...others, 'Larkmoor Co., Ltd'), (index) => {
    expect(index.find('ltd larkmoor co')[0]).toBe('Larkmoor Co., Ltd');
  });
});

test('a duplicate found by its number is not the only answer if a filter hides the others', () => {
  const duplicate = company({
    names: ['Quexley'],
    registeredAs: 'HRB 1234',
    registrationStatus: 'DUPLICATE',
  });
  return within([duplicate, ...named('Hrb1234 Trading')], (index) => {
    expect(index.ask('hrb1234', { status: 'DUPLICATE' })).toMatchObject({
      total: 1,
      hits: [{ entity: duplicate.entity, score: 0.1 }],
    });
  });
});

test('a legal form alone also finds companies that have it as a word of their names', () =>
  within(named('Alfa SA', 'SA Sugar Trading Ltd', 'Bravo Ltd'), (index) => {
    expect(index.find('sa')).toEqual(['Alfa SA', 'SA Sugar Trading Ltd']);
  }));

test('a word may stand for a legal form and for a word of a name at once', () =>
  within([...funds, ...named('Larkmoor Limitz', 'Larkmoor Limited')], (index) => {
    expect(index.find('larkmoor limitd')).toEqual(['Larkmoor Limited', 'Larkmoor Limitz']);
  }));

test('words one typing error away come before many frequent ones two errors away', () => {
  const others = Array.from('bcdfghijklmnpqrstuvw', (letter) => `${letter}enobiaw${letter}rks`);
  return within(named(...others, ...others, 'xenobiaworks'), (index) => {
    expect(index.find('zenobiaworks')).toContain('xenobiaworks');
  });
});

test('companies with a name that has little of the question do not hide one that lacks a word or has a second error', () =>
  within(
    [
      ...funds,
      // Both words are in this company's names, but in none together.
      company({ names: ['Zorbia Metals', 'Quexlay Import'] }),
      ...named('Zorbia Harbour Trading', 'Vekoslar', 'Qvekosliwa Shipping', 'Larkmoor Brontide Nordic Works'),
    ],
    (index) => {
      expect(index.find('zorbia quexley harbour')[0]).toBe('Zorbia Harbour Trading');
      expect(index.find('qvekoslra')).toContain('Vekoslar');
      expect(index.find('larkmoor xxyyxx brontide zzyzzy works')[0]).toBe('Larkmoor Brontide Nordic Works');
    },
  ));

test('a part of a name with one error does not hide a whole name with two', () =>
  within(
    [...funds, ...named('Abroath Inc', 'Arfoat Vossteinpo Trading Sp. z o.o.', 'Zorbia Abroath Shipping')],
    (index) => {
      expect(index.find('abrfoat inc')).toEqual([
        'Abroath Inc',
        'Arfoat Vossteinpo Trading Sp. z o.o.',
        'Zorbia Abroath Shipping',
      ]);
      // The company that is found may hardly be beaten.
      expect(index.find('arfoad vossteinpo trading')).toEqual(['Arfoat Vossteinpo Trading Sp. z o.o.']);
    },
  ));

test('a word for "and" at an end of a question is the one in the middle of a name', () =>
  within([...numbered(12, 'Byron'), ...named('Byron & Quexley', 'Legendre et Associés')], (index) => {
    for (const typed of ['byron and', 'byron et', 'and quexley'])
      expect([typed, index.find(typed)[0]]).toEqual([typed, 'Byron & Quexley']);
    expect(index.find('legendre und')).toEqual(['Legendre et Associés']);
  }));

test('letters that may be a mistyped legal form find no companies of that form alone', () =>
  within([...funds, ...named('Quexley GmbH', 'Larkmoor GmbH')], (index) => {
    expect(index.find('zzqwvx g m')).toEqual([]);
  }));

test('a whole name of another company that ends like an unfinished legal form does not hide the company of that form', () =>
  within(
    [...funds, ...named('Larkmoor Zártkörűen Működő S.r.l.', 'Larkmoor Zártkörűen Működő Részvénytársaság')],
    (index) => {
      expect(index.find('larkmoor zártkörűen működő')).toEqual([
        'Larkmoor Zártkörűen Működő S.r.l.',
        'Larkmoor Zártkörűen Működő Részvénytársaság',
      ]);
      // All of a name: nothing else is meant.
      expect(index.find('larkmoor zártkörűen működő srl')[0]).toBe('Larkmoor Zártkörűen Működő S.r.l.');
    },
  ));

test('so does one that ends like the first words of it', () =>
  within(
    [
      ...funds,
      ...named('Larkmoor Spółka z ograniczoną B.V.', 'Larkmoor Spółka z ograniczoną odpowiedzialnością'),
    ],
    (index) => {
      expect(index.find('larkmoor spółka z ograniczoną')).toHaveLength(2);
    },
  ));

test('a whole name with other spaces and another legal form does not hide the company of the typed form', () =>
  within(
    [...funds, ...named('Larkmoor Designated Activity', 'Larkmoor Designated Activity Company')],
    (index) => {
      expect(index.find('larkmoor designatedactivity company')).toHaveLength(2);
    },
  ));

test('the last word may be a part of any legal form that one of few companies with the other words has', () =>
  within(
    [
      ...funds,
      ...named('Larkmoor Societa Trading', 'Larkmoor Società Semplice', 'Larkmoor Works Lda', 'Zorbia Lda'),
    ],
    (index) => {
      expect(index.find('larkmoor societa')).toEqual([
        'Larkmoor Societa Trading',
        'Larkmoor Società Semplice',
      ]);
      expect(index.find('larkmoor works uniepssoal')).toEqual(['Larkmoor Works Lda']);
    },
  ));

test('such a form hides no company with exactly the other words, and counts for no misspelling of them', () =>
  within(named('Ehopo', 'Ehopo Co., Ltd.', 'Ehoso Tatranska SA', 'Larkmoor Sàrl', 'Zorbia Lda'), (index) => {
    expect(index.find('ehopo société').slice(0, 2)).toEqual(['Ehopo', 'Ehopo Co., Ltd.']);
  }));

test('a legal form in front may be joined to the name', () =>
  within([...funds, ...named('Etablissement Danta Commerce', 'Commerce')], (index) => {
    expect(index.find('etablissementdanta commerce')[0]).toBe('Etablissement Danta Commerce');
  }));

test('a short legal form in front may be joined to the name where nothing else fits', () =>
  within(
    [...funds, ...named('UAB Quexley', 'Quexley Commerce', 'UAB Qx', 'Sasquatch Trading', 'Quatch S.A.S.')],
    (index) => {
      expect(index.find('uabquexley')).toEqual(['UAB Quexley']);
      // Two letters are too few for a name.
      expect(index.find('uabqx')).toEqual([]);
      expect(index.find('sasquatch')).toEqual(['Sasquatch Trading']);
    },
  ));

test('so may one beside a company that has all of it for words of its name', () =>
  within([...funds, ...named('UAB Quexley', 'UAB Quexley S.A.')], (index) => {
    expect(index.find('uabquexley')).toEqual(['UAB Quexley S.A.', 'UAB Quexley']);
  }));

test('a legal form that was joined to a word of very many companies counts, however low the company is ranked', () =>
  within(
    [
      ...Array.from({ length: 2 * searchLimits.driverDocumentsMax }, (_, at) =>
        company({ names: [`Noise${at} Holdings Limited`], directChildren: 3 }),
      ),
      company({ names: ['Quexley Energy Grown Holdings Limited'], directChildren: 9 }),
      company({ names: ['Quexley Grown Holdings Limited'], registrationStatus: 'RETIRED' }),
    ],
    (index) => expect(index.find('quexley grown holdingslimited')[0]).toBe('Quexley Grown Holdings Limited'),
  ));

test('a word that was joined to the next keeps its meaning, whether that is "and" or a legal form', () =>
  within(
    [
      ...funds,
      ...numbered(12, 'Quexley Harbour'),
      ...named('Quexley Logistics & Harbour', 'Zorbia Electric Company', 'Zorbia Co., Ltd.'),
      ...named('Zorbia Recycling Spółka z ograniczoną odpowiedzialnością', 'Zorbia Sp. z o.o.'),
      ...named('Migrant Coöperatie U.A.'),
    ],
    (index) => {
      expect(index.find('quexley logisticsand harbour')[0]).toBe('Quexley Logistics & Harbour');
      expect(index.find('zorbia electriccompany')[0]).toBe('Zorbia Electric Company');
      expect(index.find('zorbia recyclingspółka z ograniczoną odpowiedzialnością')[0]).toBe(
        'Zorbia Recycling Spółka z ograniczoną odpowiedzialnością',
      );
      expect(index.find('migrantcoöperatie u.a.')).toEqual(['Migrant Coöperatie U.A.']);
    },
  ));

test('companies whose whole name is all but a word of the question, or its beginning, are found beside those with all words', () =>
  within(
    [
      ...funds,
      ...named('Phoenix Larkmoor AG', 'Phoenix Timber Larkmoor Group Ltd', 'Quexley Holdings Limited'),
      ...named('Zorbia Bank Limited', 'Bank of London Branch Zorbia Services Ltd', 'Brontide AG'),
    ],
    (index) => {
      expect(index.find('phoenix larkmoor group')).toContain('Phoenix Larkmoor AG');
      expect(index.find('quexley limtied holdings')).toEqual(['Quexley Holdings Limited']);
      expect(index.find('quexley limited holdings fund')).toContain('Quexley Holdings Limited');
      expect(index.find('zorbia bank ltd (london branch)')).toContain('Zorbia Bank Limited');
      expect(index.find('brontide zenobia fund')).toContain('Brontide AG');
    },
  ));

test('a company that has all words of the question and no others is found alone', () =>
  within([...funds, ...named('Larkmoor', 'Larkmoor Quexley')], (index) => {
    expect(index.find('quexley larkmor')).toEqual(['Larkmoor Quexley']);
  }));

test('a word that many names have means no legal form of which it is one of several words, unless the form is the same without it', () =>
  within(
    [
      ...numbered(200, 'Zenobia International Group'),
      ...numbered(searchLimits.fewHits, 'Quexley Harbour International Group'),
      ...named('Quexley Works Ltd', 'Quexley Group Co., Ltd.', 'Group Larkmoor Brontide'),
    ],
    (index) => {
      expect(index.find('quexley international')).not.toContain('Quexley Works Ltd');
      expect(index.find('group quexley')).toContain('Quexley Group Co., Ltd.');
    },
  ));

test('a word that many companies have as a legal form means the others that it is a word of', () =>
  within(
    [
      ...named(...Array.from({ length: 300 }, (_, i) => `Noise${i} PLC`)),
      ...numbered(30, 'Larkmoor'),
      ...numbered(30, 'Insurance'),
      ...named('Larkmoor Insurance Public Company Limited', 'Larkmoor Works PLC', 'Insurance Harbour PLC'),
      ...named('Plc Zorbia GmbH'),
    ],
    (index) =>
      expect(index.find('plc larkmoor insurance')).toEqual(['Larkmoor Insurance Public Company Limited']),
  ));

test('a single letter means a legal form only beside another word of it, or one that it begins at the end', () =>
  within(
    [
      ...funds,
      ...named('Asia Quexley Center for Training', 'Asia Brontide Center for Training GmbH', 'Zorbia d.o.o.'),
    ],
    (index) => {
      expect(index.find('zorbia d')).toEqual(['Zorbia d.o.o.']);
      expect(index.find('asia m. center for training')).toContain('Asia Quexley Center for Training');
      expect(index.find('brontide z ograniczoną')).toEqual(index.find('brontide z ograniczoną sp'));
    },
  ));

test('a word that no name has says the less, the more companies it may mean', () =>
  within(
    [
      ...named(...Array.from({ length: 200 }, (_, i) => `Oi${(i + 1296).toString(36)}`)),
      ...named('Tekamo Oy', 'Tekamo Harbour', 'Tekamo Works', '8 9 Works'),
    ],
    (index) => {
      expect(index.find('tekamo oi')[0]).toBe('Tekamo Oy');
      // A number is not two.
      expect(index.find('tekamo 89')[0]).toBe('Tekamo Oy');
    },
  ));

test('a word that no name has may be a mistyped legal form wherever it stands', () =>
  within(
    [...funds, ...named('Byron Zenobia Ltd', 'Byron Limited Zenobia', 'Quexley Byron Fund Ltd')],
    (index) => {
      expect(index.find('byron limtied zenobia')).toEqual(['Byron Zenobia Ltd', 'Byron Limited Zenobia']);
    },
  ));

test('a word that ends with a legal form is the name of a company with that form', () =>
  within(
    [
      ...funds,
      ...named('Larkmoor Timber GmbH', 'Larkmoor Timber Private Limited', 'Larkmoor Timber'),
      ...named('Quexley S.p.A.', 'Limited AG', 'Waterco Limited', 'Water Co., Ltd.'),
    ],
    (index) => {
      expect(index.find('larkmoortimberprivatelimited')[0]).toBe('Larkmoor Timber Private Limited');
      expect(index.find('quexleys.p.a.')).toEqual(['Quexley S.p.A.']);
      expect(index.find('limitedag')).toEqual(['Limited AG']);
      // Not a Water Co., Ltd.
      expect(index.find('watercolimited')[0]).toBe('Waterco Limited');
    },
  ));

test('a light word at the end may begin a word or a legal form, if no name has it with the others', () =>
  within(
    [
      ...numbered(30, 'Quexley'),
      ...named('Quexley Diego', 'Quexley Inc.', 'Quexley Vantage', 'Islamic Quexley ApS', 'Quexley 7 Andina'),
      ...numbered(12, 'Byron'),
      ...named('Byron van Zorbia', 'Byron Vangu'),
    ],
    (index) => {
      expect(index.find('quexley die')[0]).toBe('Quexley Diego');
      expect(index.find('quexley in')[0]).toBe('Quexley Inc.');
      expect(index.ask('quexley in')).toMatchObject({ total: 35 });
      // Here a name has the word.
      expect(index.find('byron van')[0]).toBe('Byron van Zorbia');
      // And this name has other words between, or in front.
      expect(index.find('quexley an')[0]).toBe('Quexley Inc.');
    },
  ));

test('a whole name of another company that ends like the first word of a longer legal form does not hide the company of that form', () =>
  within(named('Quexley Akciová S.r.l.', 'Quexley, akciová společnost', 'Quexley Ltd'), (index) => {
    expect(index.find('quexley akciová')).toEqual(['Quexley Akciová S.r.l.', 'Quexley, akciová společnost']);
  }));

test('a legal form of three letters or more at the end may begin a word, unless a full stop ends it', () =>
  within(
    named(
      'Quexley Space SA',
      ...['Ltd', 'GmbH', 'AG'].map((form) => `Quexley ${form}`),
      'Byron SpA',
      'Byron Space SA',
    ),
    (index) => {
      expect(index.find('quexley spa')[0]).toBe('Quexley Space SA');
      expect(index.find('quexley spa.')[0]).not.toBe('Quexley Space SA');
      expect(index.find('byron spa')).toEqual(['Byron SpA', 'Byron Space SA']);
    },
  ));
