/**
 * Folds names to comparable words: it removes differences of width, case, accents, optional vowel signs, the two kanas,
 * regional forms of Chinese characters, HTML entities, misread encodings and punctuation. The same folding runs over names when the index
 * is built and over questions, so its result is part of the format of an index.
 */
import { kindOf, unit } from './characters.ts';
import { readAgain, withoutLostLetters } from './damaged-text.ts';
import { withSimplifiedHan } from './han-variants.ts';
import { withoutEntities } from './html-entities.ts';
import { inOneScript, mixesScripts } from './look-alikes.ts';

/** Stands for `&`, `+`, "and" and its sisters between two words. */
export const connector = '&';

/** A word of a name and how it is separated from the next one. */
interface RawWord {
  text: string;
  /** A full stop or slash follows at once, as in `S.A.` or `A/S`. */
  dotted: boolean;
  /** White space (or any other mark) is between this word and the next. */
  spaced: boolean;
}

/** Letters that Unicode's compatibility decomposition leaves whole. */
const wholeLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
  ə: 'e',
  ς: 'σ',
  ى: 'ي',
  ة: 'ه',
  ک: 'ك',
  ی: 'ي',
};
const wholeLetter = new RegExp(`[${Object.keys(wholeLetters).join('')}]`, 'g');
/** Accents, Arabic vowel signs and stretching, Hebrew points, and marks that only control layout. */
const droppedMarks = new RegExp(
  [
    '[\\u0300-\\u036f]',
    '[\\u0591-\\u05bd\\u05bf-\\u05c7]',
    '[\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06ed]',
    '[\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff]',
    '[\\ufe00-\\ufe0f]',
  ].join('|'),
  'g',
);
/** Trade mark signs, which the decomposition would turn into letters of the word before. */
const tradeMarks = /[\u2120\u2122]/g;
const hiragana = /[\u3041-\u3096]/g;
/** From a hiragana to the katakana of the same syllable. */
const toKatakana = 0x60;
/** Texts of ASCII, kana and the usual ideographs: only case, kana and regional forms differ in them. */
const plainCjk = /^[\0-\x7f\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff]*$/;
/** Hebrew abbreviations contain a quotation mark: בע"מ. */
const innerQuote = /([\u0590-\u05ff])["'\u2019\u05f3\u05f4]+(?=[\u0590-\u05ff])/g;
const nonAscii = /[^\0-\x7f]/;
/** Emoji and other signs beyond the basic plane, whose halves look like those of rare ideographs. */
const pairedSign = /[^\p{L}\p{N}\p{M}\0-\uffff]/gu;

/** Folds characters; word boundaries are not changed yet. */
export function foldedCharacters(written: string): string {
  const text = withoutLostLetters(withoutEntities(written));
  if (!nonAscii.test(text)) return text.toLowerCase();
  if (plainCjk.test(text)) return withSimplifiedHan(withKatakana(text.toLowerCase()));
  const composed = readAgain(text)
    // Sorting runs of combining marks is quadratic, and no writing system stacks more than a few.
    .replace(/(\p{M}{8})\p{M}+/gu, '$1')
    .replace(tradeMarks, ' ')
    .normalize('NFKD')
    .toLowerCase()
    .replace(droppedMarks, '')
    .replace(wholeLetter, (letter) => wholeLetters[letter] ?? letter)
    .normalize('NFC');
  return withSimplifiedHan(
    withKatakana(inOneScript(composed)).replace(innerQuote, '$1').replace(pairedSign, ' '),
  );
}

function withKatakana(text: string): string {
  return text.replace(hiragana, (kana) => String.fromCharCode(kana.charCodeAt(0) + toKatakana));
}

/** Words of a name, folded, in order; initials joined (`A. B. C.` → `abc`), connectors as {@link connector}. */
export function foldedWords(text: string): string[] {
  return joinInitials(connectWords(rawWords(foldedCharacters(text)), betweenWords));
}

/** The same words, except that single letters that may be connectors stay letters. */
export function foldedWithLetters(text: string): string[] {
  return joinInitials(connectWords(rawWords(foldedCharacters(text)), noLetters));
}

function rawWords(text: string): RawWord[] {
  const words: RawWord[] = [];
  let start = -1;
  let word = '';
  for (let i = 0; i <= text.length; i++) {
    const kind = i < text.length ? kindOf(text.charCodeAt(i)) : unit.separator;
    if (kind === unit.letter) {
      if (start < 0) start = i;
      continue;
    }
    if (start >= 0) {
      word += text.slice(start, i);
      start = -1;
    }
    // The apostrophe of O'Neill or L'Oréal joins the parts of a word.
    if (kind === unit.apostrophe && word !== '') continue;
    if (word !== '') words.push({ text: word, dotted: false, spaced: false });
    word = '';
    noteSeparator(words, kind);
  }
  return words;
}

function noteSeparator(words: RawWord[], kind: number): void {
  const last = words[words.length - 1];
  if (last !== undefined) {
    if (kind === unit.dot && !last.spaced) last.dotted = true;
    else last.spaced = true;
  }
  if (kind === unit.connector) words.push({ text: connector, dotted: false, spaced: true });
}

/** Words that mean "and" between two others. */
export const alwaysConnectors = new Set([connector, 'and', 'und', 'et', 'og', 'och', 'oraz']);
/** Single letters that mean "and". They may also be initials, so they connect only two longer words. */
export const betweenWords: ReadonlySet<string> = new Set(['e', 'y', 'i', 'и', 'і', 'a']);

const noLetters: ReadonlySet<string> = new Set();

/** @param letters the single letters that connect words */
function connectWords(words: RawWord[], letters: ReadonlySet<string>): RawWord[] {
  words.forEach((word, i) => {
    const inner = i > 0 && i < words.length - 1;
    if (inner && alwaysConnectors.has(word.text)) word.text = connector;
    else if (inner && letters.has(word.text) && !word.dotted && isBetweenWords(words, i)) {
      word.text = connector;
    }
  });
  while (words[words.length - 1]?.text === connector) words.pop();
  while (words[0]?.text === connector) words.shift();
  return words;
}

function isBetweenWords(words: readonly RawWord[], i: number): boolean {
  return (words[i - 1]?.text.length ?? 0) > 2 && (words[i + 1]?.text.length ?? 0) > 2;
}

function joinInitials(words: readonly RawWord[]): string[] {
  const joined: string[] = [];
  let run = '';
  words.forEach((word, i) => {
    if (!isInitial(word.text)) {
      if (run !== '') joined.push(run);
      run = '';
      joined.push(word.text);
      return;
    }
    run += word.text;
    if (isEndOfRun(words, i)) {
      joined.push(run);
      run = '';
    }
  });
  if (run !== '') joined.push(run);
  return joined;
}

/**
 * Two runs are `X Y S.A.`, of which only the legal form is dotted, and `A.B.C. S.R.L.` or `& C. S.N.C.`, but not
 * `A. B. C.`, nor `S. A`, whose last full stop was left out. Letters with a slash or full stop between them are apart from bare
 * ones behind, `A/S D Amian`, but not `S.R. L`.
 */
function isEndOfRun(words: readonly RawWord[], i: number): boolean {
  const [word, next, second] = [words[i], words[i + 1], words[i + 2]];
  if (word === undefined || next === undefined) return false;
  if (mixesScripts(word.text + next.text)) return true;
  if (!word.spaced) return false;
  if (word.dotted !== next.dotted || isInnerDotted(words[i - 1], next))
    return !word.dotted || second !== undefined;
  return next.dotted && !next.spaced && second !== undefined && isInitial(second.text);
}

/** True for the `S` of `A/S D`: a full stop or slash joins it to the word before, and a bare letter follows. */
function isInnerDotted(before: RawWord | undefined, next: RawWord): boolean {
  return before?.dotted === true && !before.spaced && !next.dotted;
}

/** One letter; digits stay on their own. */
function isInitial(text: string): boolean {
  return text.length === 1 && text !== connector && (text < '0' || text > '9');
}
