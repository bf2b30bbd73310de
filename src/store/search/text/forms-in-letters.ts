/**
 * Finds legal forms in questions of scripts without word boundaries, where they may stand between other letters:
 * "紅百合有限公司上海分行".
 */
import { gramLength, isUnspaced, unspacedCharacters } from '../../../lei/names/characters.ts';
import { gluedSpellings, tokenOfSpelling } from '../../../lei/names/legal-forms.ts';
import { termsOfWords } from '../../../lei/names/name-terms.ts';
import { certainty } from '../limits.ts';

interface FormInLetters {
  readonly token: string;
  /** The terms of its letters, and those of one of them with a neighbouring letter. */
  readonly terms: ReadonlySet<string>;
  readonly certainty: number;
}

let pattern: RegExp | null = null;

/** Matches the forms that names have without a space: one of them, the longest. Made for the first question that needs it. */
function formPattern(): RegExp {
  pattern ??= new RegExp(`(${gluedSpellings().join('|')})`, 'g');
  return pattern;
}

/** The words of a question with the forms between other letters as words of their own: by its spaces, and without them. */
export function wordsWithFormsApart(words: readonly string[]): readonly (readonly string[])[] {
  if (!words.some(isUnspaced)) return [words];
  const joined = words.join(' ').replace(spaceInside, '').split(' ');
  return [words, joined].map((each) =>
    each.flatMap((word) =>
      isUnspaced(word) ? word.split(formPattern()).filter((part) => part !== '') : [word],
    ),
  );
}

const spaceInside = new RegExp(`(?<=[${unspacedCharacters}]) (?=[${unspacedCharacters}])`, 'g');

/** The question without the part of a form that it ends with: 紅百合 for "紅百合有限". One for each length of the part. */
export function namesBeforePart(words: readonly string[]): readonly string[] {
  if (!isUnspaced(words.at(-1) ?? '')) return [];
  const letters = words.join(' ');
  const lengths = new Set(partsAtEnd(letters).map(({ length }) => length));
  return [...lengths].map((length) => letters.slice(0, -length)).filter((name) => name !== '');
}

/** The forms anywhere in a question, whose spaces say nothing, and those of which its last letters are a part. */
export function formsInLetters(words: readonly string[]): readonly FormInLetters[] {
  if (!words.some(isUnspaced)) return [];
  const letters = words.join('');
  const whole = Array.from(letters.matchAll(formPattern()), ({ 0: spelling, index }) => ({
    token: tokenOfSpelling(spelling),
    terms: termsAt(letters, index, index + spelling.length),
    certainty: certainty.joined,
  }));
  const begun = partsAtEnd(letters).map(({ token, length }) => ({
    token,
    terms: termsAt(letters, letters.length - length, letters.length),
    certainty: certainty.partOfForm,
  }));
  return [...whole, ...begun];
}

/** "紅百合有限" and "紅百合公司" for 紅百合有限公司: the forms of which the last letters are a half or more, each once. */
function partsAtEnd(letters: string): { readonly token: string; readonly length: number }[] {
  const found = new Map<string, number>();
  for (const spelling of gluedSpellings()) {
    if (letters.endsWith(spelling)) return [];
    const token = tokenOfSpelling(spelling);
    const length = partAtEnd(letters, spelling);
    if (length > (found.get(token) ?? 0)) found.set(token, length);
  }
  return Array.from(found, ([token, length]) => ({ token, length }));
}

/** How many of the last letters begin or end the form, not all of it. */
function partAtEnd(letters: string, form: string): number {
  for (let length = form.length - 1; length > 1 && length >= form.length / 2; length--) {
    if (letters.endsWith(form.slice(0, length)) || letters.endsWith(form.slice(-length))) return length;
  }
  return 0;
}

/** The terms of the letters, and of those beside them in the same script. */
function termsAt(letters: string, from: number, to: number): ReadonlySet<string> {
  const grams = gramLength(letters.charCodeAt(from));
  const isSame = (at: number) => gramLength(letters.charCodeAt(at)) === grams;
  let [start, end] = [from, to];
  while (start > 0 && from - start < grams - 1 && isSame(start - 1)) start--;
  while (end < letters.length && end - to < grams - 1 && isSame(end)) end++;
  return new Set(termsOfWords([letters.slice(start, end)]));
}
