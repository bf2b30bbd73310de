/**
 * Mends texts that were written in one encoding and read in another: "MÃ¼ller" is Müller in UTF-8 that was read as
 * Windows-1252, and "M?ller" or "M\ufffdller" has lost the letter. Exports of spreadsheets and old systems are full of them.
 */

/** The characters of the bytes 0x80 to 0x9f in Windows-1252; those of no character stay control characters. */
const windows1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';
/** The bytes behind the first one of a character, as a class. */
const further = `\\u0080-\\u00bf${windows1252}`;
/** Characters of `further` that also stand behind words: spaces, quotation marks, dashes and the like. */
const behindWords =
  '\\u00a0\\u00ab\\u00bb\\u00b7\\u00a9\\u00ae\\u00b2\\u00b3\\u00b9\\u2018\\u2019\\u201a\\u201c-\\u201e\\u2026\\u2022\\u2013\\u2014\\u2039\\u203a\\u2122';
/** The first of two bytes, as a class: those of Latin, Greek and Cyrillic letters. */
const first = '\\u00c2-\\u00c6\\u00c8\\u00cb\\u00ce-\\u00d3';
/** A further byte that does not stand behind words. */
const surelyFurther = `(?![${behindWords}])[${further}]`;
/** Characters of `further` that also stand between the letters of a word or between two words. */
const betweenLetters = '\\u00a0\\u00b7\\u2013\\u2014\\u2019';
/** Characters that follow each other in misread texts only. */
const surelyMisread = new RegExp(
  [
    `[${first}]${surelyFurther}`,
    `[${first}](?![${betweenLetters}])[${further}](?=\\p{L})`,
    `(?<=\\p{Ll})[${first}][${further}]`,
    '(?<!\\p{L})[\\u00c3\\u00c5]\\u00a0',
    `\\u00c3(?!\\u00a0)[${further}](?=\\p{L})`,
    '\\u00c9\\u2122(?=\\p{L})',
    `[\\u00e0-\\u00ef](?!\\p{L}{2})(?:${surelyFurther}[${further}]|[${further}]${surelyFurther})`,
  ].join('|'),
  'u',
);
/** The bytes of one character in UTF-8, one by one. A quotation mark or a trade mark at the end of a word is no byte. */
const misread = new RegExp(
  `(?:[${first}][${further}]|\\u00c9\\u2122)(?<![\\u2018\\u2019\\u201c\\u201d\\u2122](?!\\p{L}))|` +
    `[\\u00e0-\\u00ef](?!\\p{L}{2})[${further}]{2}|[\\u00f0-\\u00f4][${further}]{3}`,
  'gu',
);
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Accents behind their letter, as some systems write them: Mu¨ller. */
const markApart = /(?<=\p{L})[\u00a8\u00b8\u02c6\u02da\u02dc](?=\p{L})/gu;

/** The text with misread characters as they were, also those that were misread twice, and without accents that stand apart. */
export function readAgain(text: string): string {
  return readOnceMore(readOnceMore(text)).replace(markApart, '');
}

function readOnceMore(text: string): string {
  return surelyMisread.test(text) ? text.replace(misread, decoded) : text;
}

function decoded(characters: string): string {
  const bytes = Uint8Array.from(characters, (character) => {
    const at = windows1252.indexOf(character);
    return at < 0 ? character.charCodeAt(0) : 0x80 + at;
  });
  try {
    return utf8.decode(bytes);
  } catch {
    return characters;
  }
}

const lostInside = /(?<=\p{L})[?\ufffd]+(?=\p{L})/gu;

/** The text without what stands for a lost letter, so that a word with one stays a word. */
export function withoutLostLetters(text: string): string {
  return text.includes('?') || text.includes('\ufffd') ? text.replace(lostInside, '') : text;
}

/** A letter of no name, which stands for a lost one. */
const anyLetter = '\u0294';
const lost = /(?<=\p{L})[?\ufffd]+|\ufffd+(?=\p{L})/gu;

/** The text with a letter of no name where one or several were lost; null if none was. */
export function withAnyLetter(text: string): string | null {
  return withoutLostLetters(text) === text ? null : text.replace(lost, anyLetter);
}

/** A pattern of the words that a word with lost letters may be: ß is two letters. Null for a word that lost none, or very many. */
export function wordsLike(word: string): RegExp | null {
  const lostLetters = word.split(anyLetter).length - 1;
  if (lostLetters === 0 || lostLetters > lostLettersMax) return null;
  return new RegExp(`^${word.replaceAll(anyLetter, '.{1,2}')}$`, 'u');
}

const lostLettersMax = 8;
