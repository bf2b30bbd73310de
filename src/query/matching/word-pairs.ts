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
export interface Pairing {
  readonly pairs: readonly WordPair[];
  /** Unpaired words of the question's name, and of the known one. */
  readonly askedOnly: readonly string[];
  readonly knownOnly: readonly string[];
  /** Whether the last unpaired word of the question's name is its last word. */
  readonly isLast: boolean;
  /** Whether a number of the question's name is unpaired. */
  readonly hasAskedNumber: boolean;
  /** Whether such a number can't be one of a list or an account. */
  readonly addsNumber: boolean;
  /** The question lacks a telling word of the known sub-fund, or names its umbrella alone. */
  readonly lacksPart: boolean;
  /** Whether the question has a telling word of a sub-fund's umbrella, which the sub-fund may have as well. */
  readonly namesUmbrella: boolean;
  /** Whether a number of the known name is unpaired and stands nowhere in the question. */
  readonly hasKnownNumber: boolean;
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
export function pairTerms(one: ComparedName, other: ComparedName): Pairing {
  const [{ core: asked }, { core: known }] = [one, other];
  const best = possiblePairs(one, other)
    .filter(({ likeness }) => likeness > 0)
    .sort(
      (a, b) =>
        b.likeness - a.likeness ||
        Number(b.to >= other.partAt) - Number(a.to >= other.partAt) ||
        Math.abs(a.from - a.to) - Math.abs(b.from - b.to),
    );
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
  pairs.push(...initialsInQuestion(one, other, usedAsked, usedKnown));
  return {
    pairs,
    askedOnly: asked.filter((_, at) => !usedAsked.has(at)),
    knownOnly: known.filter((_, at) => !usedKnown.has(at)),
    lacksPart: lacksPart(one, other, usedKnown),
    namesUmbrella: namesUmbrella(one, other, usedKnown),
    isLast: !usedAsked.has(asked.length - 1),
    hasAskedNumber: hasNumber(one.ordinals, usedAsked, other.askedNumbers),
    addsNumber: addsNumber(one, usedAsked),
    hasKnownNumber: hasNumber(other.ordinals, usedKnown, one.askedNumbers),
  };
}

/** Whether the question has a telling word of the umbrella. */
function namesUmbrella(
  { core: asked }: ComparedName,
  { core, partAt }: ComparedName,
  used: ReadonlySet<number>,
): boolean {
  const isTelling = (word: string) => !isLight(word) && !usualOfSubFunds.has(word);
  return core.slice(0, partAt).some((word, at) => isTelling(word) && (used.has(at) || asked.includes(word)));
}

/** Words of the question that are initials of an umbrella: "BGF World Mining Fund". They and the umbrella's words count as used. */
function initialsInQuestion(
  { core: asked }: ComparedName,
  { core, partAt }: ComparedName,
  usedAsked: Set<number>,
  usedKnown: Set<number>,
): WordPair[] {
  if (partAt === 0) return [];
  return asked.flatMap((letters, from) => {
    const start = core.findIndex((_, at) => !usedKnown.has(at));
    const places = usedAsked.has(from) ? [] : initialsOf(letters, core.slice(0, partAt), start);
    const rest = places.filter((to) => !usedKnown.has(to));
    if (places.length > 0) usedAsked.add(from);
    for (const to of rest) usedKnown.add(to);
    return rest.map((to) => ({
      asked: core[to] ?? '',
      known: core[to] ?? '',
      from,
      to,
      likeness: joinedLikeness,
    }));
  });
}

/** Whether a telling word of the sub-fund is unpaired, or the umbrella has all words of the question. */
function lacksPart(
  { core: asked }: ComparedName,
  { core, partAt }: ComparedName,
  used: ReadonlySet<number>,
): boolean {
  if (partAt === 0) return false;
  const umbrella = core.slice(0, partAt);
  const isUmbrella = asked.every((word) => umbrella.includes(word));
  return isUmbrella || core.some((word, at) => at >= partAt && !used.has(at) && !usualOfSubFunds.has(word));
}

/** Each word of the question's name with each of the other. */
function possiblePairs(one: ComparedName, other: ComparedName): WordPair[] {
  const [{ core: asked, text, likeLost }, { core: known }] = [one, other];
  const likenessOf = one.isTransliterated || other.isTransliterated ? heardLikeness : wordLikeness;
  const unfinishedAt = text.length >= narrowFieldMin ? asked.length - 1 : -1;
  return asked.flatMap((word, from) =>
    known.map((name, to) => {
      const isUnfinished =
        from === unfinishedAt && word.length >= unfinishedLettersMin && name.startsWith(word);
      const isSame = isUnfinished || likeLost[from]?.test(name) === true;
      const likeness = numberLikeness(one, from, other, to) ?? (isSame ? 1 : likenessOf(word, name));
      return { asked: word, known: name, from, to, likeness };
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

/** Whether a number is unpaired. @param elsewhere numbers that don't count */
function hasNumber(
  ordinals: ComparedName['ordinals'],
  used: ReadonlySet<number>,
  elsewhere: ReadonlySet<string>,
): boolean {
  return ordinals.some((ordinal, at) => ordinal !== null && !used.has(at) && !elsewhere.has(ordinal));
}

function addsNumber({ core, ordinals }: ComparedName, used: ReadonlySet<number>): boolean {
  return ordinals.some((ordinal, at) => ordinal !== null && !used.has(at) && isSurelyNumber(core, at));
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
