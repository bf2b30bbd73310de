/**
 * Mends words that mix scripts: keyboards switch between them, and scanners can't tell letters of one shape apart. "СБEРБАНК" with
 * the E of Latin is the word with the Е of Cyrillic.
 */

/** Letters of one shape: the Latin one, then that of the other script. */
export const lookAlikes = {
  cyrillic: 'AА BВ EЕ KК MМ HН OО PР CС TТ XХ IІ aа eе oо pр cс xх yу iі',
  greek: 'AΑ BΒ EΕ ZΖ HΗ IΙ KΚ MΜ NΝ OΟ PΡ TΤ YΥ XΧ oο',
} as const;
/** Letters of Serbian and Macedonian. */
const rareLookAlikes = 'jј sѕ';

/** The letters of the other script by those of Latin. */
export function lettersLike(pairs: string): ReadonlyMap<string, string> {
  return new Map(pairs.split(' ').map(([latin = '', other = '']) => [latin, other]));
}

// Folded letters: small ones, which look alike if their capitals do.
const toCyrillic = lettersLike(`${lookAlikes.cyrillic.toLowerCase()} ${rareLookAlikes}`);
const toGreek = lettersLike(lookAlikes.greek.toLowerCase());
const toLatin: ReadonlyMap<string, string> = new Map(
  [...toCyrillic, ...toGreek].map(([latin, other]) => [other, latin]),
);

const mixed = /[a-z][\u0370-\u04ff]|[\u0370-\u04ff][a-z]/;
const word = /\p{L}+/gu;

/** True if a Latin letter stands beside a Greek or Cyrillic one. */
export function mixesScripts(text: string): boolean {
  return mixed.test(text);
}

/** The folded text with each word in one script, if the letters of the other one look like letters of it. */
export function inOneScript(text: string): string {
  return mixesScripts(text) ? text.replace(word, (letters) => wordInOneScript(letters, text)) : text;
}

/** In the script of the text; else in its own, which most of its letters have. */
function wordInOneScript(letters: string, text: string): string {
  if (!mixesScripts(letters)) return letters;
  const inScript = (isLatin: boolean) => spelled(letters, isLatin);
  const [ofText, own] = [isMostlyLatin(text), isMostlyLatin(letters)];
  return inScript(ofText) ?? (own === ofText ? null : inScript(own)) ?? letters;
}

/** The letters in one script; null if one of another script has no look-alike. */
function spelled(letters: string, isLatin: boolean): string | null {
  const [own, alike] = isLatin
    ? [latinLetter, toLatin]
    : [otherLetter, isCyrillic.test(letters) ? toCyrillic : toGreek];
  let found = '';
  for (const letter of letters) {
    const same = own.test(letter) ? letter : alike.get(letter);
    if (same === undefined) return null;
    found += same;
  }
  return found;
}

const latinLetter = /[a-z]/;
const otherLetter = /[\u0370-\u04ff]/;
const isCyrillic = /[\u0400-\u04ff]/;

/** True if a text has more Latin letters than Greek and Cyrillic ones. */
function isMostlyLatin(text: string): boolean {
  const [latin, others] = [/[a-z]/g, /[\u0370-\u04ff]/g].map((letters) => text.match(letters)?.length ?? 0);
  return (latin ?? 0) > (others ?? 0);
}
