/** Finds where an unfinished legal form may begin at the end of a text: "larkmoor public limi", "紅百合有". */
import { firstNotBefore } from '../../../bytes/binary-search.ts';
import { gramLength } from '../../../lei/names/characters.ts';
import { type FoldedSpelling, foldedSpellings } from '../../../lei/names/legal-forms.ts';

interface BeforeForm {
  /** The words before the form, at least one. */
  readonly name: readonly string[];
  /** The letters of the rest, with which some form begins. */
  readonly form: string;
}

let sorted: readonly FoldedSpelling[] | null = null;

/** All spellings by their letters, in their order. Spaces say nothing: "z o" may become "z ograniczoną". */
function sortedSpellings(): readonly FoldedSpelling[] {
  sorted ??= foldedSpellings()
    .map(({ token, words }) => ({ token, words: words.replaceAll(' ', '') }))
    .sort((a, b) => (a.words < b.words ? -1 : 1));
  return sorted;
}

/** Every place of a text's folded words from which on it may be a form. */
export function beforeForm(words: readonly string[]): readonly BeforeForm[] {
  const places = words
    .slice(1)
    .map((_, at) => ({ name: words.slice(0, at + 1), form: words.slice(at + 1).join('') }));
  return [...places, ...insideLast(words)].filter(({ form }) => isBegun(firstFrom(form), form));
}

/** In scripts without word boundaries the form may begin inside the last word. */
function insideLast(words: readonly string[]): BeforeForm[] {
  const last = words.at(-1) ?? '';
  if (gramLength(last.charCodeAt(0)) === 0) return [];
  return Array.from({ length: last.length - 1 }, (_, at) => ({
    name: [...words.slice(0, -1), last.slice(0, at + 1)],
    form: last.slice(at + 1),
  }));
}

/** The forms with a spelling that begins with the letters. */
export function formsBegunWith(letters: string): ReadonlySet<string> {
  const tokens = new Set<string>();
  for (let at = firstFrom(letters); isBegun(at, letters); at++)
    tokens.add(sortedSpellings()[at]?.token ?? '');
  tokens.delete('');
  return tokens;
}

/** The first spelling that is not before the letters. */
function firstFrom(letters: string): number {
  const spellings = sortedSpellings();
  return firstNotBefore(0, spellings.length, (at) => (spellings[at]?.words ?? '') < letters);
}

function isBegun(at: number, letters: string): boolean {
  return sortedSpellings()[at]?.words.startsWith(letters) === true;
}
