/**
 * Writes names of other scripts in Latin letters, for comparison with names that somebody else transliterated. The only
 * import of any-ascii, which has every script, letter by letter.
 */
import anyAscii from 'any-ascii';

/** Scripts whose letters stand for sounds, so that a letter by letter transliteration reads like the name. */
const alphabetic =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Georgian}\p{Script=Armenian}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thai}]/u;

/** A name of another script in Latin letters; none for a name that is written in them, or in Chinese characters alone. */
export function transliterated(text: string): readonly string[] {
  if (!alphabetic.test(text)) return [];
  const named = text.normalize('NFC').replace(ideographs, (run) => ` ${meaningOf(run)} `);
  return [anyAscii(named).replace(/\s+/g, ' ').trim()];
}

const ideographs = /[\u3400-\u9fff]+/g;

/** English for the usual words of Japanese names of companies. Other characters are left out: they have no sound. */
const meanings = new Map(
  (
    '株式会社 K.K.|有限会社 Y.K.|合同会社 G.K.|銀行 Bank|証券 Securities|信託銀行 Trust Bank|信託 Trust|生命保険 Life Insurance|' +
    '損害保険 Insurance|保険 Insurance|不動産 Real Estate|投資 Investment|電機 Electric|電力 Electric Power|製薬 Pharmaceutical|' +
    '自動車 Motor|工業 Industries|化学 Chemical|建設 Construction|食品 Foods|商事 Corporation|鉄道 Railway|信用金庫 Shinkin Bank'
  )
    .split('|')
    .map((entry) => [entry.slice(0, entry.indexOf(' ')), entry.slice(entry.indexOf(' ') + 1)]),
);
const known = new RegExp([...meanings.keys()].join('|'), 'g');

function meaningOf(run: string): string {
  return Array.from(run.matchAll(known), ([word]) => meanings.get(word) ?? '').join(' ');
}

interface LetterScript {
  readonly letters: string;
  readonly countries: string;
}

/** Alphabets whose transliteration can be undone letter by letter, and the countries whose companies use them. */
const scripts: readonly LetterScript[] = [
  { letters: 'абвгдеёжзийклмнопрстуфхцчшщыэюя', countries: 'RU BY KZ KG UZ TJ TM MN AM AZ MD GE' },
  { letters: 'абвгґдеєжзиіїйклмнопрстуфхцчшщюя', countries: 'UA' },
  { letters: 'абвгдежзийклмнопрстуфхцчшщъюя', countries: 'BG' },
  { letters: 'абвгдђежзијклљмнњопрстћуфхцчџш', countries: 'RS BA ME MK' },
  { letters: 'αβγδεζηθικλμνξοπρστυφχψω', countries: 'GR CY' },
  { letters: 'აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ', countries: 'GE' },
  { letters: 'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցփքօֆ', countries: 'AM' },
  { letters: kana(), countries: 'JP' },
];

function kana(): string {
  return Array.from({ length: 0x30f3 - 0x30a1 + 1 }, (_, at) => String.fromCharCode(0x30a1 + at)).join('');
}

const undone = new Map<LetterScript, ReadonlyMap<string, string>>();

/** Letters by their transliteration; of several with the same one the first. */
function lettersOf(script: LetterScript): ReadonlyMap<string, string> {
  const known = undone.get(script);
  if (known !== undefined) return known;
  const letters = new Map<string, string>();
  for (const letter of script.letters) {
    const latin = anyAscii(letter)
      .toLowerCase()
      .replace(/[^a-z]/g, '');
    if (latin !== '' && !letters.has(latin)) letters.set(latin, letter);
  }
  undone.set(script, letters);
  return letters;
}

/** Words in Latin letters, folded, as companies of the country (or of any) may write them in their own script. */
export function inScriptsOf(country: string | null, words: readonly string[]): readonly string[] {
  return scripts
    .filter(({ countries }) => country === null || countries.includes(country))
    .map((script) =>
      words
        .map((word) => written(word, lettersOf(script)))
        .join(' ')
        .trim(),
    )
    .filter((text) => text.length > 1);
}

/** Empty if a part of the word has no letter in the script. */
function written(word: string, letters: ReadonlyMap<string, string>): string {
  let made = '';
  for (let at = 0; at < word.length; ) {
    const length = [4, 3, 2, 1].find((some) => letters.has(word.slice(at, at + some)));
    if (length === undefined) return '';
    made += letters.get(word.slice(at, at + length)) ?? '';
    at += length;
  }
  return made;
}
