/**
 * Sets apart what people write around a name in scripts other than Latin, so that the readings of a name find it:
 * `三井物産株式会社大阪支店` becomes `三井物産株式会社 大阪 支店`. Marks of full width and of Arabic become those of ASCII,
 * and Latin letters in words of another alphabet those that they look like.
 */
import { isUnspaced } from './characters.ts';
import { lettersLike, lookAlikes } from './look-alikes.ts';
import { namesOfCities } from './places.ts';
import { spellingsOfForms } from './script-forms.ts';

const wideMarks: Readonly<Record<string, string>> = {
  '（': ' (',
  '）': ') ',
  '【': ' (',
  '】': ') ',
  '，': ', ',
  '、': ', ',
  '،': ', ',
  '\u3000': ' ',
};
const wideMark = new RegExp(`[${Object.keys(wideMarks).join('')}]`, 'g');

/** Words for a branch that stand behind its place. */
export const branchesBehind = '分公司|分行|支行|支店|支社|指店|営業所|出張所|办事处|辦事處|지점|지사|영업소';
const branchAtEnd = new RegExp(`(?<=[^\\s(])(?=(?:${branchesBehind})[\\s)]*$)`, 'u');
const beforeBranch = `(?= (?:${branchesBehind})[\\s)]*$)`;
/** A bank may end a name to which a place and a branch are joined. */
const afterBank = new RegExp(`(?<=銀行|银行|은행)(?=[^\\s(]{1,6}${beforeBranch})`, 'u');

let formsBefore: RegExp | null = null;

/** A legal form, or 公司 of any form, that ends a name to which more is joined. */
function afterForm(): RegExp {
  if (formsBefore !== null) return formsBefore;
  const forms = ['公司', ...spellingsOfForms('joined')].map((form) => form.replace(/[.()]/g, '\\$&'));
  formsBefore = new RegExp(`(?<=[^\\s(](?:${forms.join('|')}))(?=[\\p{L}\\p{N}])`, 'gu');
  return formsBefore;
}

let citiesBefore: RegExp | null = null;

/** A city that is joined to the name before it, with a branch behind. */
function cityBeforeBranch(): RegExp {
  citiesBefore ??= new RegExp(
    `(?<=[^\\s(])(?=(?:${namesOfCities(isUnspaced).join('|')})${beforeBranch})`,
    'u',
  );
  return citiesBefore;
}

/** What stands before the name of a city in an address: г. Москва, м. Київ, ქ. თბილისი. */
const cityMark = /(?<=[\s,(])(?:г|гр|гор|м|ქ)\.\s*(?=\p{L}{3})/gu;

/** Whom a letter is for, and which office: 御中, 本社. */
const salutation =
  /[\s(]+(?:様|御中|殿|本社|本店|总公司|總公司|总部|總部|总行|總行|귀중|귀하|본사|본점|สำนักงานใหญ่)\)?$/u;

/** The other alphabets with letters that look like Latin ones. */
const alphabets = [
  { script: '\\p{Script=Cyrillic}', pairs: lookAlikes.cyrillic },
  { script: '\\p{Script=Greek}', pairs: lookAlikes.greek },
].map(({ script, pairs }) => {
  const letters = lettersLike(pairs);
  return {
    mixed: new RegExp(`${script}\\p{Script=Latin}|\\p{Script=Latin}${script}`, 'u'),
    word: new RegExp(`(?<!\\p{L})(?:${script}|[${[...letters.keys()].join('')}])+(?!\\p{L})`, 'gu'),
    letters,
  };
});

/** A text with words of two alphabets in the one that is not Latin, as far as their letters look alike: `ООО "BECTA-Мaш"`. */
function inOneAlphabet(text: string): string {
  const found = alphabets.find(({ mixed }) => mixed.test(text));
  if (found === undefined) return text;
  return text.replace(found.word, (word) =>
    word.replace(/[A-Za-z]/g, (letter) => found.letters.get(letter) ?? letter),
  );
}

/** Digits of Arabic, Persian, Thai, Lao and Khmer, each script from its zero. */
const otherDigit = /[\u0660-\u0669\u06f0-\u06f9\u0e50-\u0e59\u0ed0-\u0ed9\u17e0-\u17e9]/g;

/** The codes of the zeros are multiples of 16. */
function asciiDigit(digit: string): string {
  return String(digit.charCodeAt(0) & 0xf);
}

/** The same text if nothing was set apart. */
export function setApart(written: string): string {
  if (!/[^\0-\u036f]/.test(written)) return written;
  const text = inOneAlphabet(written)
    .replace(otherDigit, asciiDigit)
    .replace(wideMark, (mark) => wideMarks[mark] ?? mark)
    .replace(cityMark, '')
    .trim();
  if (!isUnspaced(text)) return text;
  return text
    .replace(salutation, '')
    .replace(branchAtEnd, ' ')
    .replace(afterForm(), ' ')
    .replace(afterBank, ' ')
    .replace(cityBeforeBranch(), ' ')
    .replace(/\s+/g, ' ');
}
