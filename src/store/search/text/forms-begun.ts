/** Finds where an unfinished legal form may begin at the end of a text: "larkmoor public limi", "紅百合有". */
import { firstNotBefore } from '../../../bytes/binary-search.ts';
import { isUnspaced } from '../../../lei/names/characters.ts';
import { foldedSpellings } from '../../../lei/names/legal-forms.ts';

interface BeforeForm {
  /** The words before the form, at least one. */
  readonly name: readonly string[];
  /** The letters of the rest, with which some form begins. */
  readonly form: string;
}

interface SpellingInLetters {
  readonly token: string;
  /** Spaces say nothing: "z o" may become "z ograniczoną". */
  readonly letters: string;
  /** Count of words. */
  readonly words: number;
}

let sorted: readonly SpellingInLetters[] | null = null;

/** All spellings in the order of their letters. */
function sortedSpellings(): readonly SpellingInLetters[] {
  sorted ??= foldedSpellings()
    .map(({ token, words }) => ({
      token,
      letters: words.replaceAll(' ', ''),
      words: words.split(' ').length,
    }))
    .sort((a, b) => (a.letters < b.letters ? -1 : 1));
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
  if (!isUnspaced(last)) return [];
  return Array.from({ length: last.length - 1 }, (_, at) => ({
    name: [...words.slice(0, -1), last.slice(0, at + 1)],
    form: last.slice(at + 1),
  }));
}

/**
 * The forms with a spelling that begins with the letters.
 * @param which `usual`: in proportion to the letters only short spellings count. Of the hundred spellings of "ltd" few are written
 * behind names, and any letter begins one
 */
export function formsBegunWith(letters: string, which: 'usual' | 'any'): ReadonlySet<string> {
  const wordsMost =
    which === 'any' ? Number.POSITIVE_INFINITY : 1 + Math.floor(letters.length / lettersOfWord);
  const tokens = new Set<string>();
  for (let at = firstFrom(letters); isBegun(at, letters); at++) {
    const { token, words } = sortedSpellings()[at] ?? noSpelling;
    if (words <= wordsMost) tokens.add(token);
  }
  tokens.delete('');
  return tokens;
}

const lettersOfWord = 3;
const noSpelling: SpellingInLetters = { token: '', letters: '', words: 0 };

/** The first spelling that is not before the letters. */
function firstFrom(letters: string): number {
  const spellings = sortedSpellings();
  return firstNotBefore(0, spellings.length, (at) => (spellings[at]?.letters ?? '') < letters);
}

function isBegun(at: number, letters: string): boolean {
  return sortedSpellings()[at]?.letters.startsWith(letters) === true;
}
