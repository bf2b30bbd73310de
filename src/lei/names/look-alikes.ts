/**
 * Mends words that mix scripts: keyboards switch between them, and scanners can't tell letters of one shape apart. "СБEРБАНК" with
 * the E of Latin is the word with the Е of Cyrillic.
 */

/** Folded letters of one shape, as capitals or as small ones: Latin, then the other script. */
const cyrillic = 'aа bв cс eе hн iі jј kк mм oо pр sѕ tт xх yу';
const greek = 'aα bβ eε hη iι kκ mμ nν oο pρ tτ yυ xχ zζ';

const toLatin = new Map<string, string>();
const toCyrillic = new Map<string, string>();
const toGreek = new Map<string, string>();
for (const [pairs, toOther] of [
  [cyrillic, toCyrillic],
  [greek, toGreek],
] as const) {
  for (const [latin = '', other = ''] of pairs.split(' ')) {
    toLatin.set(other, latin);
    toOther.set(latin, other);
  }
}

const mixed = /[a-z][\u0370-\u04ff]|[\u0370-\u04ff][a-z]/;
const word = /\p{L}+/gu;

/** Whether a Latin letter stands beside a Greek or Cyrillic one. */
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

/** Whether a text has more Latin letters than Greek and Cyrillic ones. */
function isMostlyLatin(text: string): boolean {
  const [latin, others] = [/[a-z]/g, /[\u0370-\u04ff]/g].map((letters) => text.match(letters)?.length ?? 0);
  return (latin ?? 0) > (others ?? 0);
}
