import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { foldedCharacters, foldedWords } from '../../../src/lei/names/fold.ts';
import { identifierKey, mayBeMistyped, nameKey, nameTerms } from '../../../src/lei/names/name-terms.ts';
import { runs } from '../../support/runs.ts';

describe('Chinese characters become the same terms in every regional variant', () => {
  const cases: readonly [string, readonly string[], string[]][] = [
    ['traditional, simplified, Japanese', ['廣島電鐵', '广岛电铁', '広島電鉄'], ['广岛', '岛电', '电铁']],
    [
      'in legal forms',
      ['工商銀行股份有限公司', '工商银行股份有限公司'],
      ['工商', '商银', '银行', '§股份公司'],
    ],
    ['compatibility ideographs', ['\uf914園', '樂園', '乐园'], ['乐园']],
    ['what is simplified in China and a variant in Japan', ['滬東', '沪东'], ['滤东']],
    ['what never differs', ['中山'], ['中山']],
    ['forms that families keep', ['髙島屋', '高嶋屋', '高岛屋'], ['高岛', '岛屋']],
    ['one of them beyond the basic plane, one among compatibility ideographs', ['𠮷﨑', '吉崎'], ['吉崎']],
    ['what becomes a character beyond the basic plane, which stays', ['㠣山'], ['㠣山']],
  ];
  for (const [how, spellings, terms] of cases) {
    test(how, () => {
      for (const name of spellings) expect(nameTerms(name)).toEqual(terms);
    });
  }
});

describe('a name is split into terms', () => {
  const cases: readonly [string, string[]][] = [
    ['Gesellschaft für X mbH & Co. KG', ['gesellschaft', 'fur', 'x', '§mbh', '§co', '§kg']],
    ['AT&T Inc.', ['at', '&', 't', '§inc']],
    ['J. P. Morgan Chase & Co.', ['jp', 'morgan', 'chase', '§co']],
    ['X Y S.A.', ['xy', '§sa']],
    ['A.B.C. S.R.L.', ['abc', '§srl']],
    ['A. B. C. S.R.L.', ['abc', '§srl']],
    ['B.K. A/S', ['bk', '§as']],
    ['A. B. C.', ['abc']],
    ['A.B. C.', ['abc']],
    ['A/S D Amian', ['d', 'amian', '§as']],
    ['Sp/f D Amian', ['d', 'amian', '§spf']],
    ['K/S A B Harbour', ['ab', 'harbour', '§ks']],
    ['Lamarck S.R. L', ['lamarck', '§srl']],
    ['ANL B.V.', ['anl', '§bv']],
    ['ApS Sarl', ['aps', '§sarl']],
    ['GmbH', ['§gmbh']],
    ['Co., Ltd.', ['§coltd']],
    ['Rossi Mario & C. S.n.c.', ['rossi', 'mario', '&', 'c', '§snc']],
    ['Lamarck S. A', ['lamarck', '§sa']],
    ['Lamarck S. r.l.', ['lamarck', '§srl']],
    ['KPMG Audit S.à r.l.', ['kpmg', 'audit', '§sarl']],
    ['DUKE I S. À R.L', ['duke', 'i', '§sarl']],
    ['Lamarck S.A. P.I. de C.V.', ['lamarck', '§sapicv']],
    ['Rubicon sh.a.', ['rubicon', '§sha']],
    ['Sp/F Plys', ['plys', '§spf']],
    ['لينكس كورب ذ. م. م', ['لينكس', 'كورب', '§ذمم']],
    ['Nordic Fund Administration Ltd', ['nordic', 'fund', 'administration', '§ltd']],
    ['Nordic Home Improvement Company', ['nordic', 'home', 'improvement', '§co']],
    ['S.p.A. Rossi', ['rossi', '§spa']],
    ['A/S Dampskib', ['dampskib', '§as']],
    ['AG Barr plc', ['ag', 'barr', '§plc']],
    ['A.S. Roma S.p.A.', ['as', 'roma', '§spa']],
    ['Multy Electric S. de R.L. de C.V.', ['multy', 'electric', '§srlcv']],
    ['ELIXIR SECURITIES PAKISTAN (PVT.) LIMITED', ['elixir', 'securities', 'pakistan', '§pvtltd']],
    ['HP INC POLSKA SPÓŁKA Z OGRANICZONĄ ODPOWIEDZIALNOŚCIĄ', ['hp', 'inc', 'polska', '§spzoo']],
    ['Ørsted Łódź Straße Ærø', ['orsted', 'lodz', 'strasse', 'aero']],
    ['ダイハツ工業株式会社', ['ダイ', 'イハ', 'ハツ', 'ツ工', '工业', '§kk']],
    ['ﾀﾞｲﾊﾂ', ['ダイ', 'イハ', 'ハツ']],
    ['(주)드림텍', ['드림', '림텍', '§주식회사']],
    ['드림텍 (주)', ['드림', '림텍', '§주식회사']],
    ['קבוצת דלק בע"מ', ['קבוצת', 'דלק', '§בעמ']],
    ['هولدينجز ذ.م.م', ['هولدينجز', '§ذمم']],
    ['みずほ銀行', ['ミズ', 'ズホ', 'ホ银', '银行']],
    ['ミズホ銀行', ['ミズ', 'ズホ', 'ホ银', '银行']],
    ['Apple™ Pay℠', ['apple', 'pay']],
    ['CO-OPERATIVE GROUP LIMITED', ['co', 'operative', 'group', '§ltd']],
    ['Oxford Co-operative Limited', ['oxford', '§cooplimited']],
    ['Pinto e Silva Lda', ['pinto', '&', 'silva', '§lda']],
    ['Maria E. Silva', ['maria', 'e', 'silva']],
    ['Rui e Ana', ['rui', '&', 'ana']],
    ['GM i Partner', ['gm', 'i', 'partner']],
    ['Partner i GM', ['partner', 'i', 'gm']],
    ['Larkmoor Fund I, LLC', ['larkmoor', 'fund', 'i', '§llc']],
    ['Larkmoor – Fund I, LLC', ['larkmoor', 'fund', 'i', '§llc']],
    ['Larkmoor Trust A GmbH & Co. KG', ['larkmoor', 'trust', 'a', '§gmbh', '§co', '§kg']],
    ['Larkmoor GmbH Co. KG', ['larkmoor', '§gmbh', '§co', '§kg']],
    ['Larkmoor SE & Co. KGaA', ['larkmoor', '§se', '§co', '§kgaa']],
    ['Larkmoor UG u. Co. KG', ['larkmoor', '§ug', '§co', '§kg']],
    ['Studio U Co., Ltd.', ['studio', 'u', '§coltd']],
    ['U Co KG', ['u', '§co', '§kg']],
    ['Castel y Cía. Ltda.', ['castel', '§cialtda']],
    ['Novák a spol. s r.o.', ['novak', '§sro']],
    ['SC Larkmoor I SRL', ['larkmoor', 'i', '§sc', '§srl']],
    ['PT Larkmoor I Tbk', ['larkmoor', 'i', '§pt', '§tbk']],
    ['Larkmoor E R Ltd', ['larkmoor', 'er', '§ltd']],
    ['Larkmoor SOFOM, E.R.', ['larkmoor', '§sofomer']],
    ['Larkmoor & Co', ['larkmoor', '§co']],
    ['And Digital Ltd', ['and', 'digital', '§ltd']],
    ['Here And', ['here', 'and']],
    ['& Sons &', ['sons']],
    ['0 0 9 9 Works', ['0', '0', '9', '9', 'works']],
    ['三菱 銀行', ['三菱', '菱银', '银行']],
    ['ไทย三菱', ['ไทย', '三菱']],
    ['W'.repeat(50), ['w'.repeat(40)]],
    ['gmbh', ['§gmbh']],
    ['!!!', []],
    ['Kaffee😀Bar 👩‍🚀', ['kaffee', 'bar']],
    ['𠀋野家', ['𠀋', '野家']],
  ];
  for (const [name, terms] of cases) {
    test(name, () => {
      expect(nameTerms(name)).toEqual(terms);
    });
  }
});

test('spellings of one name have one key', () => {
  const spellings = [
    'Blue-Harbour & Co',
    'BLUE HARBOUR AND CO.',
    'blueharbour co',
    'B L U E Harbour Ltd',
    'Blúe Härbour',
  ];
  expect(new Set(spellings.map((name) => nameKey(nameTerms(name))))).toEqual(new Set(['blueharbour']));
});

test('a leading article is not part of the key, unless it is the whole name; legal forms likewise', () => {
  const keyOf = (name: string) => nameKey(nameTerms(name));
  expect(keyOf('The Boots Group')).toBe(keyOf('Boots Group'));
  expect(keyOf('The Co')).toBe('the');
  expect(keyOf('Co')).toBe('co');
});

test('only words of letters may be mistyped: a different number or legal form is another one', () => {
  expect(['abc', 'газ'].filter(mayBeMistyped)).toEqual(['abc', 'газ']);
  expect(['2018', 'a2c', '§gmbh', '銀行', 'ab'].filter(mayBeMistyped)).toEqual([]);
});

test('an identifier is compared by its letters and digits, without leading zeros', () => {
  expect(identifierKey('hrb 00123-b')).toBe('HRB00123B');
  expect(identifierKey('00123456')).toBe('123456');
  expect(identifierKey('１２３４')).toBe('1234');
  expect(identifierKey('B-12')).toBe('B12');
  for (const none of ['n/a', 'none', '12']) expect(identifierKey(none)).toBe('');
});

test('folding is idempotent: folded words stay the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
      const words = foldedWords(text).filter((word) => word !== '&' && word.length > 1);
      expect(foldedWords(words.join(' ')).join(' ')).toBe(words.join(' '));
    }),
    { numRuns: 300 },
  );
});

test('no Chinese character becomes one that folding would change again', () => {
  const blocks = [[0x3400, 0x9fff] as const, [0xf900, 0xfaff] as const, [0x20000, 0x2fa1f] as const];
  for (const [first, last] of blocks) {
    const all = Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)).join('');
    const folded = foldedCharacters(all);
    expect(foldedCharacters(folded)).toBe(folded);
  }
});

test('case and accents never change the terms', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'abcdefgöéüçšž &.'), maxLength: 40 }), (text) => {
      expect(nameTerms(text.toUpperCase())).toEqual(nameTerms(text));
      expect(nameTerms(text.normalize('NFD'))).toEqual(nameTerms(text));
    }),
    { numRuns: 300 },
  );
});

test('kana and ideographs are folded alike in a text of them and in one with an accent', () => {
  const characters = Array.from({ length: 0x9fff - 0x3040 }, (_, index) =>
    String.fromCharCode(0x3041 + index),
  );
  const expectAlike = (text: string) =>
    expect(foldedCharacters(`${text} é`)).toBe(`${foldedCharacters(text)} e`);
  for (const character of characters) expectAlike(`${character}A`);
  const text = fc.array(fc.constantFrom(...characters, 'A', ' ', '.', '"'), { maxLength: 12 });
  fc.assert(
    fc.property(text, (units) => expectAlike(units.join(''))),
    { numRuns: runs(300) },
  );
});
