/**
 * Finds the words of legal forms that a word of a question may mean: those that begin with it (by FlexSearch's index of
 * beginnings), and those that it may be a misspelling of.
 */
import { Index } from 'flexsearch';
import { editDistance, lettersOf, mayBeWithin, unitsOf } from '../../../lei/names/edit-distance.ts';
import { type FoldedSpelling, foldedSpellings } from '../../../lei/names/legal-forms.ts';
import { errorsAllowed, lettersMax, lettersMin } from './word-pieces.ts';

interface NearFormWord {
  readonly spelling: string;
  readonly distance: number;
}

interface FormWord {
  readonly spelling: string;
  readonly errorsAllowed: number;
  readonly letters: number;
  readonly units: Uint16Array;
}

interface FormWords {
  readonly spellings: readonly string[];
  /** The forms that have each word. */
  readonly tokens: ReadonlyMap<string, ReadonlySet<string>>;
  /** Numbers of `spellings` by their first letter. */
  readonly byLetter: ReadonlyMap<string, readonly number[]>;
  /** The words that may be mistyped, by length: about 1,300 in total. */
  readonly byLength: readonly (readonly FormWord[])[];
}

let words: FormWords | null = null;

function formWords(): FormWords {
  words ??= readFormWords();
  return words;
}

function readFormWords(): FormWords {
  const tokens = tokensByWord();
  const spellings = [...tokens.keys()];
  const byLength: FormWord[][] = Array.from({ length: lettersMax + 3 }, () => []);
  for (const spelling of spellings) {
    const errors = errorsAllowed(spelling);
    if (spelling.length < lettersMin || errors === 0) continue;
    const units = unitsOf(spelling, new Uint16Array(spelling.length));
    const letters = lettersOf(units, units.length);
    byLength[spelling.length]?.push({ spelling, errorsAllowed: errors, letters, units });
  }
  const byLetter = Map.groupBy(spellings.keys(), (number) => letterOf(spellings[number] ?? ''));
  return { spellings, tokens, byLetter, byLength };
}

function tokensByWord(): Map<string, Set<string>> {
  const tokens = new Map<string, Set<string>>();
  for (const { token, words } of foldedSpellings()) {
    for (const word of words.split(' ')) {
      const known = tokens.get(word) ?? new Set();
      if (token !== '') known.add(token);
      tokens.set(word, known);
    }
  }
  return tokens;
}

/** What a text begins with; all that begins with it has the same. */
function letterOf(text: string): string {
  return text.charAt(0);
}

const beginnings = new Map<string, Index>();

/** Finds numbers of the words with that letter by beginning; null if there are none. Made when a letter is first asked for. */
function beginningsWith(letter: string): Index | null {
  const known = beginnings.get(letter);
  if (known !== undefined) return known;
  const { spellings, byLetter } = formWords();
  const numbers = byLetter.get(letter);
  if (numbers === undefined) return null;
  // Words come folded, one at a time. A resolution of one level keeps the numbers under a beginning in one list.
  const made = new Index({ tokenize: 'forward', encode: (word) => [word], resolution: 1, cache: false });
  for (const number of numbers) made.add(number, spellings[number] ?? '');
  beginnings.set(letter, made);
  return made;
}

let byLetters: ReadonlyMap<string, FoldedSpelling> | null = null;
const noSpelling: FoldedSpelling = { token: '', words: '' };

/** The spelling of a form from its letters without spaces ("spzoo"); empty for none. Made when it is first asked for. */
export function formJoined(letters: string): FoldedSpelling {
  byLetters ??= new Map(foldedSpellings().map((spelling) => [spelling.words.replaceAll(' ', ''), spelling]));
  return byLetters.get(letters) ?? noSpelling;
}

/** Whether some legal form has the word. */
export function isFormWord(word: string): boolean {
  return formWords().tokens.has(word);
}

/** True if a spelling of the form has the word. */
export function isWordOfForm(word: string | undefined, token: string): boolean {
  return word !== undefined && formWords().tokens.get(word)?.has(token) === true;
}

/** The forms that a word is a part of; none for a word of many forms, such as "company", which says nothing about them. */
export function formsWithWord(word: string): readonly string[] {
  const tokens = formWords().tokens.get(word);
  return tokens === undefined || tokens.size > formsOfWordMax ? [] : [...tokens];
}

const formsOfWordMax = 12;

/** "gmh" for "gmbh": beside few companies a word of three letters may lack the fourth of one that forms have. */
function withOneLetterMore(word: string): readonly NearFormWord[] {
  return word.length === lettersMin - 1 ? findNear(word, 1, () => 1) : [];
}

/** The forms that have the word, or one that it may be a misspelling of: those with fewer errors first. */
export function formsNear(word: string): readonly { readonly token: string; readonly distance: number }[] {
  const spellings = [{ spelling: word, distance: 0 }, ...nearFormWords(word), ...withOneLetterMore(word)];
  return spellings
    .toSorted((one, other) => one.distance - other.distance)
    .flatMap(({ spelling, distance }) =>
      [...(formWords().tokens.get(spelling) ?? [])].map((token) => ({ token, distance })),
    );
}

/** Words of forms that begin with the letters, the letters themselves included if they are such a word. */
export function formWordsBegunBy(letters: string): string[] {
  const { spellings } = formWords();
  const numbers = beginningsWith(letterOf(letters))?.search(letters, { limit: spellings.length }) ?? [];
  return numbers.map((number) => spellings[Number(number)] ?? '');
}

const asked = new Uint16Array(lettersMax);
/** Cached for the words of a question, which asks for each of them several times. */
const near = new Map<string, readonly NearFormWord[]>();
const nearKeptMax = 64;

/** Words of forms within the errors that both words allow, without the word itself. */
export function nearFormWords(word: string): readonly NearFormWord[] {
  const known = near.get(word);
  if (known !== undefined) return known;
  if (near.size === nearKeptMax) near.clear();
  const errors = word.length < lettersMin ? 0 : errorsAllowed(word);
  const found = findNear(word, errors, (other) => other.errorsAllowed);
  near.set(word, found);
  return found;
}

/** Whether a question that ends with the word can end with a form: most cannot. */
export function mayEndForm(word: string): boolean {
  return formWordsBegunBy(word).length > 0 || nearFormWords(word).length > 0;
}

/**
 * Words of forms that a word is far from: within two errors, both of six letters or more, and with one letter more than a word of
 * three. Shorter ones differ from too many others.
 */
export function formWordsFarFrom(word: string): readonly NearFormWord[] {
  if (word.length < twiceMistypedLettersMin) return withOneLetterMore(word);
  return findNear(word, 2, ({ spelling }) => (spelling.length < twiceMistypedLettersMin ? 0 : 2));
}

const twiceMistypedLettersMin = 6;

/** @param allowedIn how many errors a word of forms may have */
function findNear(word: string, errors: number, allowedIn: (other: FormWord) => number): NearFormWord[] {
  if (errors === 0) return [];
  unitsOf(word, asked);
  const letters = lettersOf(asked, word.length);
  const near: NearFormWord[] = [];
  for (let length = word.length - errors; length <= word.length + errors; length++) {
    for (const other of formWords().byLength[length] ?? []) {
      if (!sharesAnEnd(other, word.length) || !mayBeWithin(errors, letters, other.letters)) continue;
      const allowed = Math.min(errors, allowedIn(other));
      const distance = editDistance(asked, word.length, other.units, length, allowed);
      if (distance > 0 && distance <= allowed) near.push({ spelling: other.spelling, distance });
    }
  }
  return near;
}

/** People hardly ever mistype both the first and the last letter of a word. */
function sharesAnEnd({ units }: FormWord, length: number): boolean {
  return units[0] === asked[0] || units[units.length - 1] === asked[length - 1];
}
