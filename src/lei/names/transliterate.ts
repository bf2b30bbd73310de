/**
 * Writes names of other scripts in Latin letters, for comparison with names that somebody else transliterated: known words
 * by their meaning, the others letter by letter. The only import of any-ascii, which has every script.
 */
import { foldedCharacters } from './fold.ts';
import { meaningOf, spellingIn, withMeanings } from './script-words.ts';

const readAnyAscii = (): typeof import('any-ascii') => require('any-ascii');

let inAscii: ((text: string) => string) | null = null;

/** Reads its table of half a megabyte when the first text needs it. */
function anyAscii(text: string): string {
  inAscii ??= readAnyAscii().default;
  return inAscii(text);
}

const otherScripts =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Georgian}\p{Script=Armenian}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thai}\p{Script=Khmer}]/u;

export interface Transliteration {
  readonly text: string;
  /** True if Chinese characters are written by their sound, which many others share. */
  readonly isBySound: boolean;
}

/**
 * A name of another script in Latin letters, in lower case, in one or two ways; none for a name that is written in them, or
 * without a word that can be put so. Japanese names keep the Chinese characters of unknown words: their sound depends on the
 * word.
 *
 * @param country of the company
 */
export function transliterated(text: string, country: string | null): readonly Transliteration[] {
  if (!otherScripts.test(text)) return [];
  const isJapanese = country === 'JP' || /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
  const named = withMeanings(foldedCharacters(text))
    .replace(/\p{Script=Han}+/gu, ' $& ')
    .replace(/[\p{L}\p{M}'’]+/gu, (word) => meaningOf(word) ?? word);
  const isBySound = !isJapanese && /\p{Script=Han}/u.test(named);
  const texts =
    named.search(arabicArticle) >= 0
      ? [named.replaceAll(arabicArticle, ''), named.replaceAll(arabicArticle, 'al ')]
      : [named];
  return texts
    .map((each) => (isJapanese ? each.replace(/\P{Script=Han}+/gu, anyAscii) : anyAscii(each)))
    .map((latin) => ({ text: latin.toLowerCase().replace(/\s+/g, ' ').trim(), isBySound }))
    .filter((latin) => /[a-z0-9]/.test(latin.text));
}

/** Some write it in Latin letters, and others leave it out. */
const arabicArticle = /(?<!\p{L})ال(?=\p{L}{3})/gu;

/** The consonants of a word in Latin letters, as people hear them: vowels are not written in Arabic and Hebrew. */
export function soundOf(word: string): string {
  return word
    .replace(/ph?/g, 'f')
    .replace(/[cgq]/g, 'k')
    .replace(/[bw]/g, 'v')
    .replace(/[aeiouy'`]/g, '')
    .replace(/(.)\1+/g, '$1');
}

interface OtherScript {
  readonly script: RegExp;
  /** Letters that stand for sounds, the most usual one of a sound first; empty if only known words can be written. */
  readonly letters: string;
  /** Sounds that the transliteration of its letters does not show, each with what is written for it, if anything. */
  readonly sounds: readonly string[];
  /** A word before some names: the Arabic article. */
  readonly prefix?: string;
  readonly countries: string;
}

const cyrillic = { script: /\p{Script=Cyrillic}/u, sounds: 'cк xкс wв qк jдж hх'.split(' ') };
/** Scripts that a Latin name may have been transliterated from, and the countries whose companies use them. */
const scripts: readonly OtherScript[] = [
  {
    ...cyrillic,
    letters: 'абвгдеёжзийклмнопрстуфхцчшщыэюя',
    countries: 'RU BY KZ KG UZ TJ TM MN AM AZ MD GE',
  },
  { ...cyrillic, letters: 'абвгґдеєжзиіїйклмнопрстуфхцчшщюя', countries: 'UA' },
  { ...cyrillic, letters: 'абвгдежзийклмнопрстуфхцчшщъюя', countries: 'BG' },
  { ...cyrillic, letters: 'абвгдђежзијклљмнњопрстћуфхцчџш', countries: 'RS BA ME MK' },
  {
    script: /\p{Script=Greek}/u,
    letters: 'αβγδεζηθικλμνξοπρστυφχψω',
    sounds: 'bμπ vβ fφ yυ hχ cκ jτζ wω'.split(' '),
    countries: 'GR CY',
  },
  {
    script: /\p{Script=Georgian}/u,
    letters: 'აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ',
    sounds: [],
    countries: 'GE',
  },
  {
    script: /\p{Script=Armenian}/u,
    letters: 'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցփքօֆ',
    sounds: 'uու cկ'.split(' '),
    countries: 'AM',
  },
  {
    script: /\p{Script=Arabic}/u,
    letters: 'بتثجدذرزسشغفقكلمنهويحخصضطظ',
    sounds: 'aا uو oو iي e pب vف gج cك xكس'.split(' '),
    prefix: 'ال',
    countries: 'AE SA EG JO KW QA BH OM YE IQ LB SY PS LY TN DZ MA SD MR',
  },
  {
    script: /\p{Script=Hebrew}/u,
    letters: 'בגדהוזחיכלמנספצקרשת',
    sounds: 'a uו oו iי e bב pפ tט kק cק wו xקס chח'.split(' '),
    countries: 'IL',
  },
  { script: /[\p{Script=Han}\p{Script=Katakana}]/u, letters: kana(), sounds: [], countries: 'JP' },
  { script: /\p{Script=Han}/u, letters: '', sounds: [], countries: 'CN TW HK MO SG' },
  { script: /\p{Script=Hangul}/u, letters: '', sounds: [], countries: 'KR KP' },
  { script: /\p{Script=Thai}/u, letters: '', sounds: [], countries: 'TH' },
];

function kana(): string {
  return Array.from({ length: 0x30f3 - 0x30a1 + 1 }, (_, at) => String.fromCharCode(0x30a1 + at)).join('');
}

const undone = new Map<OtherScript, ReadonlyMap<string, string>>();

/** Letters by their transliteration; of several with the same one the first. */
function lettersOf(script: OtherScript): ReadonlyMap<string, string> {
  const known = undone.get(script);
  if (known !== undefined) return known;
  const letters = new Map<string, string>();
  for (const sound of script.sounds) {
    const latin = /^[a-z]+/.exec(sound)?.[0] ?? '';
    letters.set(latin, sound.slice(latin.length));
  }
  for (const letter of script.letters) {
    const latin = anyAscii(letter)
      .toLowerCase()
      .replace(/[^a-z]/g, '');
    if (latin !== '' && !letters.has(latin)) letters.set(latin, letter);
  }
  undone.set(script, letters);
  return letters;
}

/**
 * Words in Latin letters, folded, as companies of the country (or of any) may write them in their own script; a known word
 * alone is left out, because too many names have it.
 */
export function inScriptsOf(country: string | null, words: readonly string[]): readonly string[] {
  return scripts
    .filter(({ countries }) => country === null || countries.includes(country))
    .flatMap((script) => {
      const parts = writtenParts(script, words);
      const isTelling = parts.length > 1 || parts.some(({ isKnown }) => !isKnown);
      return isTelling ? textsOf(parts, script.prefix) : [];
    });
}

function textsOf(parts: readonly WrittenPart[], prefix: string | undefined): readonly string[] {
  const joined = (before: string) =>
    parts.map(({ text, isKnown }) => (isKnown ? text : before + text)).join(' ');
  const texts = prefix === undefined ? [joined('')] : [joined(''), joined(prefix)];
  return texts.filter((text) => text.length > 1);
}

interface WrittenPart {
  readonly text: string;
  readonly isKnown: boolean;
}

/** The longest runs of known words, and the other words by their letters; none if most words can't be written. */
function writtenParts(script: OtherScript, words: readonly string[]): readonly WrittenPart[] {
  const parts: WrittenPart[] = [];
  let lost = 0;
  for (let at = 0; at < words.length; ) {
    const known = longestKnown(script, words.slice(at, at + knownWordsMax));
    const text = known?.spelling ?? written(words[at] ?? '', lettersOf(script));
    if (text === '') lost++;
    else parts.push({ text, isKnown: known !== null });
    at += known?.length ?? 1;
  }
  return lost > parts.length ? [] : parts;
}

/** The most words that have one spelling together. */
const knownWordsMax = 4;

/** The spelling of the first words, of as many as are known together, and how many these are. */
function longestKnown({ script }: OtherScript, words: readonly string[]) {
  for (let length = words.length; length > 0; length--) {
    const spelling = spellingIn(script, words.slice(0, length).join(' '));
    if (spelling !== null) return { spelling, length };
  }
  return null;
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
