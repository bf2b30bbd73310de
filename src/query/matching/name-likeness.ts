/**
 * Measures how similar two names are. Their words are paired, each pair counts by the rarity of its words, and unpaired
 * words on both sides count as a contradiction.
 */
import { isForm, isLight, mayBeMistyped, nameKey, nameTerms } from '../../lei/names/name-terms.ts';
import { otherWritings } from '../../lei/names/other-writings.ts';
import { editDistance, unitsOf } from '../../store/search/text/edit-distance.ts';
import { matchLimits } from './limits.ts';

/** A name prepared for comparison. */
export interface ComparedName {
  readonly text: string;
  /** Core terms in order, without legal forms. */
  readonly core: readonly string[];
  /** Terms of the legal forms. */
  readonly forms: readonly string[];
  readonly key: string;
}

/** How much a term says about a company, 0 to 1; null if no name has it. */
export type WeightOf = (term: string) => number | null;

export function comparedName(text: string): ComparedName {
  const terms = nameTerms(text).slice(0, matchLimits.termsMax);
  return {
    text,
    core: terms.filter((term) => !isForm(term)),
    forms: terms.filter(isForm),
    key: nameKey(terms),
  };
}

/** How two names agree and differ. Shares are of the weight of all words of both names. */
export interface NameEvidence {
  /** Share lost through slips in words: mistyped letters, abbreviated words. */
  readonly slips: number;
  /** Share of the words with slips that, as typed, are also words of other names: Jonsson for Jansson. */
  readonly otherWords: number;
  /** Share of the words that only the question's name has. */
  readonly extra: number;
  /** The same for words that people add to names of companies: Group, Europe. */
  readonly added: number;
  /** Share of the words that only the known name has. */
  readonly missing: number;
  /** Whether the common words have a different order. */
  readonly swapped: boolean;
  /** The sum of the weights of the common words: how much their agreement says. */
  readonly said: number;
}

/** Null if the names have nothing in common. */
export function nameEvidence(
  asked: ComparedName,
  known: ComparedName,
  weightOf: WeightOf,
): NameEvidence | null {
  if (asked.key === '' || known.key === '') return null;
  const weight = (term: string) => (isLight(term) ? lightWeight : (weightOf(term) ?? unknownWeight));
  const slips = asked.key === known.key ? 0 : joinedSlips(asked, known);
  if (slips === null) return pairedEvidence(pairTerms(asked.core, known.core), weight, weightOf);
  const said = known.core.reduce((sum, term) => sum + weight(term), 0);
  return { slips, otherWords: 0, extra: 0, added: 0, missing: 0, swapped: false, said };
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
  const numbers = ({ core }: ComparedName) => core.filter((term) => !mayBeMistyped(term)).join(' ');
  return numbers(asked) === numbers(known);
}

interface Pairing {
  readonly pairs: readonly Pair[];
  /** Unpaired words of the question's name, and of the known one. */
  readonly askedOnly: readonly string[];
  readonly knownOnly: readonly string[];
}

interface Pair {
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
function pairTerms(asked: readonly string[], known: readonly string[]): Pairing {
  const all = asked.flatMap((word, from) =>
    known.map((other, to) => ({ asked: word, known: other, from, to, likeness: wordLikeness(word, other) })),
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
  if (otherWritings(asked).includes(known) || otherWritings(known).includes(asked)) return 0.97;
  if (!mayBeMistyped(asked) || !mayBeMistyped(known)) return isInitialOf(asked, known) ? 0.6 : 0;
  if (asked.length >= 3 && known.startsWith(asked)) return 0.85;
  return mistypedLikeness(asked, known);
}

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

function pairedEvidence(
  { pairs, askedOnly, knownOnly }: Pairing,
  weight: (term: string) => number,
  weightOf: WeightOf,
): NameEvidence | null {
  if (pairs.length === 0) return null;
  const sumOf = (terms: readonly string[]) => terms.reduce((sum, term) => sum + weight(term), 0);
  // Give a mistyped word the weight of the intended word.
  const said = sumOf(pairs.map(({ known }) => known));
  const lost = pairs.reduce((sum, { known, likeness }) => sum + weight(known) * (1 - likeness), 0);
  const other = pairs.filter(
    ({ asked, likeness }) => likeness < sameWordLikeness && weightOf(asked) !== null,
  );
  const told = askedOnly.filter((word) => !notes.has(word));
  const extra = sumOf(told.filter((word) => !additions.has(word)));
  const added = sumOf(told.filter((word) => additions.has(word)));
  const missing = sumOf(knownOnly);
  const all = 2 * said + extra + added + missing;
  return {
    slips: (2 * lost) / all,
    otherWords: (2 * sumOf(other.map(({ known }) => known))) / all,
    extra: extra / all,
    added: added / all,
    missing: missing / all,
    swapped: !inOrder(pairs),
    said,
  };
}

function inOrder(pairs: readonly Pair[]): boolean {
  const byPlace = [...pairs].sort((a, b) => a.from - b.from);
  return byPlace.every(({ to }, at) => at === 0 || to > (byPlace[at - 1]?.to ?? -1));
}
