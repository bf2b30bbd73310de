/** Tests words that were abbreviated, and those that were joined, split or taken for others and mistyped besides. */
import { expect, test } from 'bun:test';
import { named, numbered, within } from '../small-index.ts';

const funds = numbered(60, 'Zenobia Fund');
const amongFunds: typeof within = (companies, use) => within([...funds, ...companies], use);

test('a word that was split and mistyped is found, wherever it stands', () =>
  amongFunds(named('Quexley Harbourside Ltd', 'Quexley Zenobia Ltd'), (index) => {
    for (const q of [
      'quexley harb oursdie',
      'quexley hrab ourside',
      'har boursidee quexley',
      'quexley harbo urside ltd',
    ])
      expect([q, index.find(q)]).toEqual([q, ['Quexley Harbourside Ltd']]);
  }));

test('any word may be abbreviated: one with a dot behind, and one that no name has', () =>
  amongFunds(
    named(
      'Quex Zenobia',
      'Broad Zenobia',
      'Quexley Alder Services',
      'Quexley Brontide Services',
      'Alder Brook',
    ),
    (index) => {
      for (const q of ['quexl bron services', 'quex. bront. services', 'quex. bron services ltd'])
        expect([q, index.find(q)[0]]).toEqual([q, 'Quexley Brontide Services']);
      expect(index.find('quex brown')[0]).toBe('Quex Zenobia');
    },
  ));

test('two letters in front of a word are no split word with an error', () =>
  amongFunds(named('Qualto', 'Pa Zenobia'), (index) => {
    expect(index.find('qa lto zenobia')).not.toContain('Qualto');
    expect(index.find('qua lot')).toEqual(['Qualto']);
  }));

test('two words are one mistyped word if no name has one of them, and with one error only', () =>
  amongFunds(
    named('Harb Alder', 'Ourside Brook', 'Ousride Delta', 'Harbourside Quexley', 'Larkmoor Delta'),
    (index) => {
      expect(index.find('harb oursdie')[0]).toBe('Harbourside Quexley');
      expect(index.find('hrab ourside')[0]).toBe('Harbourside Quexley');
      expect(index.find('harb ousride')).not.toContain('Harbourside Quexley');
      expect(index.find('harb oruisde')).not.toContain('Harbourside Quexley');
      expect(index.find('larkm oro')[0]).toBe('Larkmoor Delta');
      expect(index.find('harb oursdie quexley')[0]).toBe('Harbourside Quexley');
    },
  ));

test('such a word counts for both words', () =>
  amongFunds(named('Quexley Harbourside'), (index) => {
    expect(index.ask('quexley harb oursdie')).toMatchObject({ hits: [{ score: 0.8185 }] });
  }));

test('two words that were joined and mistyped are found, whichever of them is mistyped', () =>
  amongFunds(named('Quexley Harbour', 'Quexley Zenobia'), (index) => {
    for (const q of ['quexleyharbuor', 'qeuxleyharbour', 'quexleyharbor', 'quexlyharbour'])
      expect([q, index.find(q)]).toEqual([q, ['Quexley Harbour']]);
  }));

test('the shorter half has three letters or more, and a word that a name has is not two', () =>
  amongFunds(named('Ago Quexley', 'Alder Ago', 'Harbour Brontide', 'Harborbrontide Alder'), (index) => {
    expect(index.find('agoquexly')).toEqual(['Ago Quexley']);
    expect(index.find('quexlyago')).toEqual(['Ago Quexley']);
    expect(index.find('agoaldr')).toEqual(['Alder Ago']);
    expect(index.find('harborbrontide delta')).toEqual(['Harborbrontide Alder']);
  }));

test('a joined and mistyped word is also found among the words of very many companies', () => {
  const many = named(...Array.from({ length: 600 }, (_, i) => `Harbour ${i + 1000} Brontide ${i + 1000}`));
  return amongFunds([...many, ...named('Quexley Harbour')], (index) => {
    for (const q of ['quexlyharbour', 'harbourquexly'])
      expect([q, index.find(q)]).toEqual([q, ['Quexley Harbour']]);
  });
});

test('a name that a legal form was joined to is found if either is mistyped, or if the form is not the own one', () =>
  amongFunds(named('Quexley Brontide Ltd', 'Quexley Brontide GmbH', 'Quexley Harbour Ltd'), (index) => {
    for (const q of [
      'quexley harbuorltd',
      'quexley harbourlimtied',
      'quexley harbourgmbh',
      'quexley harbouraktiengesellschaft',
    ])
      expect([q, index.find(q)[0]]).toEqual([q, 'Quexley Harbour Ltd']);
  }));

test('a form that was joined to a mistyped name takes little from its score', () =>
  amongFunds(named('Quexley Harbour AG'), (index) => {
    expect(index.ask('quexley harbuorag')).toMatchObject({ hits: [{ score: 0.8485 }] });
  }));

test('a legal form whose words were joined or split counts before a name with a word among them', () =>
  amongFunds(
    named('Sabiedrība ar Kelp ierobežotu atbildību "Vex"', 'Sabiedrība ar ierobežotu atbildību "Vex"'),
    (index) => {
      for (const q of ['sabiedrībaar ierobežotu atbildību vex', 'sabiedrība ar iero bežotu atbildību vex'])
        expect([q, index.find(q)[0]]).toEqual([q, 'Sabiedrība ar ierobežotu atbildību "Vex"']);
    },
  ));

test('a legal form that was split and mistyped is that form', () =>
  amongFunds(named('Quexley GmbH', 'Quexley Corporation', 'Quexley Trading Corporation'), (index) => {
    for (const q of ['quexley corpo ratoin', 'quexley cropo ration', 'quexley coproration'])
      expect([q, index.find(q)[0]]).toEqual([q, 'Quexley Corporation']);
  }));

test('a mistyped legal form of a company with another form is no two words', () =>
  amongFunds(named('Quexley Harbour S.p.A.', 'Quexley Anonto SA', 'Anonto Yme SA'), (index) => {
    expect(index.find('quexley harbour societe anonyem')[0]).toBe('Quexley Harbour S.p.A.');
  }));

test('a word with two errors is found although it is the word of a few other companies', () =>
  amongFunds(
    named('Quexley Harbour Milan', 'Mlina Trading', 'Brontide Milan', 'Recon Brontide Ltd', 'Roen Trading'),
    (index) => {
      expect(index.find('quexley harbour mlian')).toEqual(['Quexley Harbour Milan']);
      expect(index.find('quexley harbour mlina')).toEqual(['Quexley Harbour Milan']);
      expect(index.find('roen brontide ltd')[0]).toBe('Recon Brontide Ltd');
    },
  ));

test('a word of three letters may have two errors if a company with the legal form of the question then has all of it for its name', () =>
  amongFunds(
    named(
      'Argo Quexley PLC',
      'Argo Quexley Trading Ltd',
      'Quexley Harbour GmbH',
      'Argo Brontide GmbH',
      'Brxo SE',
    ),
    (index) => {
      expect(index.find('rag quexley plc')[0]).toBe('Argo Quexley PLC');
      expect(index.find('rag quexley gmbh')[0]).toBe('Quexley Harbour GmbH');
      expect(index.find('rag brontide')[0]).toBe('Argo Brontide GmbH');
      expect(index.find('rag zenobia')).not.toContain('Argo Brontide GmbH');
      expect(index.find('rga plc')).toEqual([]);
      expect(index.find('rbo se')[0]).toBe('Brxo SE');
    },
  ));

test('so it may beside a company that is the question with one error and another legal form, which stays among the hits', () =>
  amongFunds(named('Turk Quexley Sdn. Bhd.', 'True Quexley Limited'), (index) => {
    expect(index.find('tur quexley limited')).toEqual(['True Quexley Limited', 'Turk Quexley Sdn. Bhd.']);
  }));

test('it is rather that word beside a single other one, and if a company has it in its whole name', () =>
  amongFunds(named('Milan Brontide', 'Mlina Trading', 'Quexley Brontide Recon', 'Quexley Roen'), (index) => {
    expect(index.find('mlina brontide')[0]).toBe('Mlina Trading');
    expect(index.find('quexley brontide roen')[0]).toBe('Quexley Roen');
  }));

test('a legal form of few companies at the end may be the first word of a name', () =>
  amongFunds(named('Anl Quexley', 'Quexley GmbH'), (index) => {
    expect(index.find('quexley anl')[0]).toBe('Anl Quexley');
  }));

test('companies that have the rare word as it was typed stay among the hits beside a name with two errors', () =>
  amongFunds(
    named('Roper Quexley', 'Viper Harbour Inc', 'Reliance Brontide', 'Rain Industries Ltd'),
    (index) => {
      expect(index.find('roper harbour inc')).toEqual(['Viper Harbour Inc', 'Roper Quexley']);
      expect(index.find('rln industries ltd')[0]).toBe('Rain Industries Ltd');
    },
  ));

test('a whole name with the legal form of the question and an error is a hit although many names have the mistyped word', () => {
  const others = named(...Array.from({ length: 40 }, (_, i) => `Naga Trading ${i + 1000} GmbH`));
  return amongFunds(
    [...others, ...named('Nala Inc', 'Naga I Harbour SE', 'Nadra I Inc', 'Nabya Inc')],
    (index) => {
      expect(index.find('naga inc')[0]).toBe('Nala Inc');
      // Of a word that many names have, two errors are too many.
      expect(index.find('naga inc')).not.toContain('Nabya Inc');
      expect(index.find('naga i inc')[0]).toBe('Nadra I Inc');
      expect(index.ask('naga inc')).toMatchObject({ total: 42 });
      expect(index.find('naga gmbh')).not.toContain('Nala Inc');
      expect(index.find('naga trading')).not.toContain('Nala Inc');
    },
  );
});

test('a whole name with two errors and the form of the question comes before longer names with other forms', () =>
  amongFunds(named('Gre LLC', 'Gre Harbour SA', 'Gre Kelp Ltd', 'Vret ehf.'), (index) => {
    expect(index.find('gre ehf.').slice(0, 2)).toEqual(['Gre LLC', 'Vret ehf.']);
  }));

test('so is a whole name with two errors beside a name with one', () =>
  amongFunds(named('Mefo Ltd', 'Merco Ltd', 'Merco GmbH'), (index) => {
    expect(index.find('mefoc ltd')).toEqual(['Mefo Ltd', 'Merco Ltd']);
  }));

test('two words that are one word of names are not mistyped besides', () =>
  amongFunds(named('Delstar Harbour', 'Telstar Brontide'), (index) => {
    expect(index.find('tel star harbour')).toEqual(['Telstar Brontide']);
  }));

test('a mistyped word that may also be two says no more than the word that it is near to', () =>
  amongFunds(
    [
      ...named(...Array.from({ length: 300 }, (_, i) => `Management ${i + 1000}`)),
      ...named('Manna Gemen', 'Utilico Harbour AG'),
    ],
    (index) => {
      expect(index.find('utilico mannagement ag')[0]).toBe('Utilico Harbour AG');
      expect(index.ask('utilico mannagement ag')).toMatchObject({ total: 1 });
    },
  ));

test('an abbreviation ends at its dot, and what is behind the name hides no company with the name', () =>
  amongFunds(
    named(
      'Accton Alder',
      'Endexx Delta',
      'Cesar Quexley',
      'Alder Luxor',
      'Yum Brontide',
      'Yumemi Comalder Inc',
    ),
    (index) => {
      expect(index.find('endexx acct. no. 499186')).toEqual(['Endexx Delta']);
      expect(index.find('cesar lux. ord. shs.')).toContain('Cesar Quexley');
      expect(index.find('yum.com inc')).toContain('Yum Brontide');
    },
  ));

test('two errors in a word that no name has are likelier than an error in each of two words', () =>
  amongFunds(named('Quexm Alderia', 'Quexv Alderie', 'Brontide Alderie'), (index) => {
    expect(index.find('quedxm alderie')).toEqual(['Quexv Alderie', 'Quexm Alderia']);
  }));

test('of words with as many errors, one that has all typed letters comes before one that lacks some', () =>
  within(named('Quexla Ltd', 'Quexley Ltd', 'Hobu Works', 'Heobt Works'), (index) => {
    expect(index.find('quexle ltd')).toEqual(['Quexley Ltd', 'Quexla Ltd']);
    expect(index.find('hobt works')).toEqual(['Heobt Works', 'Hobu Works']);
  }));

test('a word with two errors is found as the rest of a whole name, however many companies have the other words', () =>
  within(
    [
      ...named(...Array.from({ length: 80 }, (_, at) => `Zenobia ${at} Manufacturing Limited`)),
      ...named('Mtn Limited', 'Mint Manufacturing Limited'),
    ],
    (index) => {
      expect(index.find('mtn manufacturing limited')[0]).toBe('Mint Manufacturing Limited');
    },
  ));
