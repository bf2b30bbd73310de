/**
 * Finds legal forms in questions of scripts without word boundaries, where they may stand between other letters:
 * "紅百合有限公司上海分行".
 */
import { gramLength } from '../../../lei/names/characters.ts';
import { foldedWords } from '../../../lei/names/fold.ts';
import { type FoldedSpelling, foldedSpellings } from '../../../lei/names/legal-forms.ts';
import { termsOf } from '../../../lei/names/name-terms.ts';
import { certainty } from '../limits.ts';

interface FormInLetters {
  readonly token: string;
  /** The terms of its letters, and those of one of them with a neighbouring letter. */
  readonly terms: ReadonlySet<string>;
  readonly certainty: number;
}

interface FormsOfScripts {
  readonly spellings: readonly FoldedSpelling[];
  readonly tokens: ReadonlyMap<string, string>;
  /** Matches any spelling, the longest one. */
  readonly pattern: RegExp;
}

let forms: FormsOfScripts | null = null;

/** The forms in these scripts: about 30. Made for the first question that needs them. */
function formsOfScripts(): FormsOfScripts {
  forms ??= readForms();
  return forms;
}

function readForms(): FormsOfScripts {
  const spellings = foldedSpellings()
    .filter(({ words, token }) => token !== '' && isInLetters(words) && !words.includes(' '))
    .toSorted((a, b) => b.words.length - a.words.length);
  return {
    spellings,
    tokens: new Map(spellings.map(({ words, token }) => [words, token])),
    pattern: new RegExp(`(${spellings.map(({ words }) => words).join('|')})`, 'g'),
  };
}

function isInLetters(word: string): boolean {
  return gramLength(word.charCodeAt(0)) > 0;
}

/** The words of a question, with the forms between other letters as words of their own. */
export function wordsWithFormsApart(q: string): string[] {
  return foldedWords(q).flatMap((word) =>
    isInLetters(word) ? word.split(formsOfScripts().pattern).filter((part) => part !== '') : [word],
  );
}

/** The forms anywhere in a question, whose spaces say nothing, and those of which its last letters are a part. */
export function formsInLetters(q: string): readonly FormInLetters[] {
  const words = foldedWords(q);
  if (!words.some(isInLetters)) return [];
  const letters = words.join('');
  const { pattern, tokens } = formsOfScripts();
  const whole = Array.from(letters.matchAll(pattern), ({ 0: spelling, index }) => ({
    token: tokens.get(spelling) ?? '',
    terms: termsAt(letters, index, index + spelling.length),
    certainty: certainty.joined,
  }));
  return [...whole, ...formsBegunIn(letters)];
}

/** "紅百合有限" and "紅百合公司" for 紅百合有限公司. */
function formsBegunIn(letters: string): FormInLetters[] {
  return formsOfScripts().spellings.flatMap(({ token, words }) => {
    const length = partAtEnd(letters, words);
    const terms = termsAt(letters, letters.length - length, letters.length);
    return length === 0 ? [] : { token, terms, certainty: certainty.partOfForm };
  });
}

/** How many of the last letters begin or end the form, not all of it. A single one says too little. */
function partAtEnd(letters: string, form: string): number {
  for (let length = form.length - 1; length > 1; length--) {
    if (letters.endsWith(form.slice(0, length)) || letters.endsWith(form.slice(-length))) return length;
  }
  return 0;
}

function termsAt(letters: string, from: number, to: number): ReadonlySet<string> {
  const beside = gramLength(letters.charCodeAt(from)) - 1;
  const text = letters.slice(Math.max(0, from - beside), to + beside);
  return new Set(termsOf(text, { core: [text], forms: [] }));
}
