import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gramLength, isUnspaced } from '../../../src/lei/names/characters.ts';
import { foldedWords } from '../../../src/lei/names/fold.ts';
import { withFormAtEnd } from '../../../src/lei/names/inner-forms.ts';
import { nameTerms } from '../../../src/lei/names/name-terms.ts';
import { scriptForms } from '../../../src/lei/names/script-forms.ts';
import { setApart } from '../../../src/lei/names/set-apart.ts';

describe('legal forms in scripts other than Latin', () => {
  const cases: readonly [string, string[]][] = [
    ['სს თბილისის არწივი', ['თბილისის', 'არწივი', '§jsc']],
    ['თბილისის არწივი, შპს', ['თბილისის', 'არწივი', '§llc']],
    ['«ԱՐԱՐԱՏ» ՓԲԸ', ['արարատ', '§cjsc']],
    ['«ԱՐԱՐԱՏ» ԲԲԸ', ['արարատ', '§ojsc']],
    ['"Тянь-Шань" жоопкерчилиги чектелген коому', ['тянь', 'шань', '§ооо']],
    ['ЖЧК "Тянь-Шань"', ['тянь', 'шань', '§ооо']],
    ['"Алтын Дала" ЖШС', ['алтын', 'дала', '§тоо']],
    ['Говь ХХК', ['говь', '§ххк']],
    ['Ҷамъияти саҳомии кушодаи "Помир"', ['помир', '§оао']],
    ['ТАА "Лясны"', ['лясны', '§ооо']],
    ['Охрид ДООЕЛ Скопје', ['охрид', '§doo']],
    ['ΑΛΚΥΩΝ ΜΟΝΟΠΡΟΣΩΠΗ Α.Ε.', ['αλκυων', '§ae']],
    ['ΑΛΚΥΩΝ Ε.Π.Ε.', ['αλκυων', '§epe']],
    ['ΑΛΚΥΩΝ ΛΤΔ', ['αλκυων', '§ltd']],
    ['גלבוע - שותפות מוגבלת', ['גלבוע', '§lp']],
    ['بيت النخيل ش.م.ب مقفلة', ['بيت', 'النخيل', '§شمم']],
    ['عين شمس', ['عين', 'شمس']],
    ['บริษัท ช้างเผือก จำกัด (มหาชน)', ['ช้า', '้าง', 'างเ', 'งเผ', 'เผื', 'ผือ', 'ือก', '§บริษัท', '§pcl']],
    ['หจก. ช้าง', ['ช้า', '้าง', '§lp']],
    ['ＤＣＭサクラ株式会社', ['dcm', 'サク', 'クラ', '§kk']],
    ['サクラ相互会社', ['サク', 'クラ', '§相互会社']],
    ['(同)サクラ', ['サク', 'クラ', '§gk']],
    ['カ)サクラ', ['サク', 'クラ', '§kk']],
    ['한라합자회사', ['한라', '§합자회사']],
    ['红百合投资合伙企业（有限合伙）', ['红百', '百合', '合投', '投资', '§lp']],
    ['红百合担保有限公司', ['红百', '百合', '合担', '担保', '§有限公司']],
    ['红百合集团股份有限公司', ['红百', '百合', '合集', '集团', '§股份公司']],
  ];
  for (const [name, terms] of cases) {
    test(name, () => {
      expect(nameTerms(name)).toEqual(terms);
    });
  }

  test('each spelling is written in another script and belongs to one form', () => {
    const tokens = new Map<string, string>();
    for (const { token, places, spellings } of scriptForms()) {
      expect(['-', 'front', 'inside', 'joined']).toEqual(expect.arrayContaining([...places]));
      for (const spelling of spellings) {
        const words = foldedWords(spelling).join(' ');
        expect(words).toMatch(/[^\0-\u024f]/);
        expect([spelling, tokens.get(words) ?? token]).toEqual([spelling, token]);
        tokens.set(words, token);
      }
    }
  });

  test('the abbreviations of the Entity Legal Form list are among them', () => {
    const table = readFileSync(join(import.meta.dir, '../../../src/lei/names/folded-forms.txt'), 'utf8');
    const known = new Set(table.split('\n').map((line) => line.slice(line.indexOf('\t') + 1)));
    const listed =
      'ЗАТ ЗАО УП ТАА ООО ТДА ОДО ААТ ОАО ЕТ ЕАД СД С-ие КДА АДСИЦ ЕОИИ КД ДЗЗД ООД АД ЕООД к.д ДП ПР ЈП д.о.о. доо а.д ' +
      'о.д. 有限公司 無限公司 資 有 株 ㈜ (유) ذ.م.م ش.م.ع ش.م.خ';
    const missing = listed.split(' ').filter((each) => !known.has(foldedWords(each).join(' ')));
    expect(missing).toEqual([]);
  });
});

test('a form is moved behind the words around it, whichever the form of the script', () => {
  expect(withFormAtEnd('Охрид ДООЕЛ Битола')).toBe('охрид битола дооел');
  expect(withFormAtEnd('ΑΛΚΥΩΝ Ε.Π.Ε. ΕΜΠΟΡΙΑ')).toBe('αλκυων εμπορια ε.π.ε.');
  for (const same of ['Alkyon S.A. Trading', 'ΑΛΚΥΩΝ Ε.Π.Ε.', 'ООО Охрид']) {
    expect(withFormAtEnd(same)).toBe(same);
  }
});

test('what is joined behind any form of a script without spaces is set apart', () => {
  expect(setApart('サクラ合名会社大阪支店')).toBe('サクラ合名会社 大阪 支店');
  expect(setApart('红百合有限公司上海分公司')).toBe('红百合有限公司 上海 分公司');
  expect(setApart('한라유한책임회사부산지점')).toBe('한라유한책임회사 부산 지점');
});

test('a script has a number of characters for a term if it writes words without spaces', () => {
  for (const [character, grams] of Object.entries({
    ก: 3,
    ລ: 3,
    က: 3,
    ក: 3,
    サ: 2,
    ー: 2,
    红: 2,
    한: 2,
    ﾀ: 2,
  })) {
    expect([character, isUnspaced(character), gramLength(character.charCodeAt(0))]).toEqual([
      character,
      true,
      grams,
    ]);
  }
  for (const character of ['a', 'ж', 'შ', 'א', 'ع', '„', '–']) {
    expect([character, isUnspaced(character), gramLength(character.charCodeAt(0))]).toEqual([
      character,
      false,
      0,
    ]);
  }
});
