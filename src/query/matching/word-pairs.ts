/** Pairs the words of two names: the same ones, and those that differ by a slip, a number or the way they are written. */
import { editDistance, unitsOf } from '../../lei/names/edit-distance.ts';
import { isLight, mayBeMistyped } from '../../lei/names/name-terms.ts';
import { isSurelyNumber } from '../../lei/names/ordinals.ts';
import { otherWritings } from '../../lei/names/other-writings.ts';
import { initialsOf, usualOfSubFunds } from '../../lei/names/sub-funds.ts';
import { soundOf } from '../../lei/names/transliterate.ts';
import { remembered } from '../../remembered.ts';
import type { ComparedName } from './compared-name.ts';

/** The words that two names have in common, and those that only one of them has. */
export interface Pairing extends PartsAndNumbers {
  readonly pairs: readonly WordPair[];
  /** Unpaired words of the question's name, and of the known one. */
  readonly askedOnly: readonly string[];
  readonly knownOnly: readonly string[];
  /** Whether the last unpaired word of the question's name is its last word. */
  readonly isLast: boolean;
  /** Whether the question has a telling word of a sub-fund's umbrella, which the sub-fund may have as well. */
  readonly namesUmbrella: boolean;
}

/** What tells a company from its sisters: its numbers, and the part of an umbrella that it is. */
export interface PartsAndNumbers {
  /**
   * Numbers that the other name lacks: `other` where both have one, which is another fund or trust of a group; `lacking` where
   * only the known name has one, which stands nowhere in the question: one of several funds; `added` where only the question has
   * one, which can't be that of a list or an account.
   */
  readonly numbers: 'agreeing' | 'other' | 'lacking' | 'added';
  /** The question lacks a telling word of the known sub-fund, or names its umbrella alone. */
  readonly lacksPart: boolean;
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

/** One of the two names, and the indexes of its words that are paired so far. */
interface PairedName {
  readonly name: ComparedName;
  readonly paired: Set<number>;
}

/**
 * The best pairs first. Each word is in one pair at most; a word of the question that is two words of the known name is in one
 * pair with each.
 */
export function pairTerms(askedName: ComparedName, knownName: ComparedName): Pairing {
  const asked: PairedName = { name: askedName, paired: new Set() };
  const known: PairedName = { name: knownName, paired: new Set() };
  const pairs: WordPair[] = [];
  const pair = (from: number, to: number, likeness: number) => {
    asked.paired.add(from);
    known.paired.add(to);
    pairs.push({ asked: askedName.core[from] ?? '', known: knownName.core[to] ?? '', from, to, likeness });
  };
  for (const { from, to, likeness } of likelyPairs(askedName, knownName)) {
    if (!asked.paired.has(from) && !known.paired.has(to)) pair(from, to, likeness);
  }
  for (const { whole, first, second } of joinedWords(asked, known)) {
    pair(whole, first, joinedLikeness);
    pair(whole, second, joinedLikeness);
  }
  for (const { whole, first, second } of joinedWords(known, asked)) {
    pair(first, whole, joinedLikeness);
    // The known word counts once.
    asked.paired.add(second);
  }
  for (const { from, places } of initialsOfUmbrella(asked, known)) {
    for (const to of places) pair(from, to, joinedLikeness);
  }
  return {
    pairs,
    askedOnly: unpaired(asked),
    knownOnly: unpaired(known),
    isLast: !asked.paired.has(askedName.core.length - 1),
    numbers: comparedNumbers(asked, known),
    lacksPart: lacksPart(asked, known),
    namesUmbrella: namesUmbrella(asked, known),
  };
}

function unpaired({ name, paired }: PairedName): readonly string[] {
  return name.core.filter((_, at) => !paired.has(at));
}

/** Whether the question has a telling word of the umbrella. */
function namesUmbrella({ name: asked }: PairedName, { name: { core, partAt }, paired }: PairedName): boolean {
  const isTelling = (word: string) => !isLight(word) && !usualOfSubFunds.has(word);
  return core
    .slice(0, partAt)
    .some((word, at) => isTelling(word) && (paired.has(at) || asked.core.includes(word)));
}

interface UmbrellaInitials {
  /** Index of the letters in the question's name, and of the unpaired words of the umbrella that they stand for. */
  readonly from: number;
  readonly places: readonly number[];
}

/** Words of the question that are initials of an umbrella: "BGF World Mining Fund". They count as paired. */
function* initialsOfUmbrella(
  asked: PairedName,
  { name: { core, partAt }, paired }: PairedName,
): Generator<UmbrellaInitials> {
  if (partAt === 0) return;
  for (const [from, letters] of asked.name.core.entries()) {
    if (asked.paired.has(from)) continue;
    const start = core.findIndex((_, at) => !paired.has(at));
    const places = initialsOf(letters, core.slice(0, partAt), start);
    if (places.length > 0) asked.paired.add(from);
    yield { from, places: places.filter((to) => !paired.has(to)) };
  }
}

/** Whether a telling word of the sub-fund is unpaired, or the umbrella has all words of the question. */
function lacksPart({ name: asked }: PairedName, { name: { core, partAt }, paired }: PairedName): boolean {
  if (partAt === 0) return false;
  const umbrella = core.slice(0, partAt);
  const isUmbrella = asked.core.every((word) => umbrella.includes(word));
  return isUmbrella || core.some((word, at) => at >= partAt && !paired.has(at) && !usualOfSubFunds.has(word));
}

/** The pairs of words that may mean the same, the likeliest first; of equal ones first those of a sub-fund's own part. */
function likelyPairs(asked: ComparedName, known: ComparedName): readonly Omit<WordPair, 'asked' | 'known'>[] {
  return possiblePairs(asked, known)
    .filter(({ likeness }) => likeness > 0)
    .sort(
      (a, b) =>
        b.likeness - a.likeness ||
        Number(b.to >= known.partAt) - Number(a.to >= known.partAt) ||
        Math.abs(a.from - a.to) - Math.abs(b.from - b.to),
    );
}

/** Each word of the question's name with each of the other. */
function possiblePairs(one: ComparedName, other: ComparedName): Omit<WordPair, 'asked' | 'known'>[] {
  const [{ core: asked, text, likeLost }, { core: known }] = [one, other];
  const likenessOf = likenessBetween(one, other);
  const unfinishedAt = text.length >= narrowFieldMin ? asked.length - 1 : -1;
  return asked.flatMap((word, from) =>
    known.map((name, to) => {
      const isUnfinished =
        from === unfinishedAt && word.length >= unfinishedLettersMin && name.startsWith(word);
      const isSame = isUnfinished || likeLost[from]?.test(name) === true;
      const likeness = numberLikeness(one, from, other, to) ?? (isSame ? 1 : likenessOf(word, name));
      return { from, to, likeness };
    }),
  );
}

/**
 * Fund II is Fund 2, and not Fund III, although these words differ by a letter. The 2 of "2. Fund" is rather that of a line in a
 * list. Null unless both words are numbers.
 */
function numberLikeness(asked: ComparedName, from: number, known: ComparedName, to: number): number | null {
  const [number, other] = [asked.ordinals[from] ?? null, known.ordinals[to] ?? null];
  if (number === null || other === null) return null;
  const isOfLine = number.length < 3 && from === 0 && to > 0;
  return Number(number === other && !isOfLine);
}

function comparedNumbers(asked: PairedName, known: PairedName): Pairing['numbers'] {
  if (hasNumber(known, asked.name.askedNumbers)) return hasNumber(asked) ? 'other' : 'lacking';
  const { core, ordinals } = asked.name;
  const isSure = ordinals.some(
    (ordinal, at) => ordinal !== null && !asked.paired.has(at) && isSurelyNumber(core, at),
  );
  return isSure ? 'added' : 'agreeing';
}

/** Whether a number is unpaired. @param elsewhere numbers that don't count */
function hasNumber({ name, paired }: PairedName, elsewhere?: ReadonlySet<string>): boolean {
  return name.ordinals.some(
    (ordinal, at) => ordinal !== null && !paired.has(at) && elsewhere?.has(ordinal) !== true,
  );
}

interface JoinedWords {
  /** Index of the word in one name, and of its two parts in the other. */
  readonly whole: number;
  readonly first: number;
  readonly second: number;
}

/** Words of one name that are two words of the other, among the unpaired ones. */
function joinedWords(one: PairedName, { name: { core: other }, paired }: PairedName): JoinedWords[] {
  const parts = Array.from(other.keys()).filter((at) => !paired.has(at));
  const taken = new Set<number>();
  const found: JoinedWords[] = [];
  for (const [whole, word] of one.name.core.entries()) {
    if (one.paired.has(whole) || !mayBeMistyped(word)) continue;
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

function likenessBetween({ transliteration: one }: ComparedName, { transliteration: other }: ComparedName) {
  if (one?.isBySound === true || other?.isBySound === true) return sameSoundLikeness;
  return one === null && other === null ? wordLikeness : heardLikeness;
}

/** The same for words one of which may be Chinese characters by their sound: few letters tell many sounds apart. */
function sameSoundLikeness(asked: string, known: string): number {
  const likeness = heardLikeness(asked, known);
  return likeness < heardShare ? 0 : likeness;
}

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

/** UTF-16 units of the longest texts that are compared. */
export const keyUnitsMax = 80;
const [askedUnits, knownUnits] = [new Uint16Array(keyUnitsMax), new Uint16Array(keyUnitsMax)];

/** Typing errors between two texts; more than `max` for more. */
export function errorsBetween(asked: string, known: string, max: number): number {
  const a = unitsOf(asked, askedUnits);
  return editDistance(a, asked.length, unitsOf(known, knownUnits), known.length, max);
}

/** The share of a word's letters that an error takes from its similarity. */
export const slipShare = 0.75;
const joinedLikeness = 0.97;

/** The narrowest fields that cut names have 30 characters (FFIEC), or 35 (ISO 20022, SWIFT). */
export const narrowFieldMin = 25;
const unfinishedLettersMin = 2;
