/**
 * Measures how similar two names are. Their words are paired, each pair counts by the rarity of its words, and unpaired
 * words on both sides count as a contradiction.
 */

import { isUnspaced } from '../../lei/names/characters.ts';
import { isLight, mayBeMistyped } from '../../lei/names/name-terms.ts';
import { placeOf } from '../../lei/names/places.ts';
import { usualOfSubFunds } from '../../lei/names/sub-funds.ts';
import type { ComparedName } from './compared-name.ts';
import {
  errorsBetween,
  keyUnitsMax,
  narrowFieldMin,
  type Pairing,
  type PartsAndNumbers,
  pairTerms,
  slipShare,
} from './word-pairs.ts';

/** What is known about single words. */
export interface KnownWords {
  /** How much a term says about a company, 0 to 1; null if no name has it. */
  readonly weightOf: (term: string) => number | null;
  /** Whether a word is of a place of the company, or of one that the question gives. */
  readonly isPlace: (word: string) => boolean;
}

/** How two names agree and differ. Shares are of the weight of all words of both names. */
export interface NameEvidence extends PartsAndNumbers {
  /** Share lost through slips in words: mistyped letters, abbreviated words. */
  readonly slips: number;
  /** Share of the words with slips that, as typed, are also words of other names: Jonsson for Jansson. */
  readonly otherWords: number;
  /** Share of the words that only the question's name has. */
  readonly extra: number;
  /**
   * How usual the most usual of these is in names, 0 to 1: a line of business (Leasing, Gestion) names another company
   * of the group, and a rare word is rather a note.
   */
  readonly usualExtra: number;
  /** The same for words that people add to names of companies: Group, Europe. */
  readonly added: number;
  /** Share of the words that only one name has and that are places of the company, or those that the question gives. */
  readonly places: number;
  /** Share of the words that only the known name has. */
  readonly missing: number;
  /** The same for words that a narrow field has cut off. */
  readonly cut: number;
  /** Whether the names are equal as they stand, legal forms included. */
  readonly isExact: boolean;
  /** Whether the common words have a different order. */
  readonly swapped: boolean;
  /** How much of its umbrella the question names beside a sub-fund; `named` for other names. */
  readonly umbrella: 'named' | 'shortened' | 'lacking';
  /** The question is one word of a longer name, which says too little: others are telling, or it is a place, usual or mistyped. */
  readonly isMereWord: boolean;
  /**
   * The letters of a question of which every telling word differs from the name's, and which lacks none: 0 if a word differs by
   * more than one error; null for other questions.
   */
  readonly mistypedLetters: number | null;
  /** The sum of the weights of the common words: how much their agreement says. */
  readonly said: number;
}

/** Null if the names have nothing in common. */
export function nameEvidence(
  asked: ComparedName,
  known: ComparedName,
  words: KnownWords,
): NameEvidence | null {
  if (asked.key === '' || known.key === '') return null;
  const slips = asked.key === known.key ? 0 : joinedSlips(asked, known);
  return slips === null ? pairedEvidence(asked, known, words) : equalEvidence(asked, known, slips, words);
}

/** Of names whose letters are the same, but for a few slips. */
function equalEvidence(
  asked: ComparedName,
  known: ComparedName,
  slips: number,
  words: KnownWords,
): NameEvidence {
  const isExact = asked.key === known.key && asked.forms.join() === known.forms.join();
  // A name of forms alone, such as UAB BANK, says as much as these words.
  const said = weightOfAll([...known.core, ...(isExact ? known.forms : [])], words);
  const mistypedLetters = slips > 0 && isOneWord(asked) ? lettersOfOneError(asked.key, known.key) : null;
  return { ...noDifference, slips, isExact, said, mistypedLetters };
}

function weightIn({ weightOf }: KnownWords, term: string): number {
  return isLight(term) ? lightWeight : (weightOf(term) ?? unknownWeight);
}

function weightOfAll(terms: readonly string[], words: KnownWords): number {
  return terms.reduce((sum, term) => sum + weightIn(words, term), 0);
}

const noDifference = {
  otherWords: 0,
  extra: 0,
  usualExtra: 0,
  added: 0,
  places: 0,
  missing: 0,
  cut: 0,
  swapped: false,
  numbers: 'agreeing',
  lacksPart: false,
  umbrella: 'named',
  isMereWord: false,
  mistypedLetters: null,
} as const;

/** Of a question that is the initials of a name. */
export const initialsEvidence: NameEvidence = { ...noDifference, slips: 0.5, isExact: false, said: 0.6 };

/** Whether a narrow field ended the question's name: all its words begin the known name, the last perhaps unfinished. */
function isCutOff({ text, core }: ComparedName, { pairs, askedOnly, knownOnly }: Pairing): boolean {
  if (text.length < narrowFieldMin || askedOnly.length > 0 || knownOnly.length === 0) return false;
  return pairs.length === core.length && pairs.every(({ from, to }) => from === to);
}

/** @param evidence without this fact */
function isMereWord(
  asked: ComparedName,
  { pairs, knownOnly }: Pairing,
  { missing, places, slips }: NameEvidence,
  words: KnownWords,
): boolean {
  const [pair] = pairs;
  if (pair === undefined || missing + places === 0 || !isOneWord(asked)) return false;
  if (slips > 0 || words.isPlace(pair.known) || placeOf([pair.asked]) !== null) return true;
  const mostOf = (terms: readonly string[]) => Math.max(0, ...terms.map((term) => weightIn(words, term)));
  const lacksTelling = mostOf(knownOnly.filter((term) => !words.isPlace(term))) >= tellingWeight;
  const said = weightIn(words, pair.known);
  return lacksTelling || said < usualWeight || said <= mostOf(knownOnly);
}

/** Of the words that are no places: Foseco India is not Cosco (India). */
function mistypedLetters({ pairs, knownOnly }: Pairing, { isPlace }: KnownWords): number | null {
  const telling = pairs.filter(({ known }) => !isLight(known) && !isPlace(known));
  const isOther = telling.length > 0 && telling.every(({ likeness }) => likeness < 1);
  if (!isOther || knownOnly.length > 0) return null;
  const letters = telling.map(({ asked, known }) => lettersOfOneError(asked, known));
  return letters.includes(0) ? 0 : letters.reduce((sum, each) => sum + each, 0);
}

/** How many letters the shorter text has; 0 if they differ by more than an error. */
function lettersOfOneError(asked: string, known: string): number {
  const [shorter = 0, longer = 0] = [asked.length, known.length].sort((a, b) => a - b);
  return longer > keyUnitsMax || errorsBetween(asked, known, 1) > 1 ? 0 : shorter;
}

/** A word with at least this weight tells its company. */
const tellingWeight = 0.6;
/** A word with less is in the names of more companies than the square root of their number. */
const usualWeight = 0.5;

/** Scripts without spaces write a whole name in one word. */
function isOneWord({ words: [word = '', ...more] }: ComparedName): boolean {
  return more.length === 0 && !isUnspaced(word);
}

/** Slips in names whose words are joined or split differently; null if these are different names. */
function joinedSlips(asked: ComparedName, known: ComparedName): number | null {
  const length = Math.max(asked.key.length, known.key.length);
  const errorsMax = length < 6 || length > keyUnitsMax ? 0 : length < 12 ? 1 : 2;
  if (asked.core.length === known.core.length || errorsMax === 0 || !sameNumbers(asked, known)) return null;
  const errors = errorsBetween(asked.key, known.key, errorsMax);
  return errors > errorsMax ? null : (slipShare * errors) / length;
}

/** Numbers and single letters distinguish companies of one group. */
function sameNumbers(asked: ComparedName, known: ComparedName): boolean {
  const numbers = ({ core, ordinals }: ComparedName) =>
    core.filter((term, at) => !mayBeMistyped(term) || ordinals[at] !== null).join(' ');
  return numbers(asked) === numbers(known);
}

/** Words that lists of customers and suppliers add to names: they say nothing about the company. */
const notes = new Set(
  (
    'the company head office hq headquarters branch division dept department attn accounts account payable payables ' +
    'invoice invoices billing customer client supplier vendor new old former formerly closed inactive duplicate blocked ' +
    'usd eur gbp'
  ).split(' '),
);

/** Words that people add to the name of a company, or that a longer form of its name has. */
const additions = new Set(
  'group groupe gruppe grupo gruppo international europe global worldwide holding holdings'.split(' '),
);

/** Below this similarity, two words are different words, not spellings of one. */
const sameWordLikeness = 0.97;
const lightWeight = 0.05;
const unknownWeight = 0.6;
const strayLettersMax = 2;

/** Whether one of the names was transliterated: most of its words differ in letters. */
function isHeard(asked: ComparedName, known: ComparedName): boolean {
  return asked.transliteration !== null || known.transliteration !== null;
}

/** Of names that differ by words. */
function pairedEvidence(asked: ComparedName, known: ComparedName, words: KnownWords): NameEvidence | null {
  const pairing = pairTerms(asked, known);
  const { pairs, knownOnly, numbers, lacksPart, namesUmbrella } = pairing;
  if (pairs.length === 0) return null;
  const { weightOf, isPlace } = words;
  const sumOf = (terms: readonly string[]) => weightOfAll(terms, words);
  // Give a mistyped word the weight of the intended word.
  const said = sumOf(pairs.map((pair) => pair.known));
  const lost = pairs.reduce((sum, pair) => sum + weightIn(words, pair.known) * (1 - pair.likeness), 0);
  const other = pairs.filter((pair) => pair.likeness < sameWordLikeness && weightOf(pair.asked) !== null);
  const told = toldWords(pairing, known, words);
  const own = told.filter((word) => !additions.has(word));
  const telling = own.filter((word) => !isLight(word));
  const extra = sumOf(own);
  const added = sumOf(told.filter((word) => additions.has(word)));
  const places = sumOf([...pairing.askedOnly, ...knownOnly].filter(isPlace));
  const rest = sumOf(knownOnly.filter((word) => !isPlace(word)));
  const isPart = known.partAt > 0 && !lacksPart && extra === 0 && rest > 0;
  const isCut = isPart || isCutOff(asked, pairing);
  const all = 2 * said + extra + added + places + rest;
  const evidence: NameEvidence = {
    ...noDifference,
    slips: (2 * lost) / all,
    otherWords: (2 * sumOf(other.map((pair) => pair.known))) / all,
    extra: extra / all,
    usualExtra: Math.max(0, ...telling.map((word) => 1 - (weightOf(word) ?? 1))),
    added: added / all,
    places: places / all,
    missing: isCut ? 0 : rest / all,
    cut: isCut ? rest / all : 0,
    isExact: false,
    swapped: !inOrder(pairs),
    numbers,
    lacksPart,
    umbrella: !isPart ? 'named' : namesUmbrella ? 'shortened' : 'lacking',
    said,
    mistypedLetters: isHeard(asked, known) && !isOneWord(asked) ? null : mistypedLetters(pairing, words),
  };
  return { ...evidence, isMereWord: isMereWord(asked, pairing, evidence, words) };
}

/** The words that only the question's name has, without those that say nothing about the company. */
function toldWords(
  { askedOnly, isLast, numbers }: Pairing,
  { partAt }: ComparedName,
  { weightOf, isPlace }: KnownWords,
): readonly string[] {
  // A short last word that no name has is rather a mistyped legal form than a word of the name: "e.UU." for e.U.
  const isStray = (word: string) =>
    word.length <= strayLettersMax && /^\p{L}+$/u.test(word) && weightOf(word) === null;
  const mayBeStray = isLast && (numbers === 'agreeing' || numbers === 'lacking');
  return askedOnly.filter(
    (word, at) =>
      !notes.has(word) &&
      !isPlace(word) &&
      !(partAt > 0 && usualOfSubFunds.has(word)) &&
      !(mayBeStray && at === askedOnly.length - 1 && isStray(word)),
  );
}

function inOrder(pairs: Pairing['pairs']): boolean {
  const byPlace = [...pairs].sort((a, b) => a.from - b.from);
  return byPlace.every(({ to }, at) => at === 0 || to > (byPlace[at - 1]?.to ?? -1));
}
