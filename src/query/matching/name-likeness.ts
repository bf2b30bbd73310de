/**
 * Measures how similar two names are. Their words are paired, each pair counts by the rarity of its words, and unpaired
 * words on both sides count as a contradiction.
 */

import { editDistance, unitsOf } from '../../lei/names/edit-distance.ts';
import { isForm, isLight, mayBeMistyped, nameKey, nameParts, termsOf } from '../../lei/names/name-terms.ts';
import { otherWritings } from '../../lei/names/other-writings.ts';
import { soundOf } from '../../lei/names/transliterate.ts';
import { remembered } from '../../remembered.ts';
import { matchLimits } from './limits.ts';

/** A name prepared for comparison. */
export interface ComparedName {
  readonly text: string;
  /** Core terms in order, without legal forms. */
  readonly core: readonly string[];
  /** The folded words of the core, not cut. */
  readonly words: readonly string[];
  /** Terms of the legal forms. */
  readonly forms: readonly string[];
  readonly key: string;
  /** A transliterated name: its words are compared by their sound as well. */
  readonly isTransliterated: boolean;
}

/** How much a term says about a company, 0 to 1; null if no name has it. */
export type WeightOf = (term: string) => number | null;

/** For the names of one match: each term is looked up once, however many pairs of names have it. */
export function rememberedWeights(weightOf: WeightOf): WeightOf {
  return remembered(weightOf);
}

export function comparedName(text: string, isTransliterated = false): ComparedName {
  const parts = nameParts(text);
  const terms = termsOf(text, parts).slice(0, matchLimits.termsMax);
  return {
    text,
    core: terms.filter((term) => !isForm(term)),
    words: parts.core,
    forms: formsIn(terms, text),
    key: nameKey(terms),
    isTransliterated,
  };
}

/** Their terms are those of the English forms, which lists in English write for companies of all countries. */
const russianForms = /\b(?:ao|oao|pao|zao)\b/i;
const russianTerms = new Map([
  ['§jsc', '§ао'],
  ['§ojsc', '§оао'],
  ['§pjsc', '§пао'],
  ['§cjsc', '§зао'],
]);

function formsIn(terms: readonly string[], text: string): readonly string[] {
  const forms = terms.filter(isForm);
  return russianForms.test(text) ? forms.map((form) => russianTerms.get(form) ?? form) : forms;
}

/** How two names agree and differ. Shares are of the weight of all words of both names. */
export interface NameEvidence {
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
  /** Whether both have a number that the other lacks, which names another company of a group: another fund, another trust. */
  readonly isOtherNumber: boolean;
  /** The sum of the weights of the common words: how much their agreement says. */
  readonly said: number;
}

/** Null if the names have nothing in common. */
export function nameEvidence(
  asked: ComparedName,
  known: ComparedName,
  weightOf: WeightOf,
  isPlace: (word: string) => boolean = () => false,
): NameEvidence | null {
  if (asked.key === '' || known.key === '') return null;
  const weight = (term: string) => (isLight(term) ? lightWeight : (weightOf(term) ?? unknownWeight));
  const slips = asked.key === known.key ? 0 : joinedSlips(asked, known);
  if (slips === null) {
    const pairing = pairTerms(asked, known);
    return pairedEvidence(pairing, weight, weightOf, isPlace, isCutOff(asked, pairing));
  }
  const isExact = asked.key === known.key && asked.forms.join() === known.forms.join();
  // A name of forms alone, such as UAB BANK, says as much as these words.
  const said = [...known.core, ...(isExact ? known.forms : [])].reduce((sum, term) => sum + weight(term), 0);
  return { ...noDifference, slips, isExact, said };
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
  isOtherNumber: false,
} as const;

/** Of a question that is the initials of a name. */
export const initialsEvidence: NameEvidence = { ...noDifference, slips: 0.5, isExact: false, said: 0.6 };

/** Whether a narrow field ended the question's name: all its words begin the known name, the last perhaps unfinished. */
function isCutOff({ text, core }: ComparedName, { pairs, askedOnly, knownOnly }: Pairing): boolean {
  if (text.length < narrowFieldMin || askedOnly.length > 0 || knownOnly.length === 0) return false;
  return pairs.length === core.length && pairs.every(({ from, to }) => from === to);
}
/** The narrowest fields that cut names have 30 characters (FFIEC), or 35 (ISO 20022, SWIFT). */
const narrowFieldMin = 25;
const unfinishedLettersMin = 2;

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
  const numbers = ({ core }: ComparedName) => core.filter((term) => !mayBeMistyped(term)).join(' ');
  return numbers(asked) === numbers(known);
}

interface Pairing {
  readonly pairs: readonly WordPair[];
  /** Unpaired words of the question's name, and of the known one. */
  readonly askedOnly: readonly string[];
  readonly knownOnly: readonly string[];
  /** Whether the last unpaired word of the question's name is its last word. */
  readonly isLast: boolean;
}

interface WordPair {
  readonly asked: string;
  readonly known: string;
  /** 0 to 1. */
  readonly likeness: number;
  /** Indexes in both names. */
  readonly from: number;
  readonly to: number;
}

/**
 * The best pairs first. Each word is in one pair at most; two words that are joined in the other name are in one pair
 * each.
 */
function pairTerms(one: ComparedName, other: ComparedName): Pairing {
  const [{ core: asked, text }, { core: known }] = [one, other];
  const likenessOf = one.isTransliterated || other.isTransliterated ? heardLikeness : wordLikeness;
  const unfinishedAt = text.length >= narrowFieldMin ? asked.length - 1 : -1;
  const all = asked.flatMap((word, from) =>
    known.map((name, to) => {
      const isUnfinished =
        from === unfinishedAt && word.length >= unfinishedLettersMin && name.startsWith(word);
      return { asked: word, known: name, from, to, likeness: isUnfinished ? 1 : likenessOf(word, name) };
    }),
  );
  const best = all
    .filter(({ likeness }) => likeness > 0)
    .sort((a, b) => b.likeness - a.likeness || Math.abs(a.from - a.to) - Math.abs(b.from - b.to));
  const [usedAsked, usedKnown] = [new Set<number>(), new Set<number>()];
  const pairs = best.filter(({ from, to }) => {
    if (usedAsked.has(from) || usedKnown.has(to)) return false;
    usedAsked.add(from);
    usedKnown.add(to);
    return true;
  });
  for (const { whole, first, second } of joinedWords(asked, known, usedAsked, usedKnown)) {
    usedAsked.add(whole);
    for (const to of [first, second]) {
      usedKnown.add(to);
      pairs.push({
        asked: asked[whole] ?? '',
        known: known[to] ?? '',
        from: whole,
        to,
        likeness: joinedLikeness,
      });
    }
  }
  for (const { whole, first, second } of joinedWords(known, asked, usedKnown, usedAsked)) {
    usedKnown.add(whole);
    for (const from of [first, second]) usedAsked.add(from);
    pairs.push({
      asked: known[whole] ?? '',
      known: known[whole] ?? '',
      from: first,
      to: whole,
      likeness: joinedLikeness,
    });
  }
  return {
    pairs,
    askedOnly: asked.filter((_, at) => !usedAsked.has(at)),
    knownOnly: known.filter((_, at) => !usedKnown.has(at)),
    isLast: !usedAsked.has(asked.length - 1),
  };
}

interface JoinedWords {
  /** Index of the word in one name, and of its two parts in the other. */
  readonly whole: number;
  readonly first: number;
  readonly second: number;
}

/** Words of one name that are two words of the other, among the unpaired ones. */
function joinedWords(
  one: readonly string[],
  other: readonly string[],
  usedOne: ReadonlySet<number>,
  usedOther: ReadonlySet<number>,
): JoinedWords[] {
  const parts = Array.from(other.keys()).filter((at) => !usedOther.has(at));
  const taken = new Set<number>();
  const found: JoinedWords[] = [];
  for (const [whole, word] of one.entries()) {
    if (usedOne.has(whole) || !mayBeMistyped(word)) continue;
    for (const first of parts) {
      const rest = word.startsWith(other[first] ?? '') ? word.slice(other[first]?.length) : '';
      const second = parts.find((at) => at !== first && other[at] === rest);
      if (rest === '' || second === undefined || taken.has(first) || taken.has(second)) continue;
      taken.add(first).add(second);
      found.push({ whole, first, second });
      break;
    }
  }
  return found;
}

/** The similarity of words that mean the same or differ by a slip; 0 for others. */
function wordLikeness(asked: string, known: string): number {
  if (asked === known) return 1;
  if (writingsOf(asked).includes(known) || writingsOf(known).includes(asked)) return 1;
  if (!mayBeMistyped(asked) || !mayBeMistyped(known)) return isInitialOf(asked, known) ? 0.6 : 0;
  if (asked.length >= prefixLettersMin && known.startsWith(asked)) return 0.85;
  return mistypedLikeness(asked, known);
}

const writingsMax = 4096;
/** Remembered, because each word of a name is compared with each of many. */
const writingsOf = remembered(otherWritings, writingsMax);

/** The same for words one of which was transliterated: letters of one sound differ, and vowels may be missing. */
function heardLikeness(asked: string, known: string): number {
  const likeness = wordLikeness(asked, known);
  if (likeness >= heardShare || !mayBeMistyped(asked) || !mayBeMistyped(known)) return likeness;
  const sound = soundOf(asked);
  return sound.length >= soundLettersMin && sound === soundOf(known) ? heardShare : likeness;
}
const heardShare = 0.9;
const soundLettersMin = 3;

/** AMD is not short for AMDAR. */
const prefixLettersMin = 4;

function isInitialOf(asked: string, known: string): boolean {
  return asked.length === 1 && known.length > 2 && known.startsWith(asked) && mayBeMistyped(known);
}

function mistypedLikeness(asked: string, known: string): number {
  const length = Math.max(asked.length, known.length);
  const errorsMax = length < 4 ? 0 : length < 6 ? 1 : 2;
  if (errorsMax === 0) return 0;
  const errors = errorsBetween(asked, known, errorsMax);
  return errors > errorsMax ? 0 : 1 - (slipShare * errors) / length;
}

const keyUnitsMax = 80;
const [askedUnits, knownUnits] = [new Uint16Array(keyUnitsMax), new Uint16Array(keyUnitsMax)];

function errorsBetween(asked: string, known: string, max: number): number {
  const a = unitsOf(asked, askedUnits);
  return editDistance(a, asked.length, unitsOf(known, knownUnits), known.length, max);
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

const slipShare = 0.75;
const joinedLikeness = 0.97;
/** Below this similarity, two words are different words, not spellings of one. */
const sameWordLikeness = 0.97;
const lightWeight = 0.05;
const unknownWeight = 0.6;
const strayLettersMax = 2;

/** A short last word that no name has is rather a mistyped legal form than a word of the name: "e.UU." for e.U. */
function isStray(word: string, weightOf: WeightOf): boolean {
  return word.length <= strayLettersMax && /^\p{L}+$/u.test(word) && weightOf(word) === null;
}

function pairedEvidence(
  { pairs, askedOnly, knownOnly, isLast }: Pairing,
  weight: (term: string) => number,
  weightOf: WeightOf,
  isPlace: (word: string) => boolean,
  isCut: boolean,
): NameEvidence | null {
  if (pairs.length === 0) return null;
  const sumOf = (terms: readonly string[]) => terms.reduce((sum, term) => sum + weight(term), 0);
  // Give a mistyped word the weight of the intended word.
  const said = sumOf(pairs.map(({ known }) => known));
  const lost = pairs.reduce((sum, { known, likeness }) => sum + weight(known) * (1 - likeness), 0);
  const other = pairs.filter(
    ({ asked, likeness }) => likeness < sameWordLikeness && weightOf(asked) !== null,
  );
  const told = askedOnly.filter(
    (word, at) =>
      !notes.has(word) &&
      !isPlace(word) &&
      !(at === askedOnly.length - 1 && isLast && isStray(word, weightOf)),
  );
  const own = told.filter((word) => !additions.has(word));
  const extra = sumOf(own);
  const usualExtra = Math.max(
    0,
    ...own.filter((word) => !isLight(word)).map((word) => 1 - (weightOf(word) ?? 1)),
  );
  const added = sumOf(told.filter((word) => additions.has(word)));
  const places = sumOf([...askedOnly, ...knownOnly].filter(isPlace));
  const rest = sumOf(knownOnly.filter((word) => !isPlace(word)));
  const [missing, cut] = isCut ? [0, rest] : [rest, 0];
  const all = 2 * said + extra + added + places + rest;
  return {
    slips: (2 * lost) / all,
    otherWords: (2 * sumOf(other.map(({ known }) => known))) / all,
    extra: extra / all,
    usualExtra,
    added: added / all,
    places: places / all,
    missing: missing / all,
    cut: cut / all,
    isExact: false,
    swapped: !inOrder(pairs),
    isOtherNumber: askedOnly.some(isNumber) && knownOnly.some(isNumber),
    said,
  };
}

function isNumber(word: string): boolean {
  return /^\d+$/.test(word);
}

function inOrder(pairs: readonly WordPair[]): boolean {
  const byPlace = [...pairs].sort((a, b) => a.from - b.from);
  return byPlace.every(({ to }, at) => at === 0 || to > (byPlace[at - 1]?.to ?? -1));
}
