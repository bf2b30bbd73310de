/** The words that legal forms are spelled with, and which of them a mistyped one may have been meant for. */
import { type FormNode, formSpellings } from '../../lei/names/legal-forms.ts';
import { editDistance, unitsOf } from './edit-distance.ts';
import { errorsAllowed, lettersMax, lettersMin } from './word-pieces.ts';

export interface NearFormWord {
  readonly spelling: string;
  readonly distance: number;
}

interface FormWord {
  readonly spelling: string;
  readonly letters: number;
  readonly units: Uint16Array;
}

interface FormWords {
  /** Those that may be mistyped: some 1,300, of which a word is held against those about as long as it. */
  readonly byLength: readonly (readonly FormWord[])[];
  /** All words of forms, and all their beginnings. */
  readonly beginnings: ReadonlySet<string>;
}

let words: FormWords | null = null;

function formWords(): FormWords {
  if (words !== null) return words;
  const spellings = new Set<string>();
  collectSpellings(formSpellings(), spellings);
  const byLength: FormWord[][] = Array.from({ length: lettersMax + 3 }, () => []);
  const beginnings = new Set<string>();
  for (const spelling of spellings) {
    for (let end = 1; end <= spelling.length; end++) beginnings.add(spelling.slice(0, end));
    if (spelling.length < lettersMin || errorsAllowed(spelling) === 0) continue;
    const units = unitsOf(spelling, new Uint16Array(spelling.length));
    byLength[spelling.length]?.push({ spelling, letters: lettersOf(units, units.length), units });
  }
  words = { byLength, beginnings };
  return words;
}

function collectSpellings(node: FormNode, into: Set<string>): void {
  for (const [spelling, next] of node.next) {
    into.add(spelling);
    collectSpellings(next, into);
  }
}

const asked = new Uint16Array(lettersMax);
/** Runs of words are tried from each of them on: the same one is asked for several times in one question. */
let lastWord = '';
let lastNear: readonly NearFormWord[] = [];

/** Those within the errors that both words allow; none that is the word itself. */
export function nearFormWords(word: string): readonly NearFormWord[] {
  if (word === lastWord) return lastNear;
  lastWord = word;
  lastNear = findNear(word);
  return lastNear;
}

/** Whether a question that ends in the word can end in a form: most cannot. */
export function mayEndForm(word: string): boolean {
  return formWords().beginnings.has(word) || nearFormWords(word).length > 0;
}

function findNear(word: string): NearFormWord[] {
  const errors = errorsAllowed(word);
  if (errors === 0 || word.length < lettersMin) return [];
  unitsOf(word, asked);
  const letters = lettersOf(asked, word.length);
  const near: NearFormWord[] = [];
  for (let length = word.length - errors; length <= word.length + errors; length++) {
    for (const other of formWords().byLength[length] ?? []) {
      // An error changes two letters at most: hardly any word has to be measured.
      if (bitsIn(letters ^ other.letters) > 2 * errors || !sharesAnEnd(other, word.length)) continue;
      const allowed = Math.min(errors, errorsAllowed(other.spelling));
      const distance = editDistance(asked, word.length, other.units, length, allowed);
      if (distance > 0 && distance <= allowed) near.push({ spelling: other.spelling, distance });
    }
  }
  return near;
}

/** Hardly anyone errs at both ends. */
function sharesAnEnd({ units }: FormWord, length: number): boolean {
  return units[0] === asked[0] || units[units.length - 1] === asked[length - 1];
}

/** Which letters a word has: one bit each, which letters of other scripts share. */
function lettersOf(units: Uint16Array, length: number): number {
  let letters = 0;
  for (let at = 0; at < length; at++) letters |= 1 << ((units[at] ?? 0) & 31);
  return letters;
}

function bitsIn(word: number): number {
  let bits = 0;
  for (let left = word; left !== 0; left &= left - 1) bits++;
  return bits;
}
