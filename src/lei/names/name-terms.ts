/**
 * Splits a name into the terms that it is found by: its folded words, cut into overlapping characters in scripts
 * without word boundaries, and its legal forms as marked tokens.
 */
import { gramLength, isUnspaced } from './characters.ts';
import { connector, foldedWithLetters, foldedWords } from './fold.ts';
import { type SplitName, separateGluedForms, splitLegalForms } from './legal-forms.ts';

/**
 * The version of the rules below, and of the tables of characters and legal forms that they use. Search indexes contain
 * it: an index made by other rules can't be changed in place.
 */
export const termRulesVersion = 7;

/** First character of a legal form's term; no folded word contains it. */
export const formMark = '§';
/** Longer words are cut: what follows never distinguishes two names. */
const termUnitsMax = 40;

/** Terms of the core in order, then the legal forms. */
export function nameTerms(text: string): string[] {
  return termsOf(text, nameParts(text));
}

/** The same from the parts of the name. */
export function termsOf(text: string, { core, forms }: SplitName): string[] {
  const terms = isUnspaced(text) ? cutTerms(core) : core.map(shortened);
  for (const form of forms) terms.push(formMark + form);
  return terms;
}

/** The terms of folded words, none of which is a legal form. */
export function termsOfWords(words: readonly string[]): string[] {
  return termsOf(words.join(' '), { core: words, forms: [] });
}

/** The folded words of a name, not cut, and the tokens of its legal forms. */
export function nameParts(text: string): SplitName {
  const apart = (words: string[]) => (isUnspaced(text) ? separateGluedForms(words) : words);
  return splitLegalForms(apart(foldedWords(text)), () => apart(foldedWithLetters(text)));
}

function shortened(word: string): string {
  return word.length > termUnitsMax ? word.slice(0, termUnitsMax) : word;
}

/** Cuts words of scripts without word boundaries; there spaces mean little, so a run continues across them. */
function cutTerms(core: readonly string[]): string[] {
  const terms: string[] = [];
  let run = '';
  for (const part of core.flatMap(scriptRuns)) {
    const grams = gramLength(part.charCodeAt(0));
    if (grams > 0 && run !== '' && gramLength(run.charCodeAt(0)) === grams) {
      run += part;
      continue;
    }
    appendGrams(terms, run);
    run = grams > 0 ? part : '';
    if (grams === 0) terms.push(shortened(part));
  }
  appendGrams(terms, run);
  return terms;
}

/** `三菱ufj銀行` → `三菱`, `ufj`, `銀行`. */
function scriptRuns(word: string): string[] {
  if (!isUnspaced(word)) return [word];
  const runs: string[] = [];
  let start = 0;
  for (let i = 1; i <= word.length; i++) {
    if (i < word.length && gramLength(word.charCodeAt(i)) === gramLength(word.charCodeAt(start))) continue;
    runs.push(word.slice(start, i));
    start = i;
  }
  return runs;
}

function appendGrams(terms: string[], run: string): void {
  if (run === '') return;
  const length = gramLength(run.charCodeAt(0));
  if (run.length <= length) terms.push(run);
  else for (let i = 0; i + length <= run.length; i++) terms.push(run.slice(i, i + length));
}

/** Whether two spellings of a term may differ by a typing error: not in numbers, forms and cut scripts. */
export function mayBeMistyped(term: string): boolean {
  return term.length >= 3 && gramLength(term.charCodeAt(0)) === 0 && !/[0-9§&¢]/.test(term);
}

/** The pairs of letters for ä, ö, ü, ø and å on keyboards that lack them; not the "ue" of Bauer, Neue and Banque. */
const letterPairs = /[ao]e|(?<![aeq])ue|aa/g;

/**
 * The readings of a folded word if its pairs of letters stand for one each: "mueller" is "muller" then, which is what
 * Müller folds to. One reading replaces all pairs; if there are several, further readings replace each of them alone.
 */
export function withoutLetterPairs(term: string): string[] {
  if (!mayBeMistyped(term)) return [];
  const places = Array.from(term.matchAll(letterPairs), ({ index }) => index);
  if (places.length === 0) return [];
  const alone = places.map((at) => term.slice(0, at + 1) + term.slice(at + 2));
  return places.length === 1 ? alone : [term.replace(letterPairs, (pair) => pair.charAt(0)), ...alone];
}

/** Whether a term may be two words typed as one. */
export function mayBeSplit(term: string): boolean {
  return term.length >= 2 && !term.startsWith(formMark) && gramLength(term.charCodeAt(0)) === 0;
}

/** Words of little meaning beside others: a question may lack them or have additional ones. */
export const lightWords: ReadonlySet<string> = new Set(
  (
    `${connector} and und et og och oraz the of de der die das du des la le les el los di da do del della van von for ` +
    'in an a e y i и по на для в'
  ).split(' '),
);

/** Whether a term hardly helps to distinguish companies. */
export function isLight(term: string): boolean {
  return lightWords.has(term);
}

export function isForm(term: string): boolean {
  return term.startsWith(formMark);
}

/**
 * A key of the name's core: its terms without connectors and a leading "the", in one string. It stays the same if words
 * are joined, split, abbreviated to initials or connected differently. Two names with the same key are equal, legal
 * form aside. A name of legal forms alone ("Co") keeps them.
 */
export function nameKey(terms: readonly string[]): string {
  let key = '';
  for (const term of terms) if (term !== connector && !isForm(term)) key += term;
  if (key === '') return terms.map((term) => (isForm(term) ? term.slice(formMark.length) : '')).join('');
  return terms[0] === 'the' && key !== 'the' ? key.slice(3) : key;
}

/** First character of the key of a name's initials; no folded word contains it. */
export const initialsMark = '¤';

/** True for a word that may be the initials of a name: shorter ones are those of too many names. */
export function mayBeInitials(word: string): boolean {
  return /^[a-z]{3,5}$/.test(word);
}

/**
 * A key of the initials of a name's words in Latin letters, by which people shorten it: `¤seb` for Skandinaviska Enskilda
 * Banken. Empty for a name of fewer words than three, or of more than five.
 */
export function initialsKey(terms: readonly string[]): string {
  let initials = '';
  for (const term of terms) {
    if (isForm(term) || isLight(term)) continue;
    initials += term.charAt(0);
  }
  return mayBeInitials(initials) ? initialsMark + initials : '';
}

/**
 * An identifier as people type it: letters and digits only, upper case, no leading zeros, nor zeros behind the letters
 * that a number of digits begins with (SC012345). Empty for no number.
 */
export function identifierKey(text: string): string {
  if (isPlainIdentifier.test(text) && !hasZeros.test(text)) return text;
  const key = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
  if (key.length < 3 || !/\p{N}/u.test(key)) return '';
  return key.replace(/^0+(?=.{3})/, '').replace(hasZeros, '$1');
}
/** Zeros behind the letters of a number; an LEI is longer. */
const hasZeros = /^([A-Z]{1,4})0+(?=\d{2,10}$)/;
/** Texts that stay the same: an LEI, and most numbers. */
const isPlainIdentifier = /^(?!0)(?=[A-Z]*[0-9])[A-Z0-9]{3,}$/;
