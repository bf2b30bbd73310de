/**
 * Finds the companies that answer a question: chooses one reading of it, whose set of companies is exact.
 *
 *     as typed    every word, light ones aside, is in the company's names
 *     as meant    or one of its other meanings: other spellings, joined, split or unfinished words
 *     twice wrong or a spelling with two errors, of words that no name has
 *     widest      or abbreviated words, or other words of the same letters, mistyped besides
 *     one less    any one word may be missing, if the others weigh enough
 *     by weight   any words may be missing, as long as the names have enough of the question's weight
 *     heaviest    the heaviest word that some company has, and of the others those that some company has with it
 *
 * The next reading is tried if one finds too few companies, or none with a name that has most of the question. The one with
 * two errors is also tried if no company has the whole question for its name. Each reading except the last includes the
 * ones before it.
 *
 * Two kinds of companies are added to what a reading finds: if there are few, those with a legal form that is only guessed;
 * if no company has all of the question for its name as typed, those whose whole name is a part of the question, or the
 * question with an error or two in one word.
 *
 * Filters do not influence the choice, so that the hits of all countries add up to the hits without a filter.
 */
import { searchLimits } from '../limits.ts';
import type { IndexParts } from '../parts.ts';
import { addFarForms, addMeantForms, readingByForms } from '../plan/forms.ts';
import { addInitials } from '../plan/initials.ts';
import { type QueryPlan, type QueryWord, weightOfAll } from '../plan/query-plan.ts';
import { beginWord, beginWordByForm } from '../plan/unfinished.ts';
import { maybeTwiceMistyped, widen, widenFurther, widenMost } from '../plan/widen.ts';
import { DocumentScorer } from '../score/score.ts';
import { type Intersection, setOf, sizeOf, type Union } from '../sets/document-list.ts';
import { joinedUnique } from '../sets/sorted.ts';
import { endsWithin } from '../text/meant-forms.ts';
import { nearNames } from './near-names.ts';
import { isNamed, namedByPart, type PinnedDocuments } from './pinned.ts';

export interface HitSet {
  readonly total: number;
  /** Count of hits that are not duplicates of other records. In order of rank they come first. */
  readonly kept: number;
  /** The first hits in order of rank, at most `orderedDocumentsMax`. */
  readonly first: Uint32Array;
  /** Whether the question, without filters, has no hits but duplicates. */
  readonly duplicatesOnly: boolean;
  /** Those of the documents (ascending) that are hits. */
  members(documents: Uint32Array): Uint32Array;
  /** Hits in order of rank, from a position on. */
  window(skip: number, max: number): Uint32Array;
}

/** The words that names must have: all except the light ones, or all if every word is light. */
function requiredWords(plan: QueryPlan): readonly QueryWord[] {
  const heavy = plan.words.filter((word) => !word.light);
  return heavy.length > 0 ? heavy : plan.words;
}

interface HitSearch {
  readonly parts: IndexParts;
  readonly plan: QueryPlan;
  /** Country and status. */
  readonly filters: readonly Union[];
  /** Companies of any country and status with the question as their whole name or identifier. */
  readonly pinned: PinnedDocuments;
}

export function findHits(search: HitSearch): HitSet {
  const required = requiredWords(search.plan);
  const asTyped = required.map((word) => word.typed);
  const typed = unfiltered(search, asTyped, searchLimits.enoughHits);
  if (required.length > 1 && isWholeName(search, typed.total)) return filtered(search, asTyped, typed);
  beginWordByForm(search.parts, search.plan);
  if (typed.total >= searchLimits.enoughHits) {
    const near = withNear(search, { reading: asTyped, all: typed });
    if (near.all !== typed) return filtered(search, near.reading, near.all);
    completeLight(search, asTyped);
    return search.plan.apart.size > 0
      ? withOtherInitials(search, required)
      : filtered(search, asTyped, typed);
  }
  const { reading, all } = withGuessedForms(search, readAsMeant(search));
  return filtered(search, reading, all);
}

/**
 * "san die" for San Diego: a light word at the end of a question may begin another one, if no name has it with the others. Names
 * need not have it, so that no company is added.
 */
function completeLight({ parts, plan }: HitSearch, required: readonly Union[]): void {
  const last = plan.words.length - 1;
  const word = plan.words[last];
  if (word?.light !== true || word.text.length === 1 || last === 0 || plan.formsAsked > 0) return;
  const most = searchLimits.fittingDocumentsMax;
  const { documents, total } = parts.sets.intersect([...required, word.typed], 0, most, most + 1);
  const scorer = new DocumentScorer(parts, plan);
  const isWhole = total > most || documents.some((document) => scorer.hasEvery(document));
  if (isWhole) return;
  beginWord(parts, plan, last, word, { isInOrder: true });
  addMeantForms(parts, plan, []);
}

/** Letters that were typed one by one may be other initials, however many names have them. */
function withOtherInitials(search: HitSearch, required: readonly QueryWord[]): HitSet {
  addInitials(search.parts, search.plan);
  const reading = required.map((word) => word.union);
  return filtered(search, reading, unfiltered(search, reading, searchLimits.enoughHits));
}

/**
 * Guessed legal forms, which the search does not insist on: they order the hits, and if there are few, those with a guessed
 * form of the last word are added.
 */
function withGuessedForms(search: HitSearch, found: Read): Read {
  const { parts, plan } = search;
  addFarForms(parts, plan);
  const guessed = found.all.total < searchLimits.fewHits ? readingByForms(parts, plan) : null;
  if (guessed === null) return found;
  const { documents } = parts.sets.intersect(guessed, 0, searchLimits.fittingDocumentsMax);
  return read(search, [[setOf(joinedUnique([found.all.documents, documents]))]]);
}

/**
 * Adds the companies whose whole name is a part of the question: "larkmoor group" is Larkmoor Ltd rather than Larkmoor Timber
 * Group Ltd.
 */
function withNames(search: HitSearch, found: Read, names: Uint32Array): Read {
  if (names.length === 0) return found;
  const list = setOf(names);
  return read(
    search,
    found.reading.map((union) => [...union, list]),
  );
}

/**
 * Tells if the question is an identifier or a whole name. It tells false for three kinds of whole names unless the legal
 * forms agree too: a name with other spaces may be another company's, one that ends with words of a longer form ("bioextra
 * zártkörűen működő") may be unfinished, and letters that were typed one by one may be other initials.
 * @param found how many companies have all words as typed. If there is one, its spaces are those of the question.
 */
function isWholeName({ pinned, plan, parts }: HitSearch, found: number): boolean {
  if (pinned.size === 0) return false;
  const texts = plan.words.map(({ text }) => text);
  const rare = Math.max(searchLimits.fewHits, parts.shape.documents * searchLimits.rareFormShare);
  const isRare = (text: string) => (parts.terms.find(text)?.frequency ?? 0) <= rare;
  const mayBeMore = plan.apart.size > 0 || endsWithin(texts, isRare);
  if (!mayBeMore && (found > 0 || plan.formsAsked === 0)) return true;
  return isNamed(parts, plan, pinned);
}

/** A reading, and the companies that answer it, without filters. */
interface Read {
  readonly reading: readonly Union[];
  readonly all: Intersection;
}

/**
 * The reading as meant, if a company has all of the question for its name; else the first of the others that fits, or the last
 * that any company answers.
 */
function readAsMeant(search: HitSearch): Read {
  const { parts, plan } = search;
  widen(parts, plan);
  const required = requiredWords(plan);
  const meant = () =>
    read(
      search,
      required.map((word) => word.union),
    );
  let found = meant();
  if (hasAsMeant(search, narrowedToTyped(search, required, found.all))) return withNear(search, found);
  if (!isSettled(search, found.all) && widenFurther(parts, plan, required)) {
    found = meant();
    if (hasAsMeant(search, found.all)) return found;
  }
  return fits(search, found.all, searchLimits.meantShareMin)
    ? withNames(search, found, wholeNames(search))
    : readWidest(search, required, found, meant);
}

/** Adds the companies that have all of the question for their name, if a word of it has other errors. */
function withNear(search: HitSearch, found: Read): Read {
  if (isNamed(search.parts, search.plan, search.pinned)) return found;
  const asked = { isName: search.pinned.size > 0, isFound: true, shorter: none };
  return withNames(search, found, nearNames(search.parts, search.plan, asked));
}

/**
 * The reading with guessed words, or with some missing. Beside the companies of the latter, it has those that are found without
 * guesses, if they are few: "cesar lux. ord. shs." is Cesar Ltd as well as Luxor Ltd.
 */
function readWidest(search: HitSearch, required: readonly QueryWord[], found: Read, meant: () => Read): Read {
  const { parts, plan } = search;
  const before = required.map((word) => ({ ...word }));
  const guessed = widenMost(parts, plan, required) ? meant() : found;
  const best = readWithLess(search, required, guessed);
  const isSure = best === guessed || guessed === found;
  const few = isSure ? none : fewOf(readWithLess(search, before, found));
  return withNames(search, best, joinedUnique([wholeNames(search), few]));
}

/** The companies whose whole name is a part of the question, or all of it with an error or two in a word. Ascending. */
function wholeNames({ parts, plan, pinned }: HitSearch): Uint32Array {
  const shorter = namedByPart(parts, plan);
  const near = nearNames(parts, plan, { isName: pinned.size > 0, isFound: false, shorter });
  return joinedUnique([shorter, near]);
}

function fewOf({ all }: Read): Uint32Array {
  return all.total <= searchLimits.fittingDocumentsMax ? all.documents : none;
}

/** If the companies of a reading do not fit, that of the first with words missing that do. */
function readWithLess(search: HitSearch, required: readonly QueryWord[], meant: Read): Read {
  let found = meant;
  if (fits(search, found.all, searchLimits.meantShareMin)) return found;
  for (const withLess of [withOneMissing, byWeight]) {
    const less = read(search, withLess(search, required, found.all.documents));
    if (less.all.total > 0) found = less;
    if (fits(search, found.all, searchLimits.lessShareMin)) return found;
  }
  return found.all.total > 0 ? found : read(search, heaviestTogether(search, required));
}

function read(search: HitSearch, reading: readonly Union[]): Read {
  return { reading, all: unfiltered(search, reading, searchLimits.scoredDocumentsMax + 1) };
}

/** Whether the companies fit the question: one has that share of it or all words in one name, or there are many. */
function fits({ parts, plan }: HitSearch, { documents, total }: Intersection, share: number): boolean {
  if (total > searchLimits.fittingDocumentsMax) return true;
  const scorer = new DocumentScorer(parts, plan);
  return documents.some((document) => scorer.fits(document, share));
}

/**
 * True if the companies fit and are many, or no word may have two errors: "abrfoat inc" is Abroath Inc. rather than Arfoat
 * Trading Ltd.
 */
function isSettled(search: HitSearch, found: Intersection): boolean {
  const isMany = found.total > searchLimits.scoredDocumentsMax;
  const isSure = isMany || maybeTwiceMistyped(search.plan).length === 0;
  return isSure && fits(search, found, searchLimits.meantShareMin);
}

/**
 * Those of the found companies that have all words which names have as they were typed. All of them if no other word may have two
 * errors: two errors in a word that no name has are likelier than an error in each of two words.
 */
function narrowedToTyped(
  { parts, plan }: HitSearch,
  required: readonly QueryWord[],
  found: Intersection,
): Intersection {
  const known = required.map(({ typed }) => typed).filter((typed) => typed.length > 0);
  const isMany = found.total > searchLimits.scoredDocumentsMax;
  if (isMany || known.length === 0 || maybeTwiceMistyped(plan).length === 0) return found;
  return { ...found, documents: parts.sets.members(known, found.documents) };
}

/** True if one of the companies, unless they are many, has the question as meant for its whole name. */
function hasAsMeant({ parts, plan }: HitSearch, { documents, total }: Intersection): boolean {
  if (total > searchLimits.scoredDocumentsMax) return false;
  const scorer = new DocumentScorer(parts, plan);
  return documents.some((document) => scorer.hasAsMeant(document));
}

const none = new Uint32Array(0);

/** A reading that no company answers. */
const noDocuments: readonly Union[] = [[]];

/**
 * The companies in every union of the reading. If there are filters, only the first of them, and their count, which stops at
 * `enough`.
 */
function unfiltered({ parts, filters }: HitSearch, reading: readonly Union[], enough: number): Intersection {
  if (filters.length === 0) return parts.sets.intersect(reading, 0, searchLimits.orderedDocumentsMax);
  // If the first company in order of rank is a duplicate, all are.
  return parts.sets.intersect(reading, 0, searchLimits.scoredDocumentsMax, Math.max(1, enough));
}

function filtered({ parts, filters }: HitSearch, reading: readonly Union[], all: Intersection): HitSet {
  const { sets } = parts;
  const unions = [...reading, ...filters];
  const { documents, total, kept } =
    filters.length === 0 ? all : sets.intersect(unions, 0, searchLimits.orderedDocumentsMax);
  return {
    total,
    kept,
    first: documents,
    duplicatesOnly: all.kept === 0,
    members: (candidates) => sets.members(unions, candidates),
    window: (skip, max) => sets.intersect(unions, skip, max).documents,
  };
}

function withOneMissing({ parts, plan }: HitSearch, required: readonly QueryWord[]): readonly Union[] {
  const whole = weightOfAll(plan);
  const mayLack = required.map(({ weight }) => whole - weight >= whole * searchLimits.relaxedWeightMin);
  if (required.length < 2 || !mayLack.includes(true)) return noDocuments;
  const unions = required.map((word) => word.union);
  return [[setOf(parts.sets.almostAll(unions, mayLack))]];
}

/**
 * Reads the names of the rarer words' companies one by one; words too common for that only add weight.
 * @param before the few companies that an earlier reading found
 */
function byWeight(
  { parts, plan }: HitSearch,
  required: readonly QueryWord[],
  before: Uint32Array,
): readonly Union[] {
  const scorer = new DocumentScorer(parts, plan);
  const most = before.length === 0 ? searchLimits.driverDocumentsMax : searchLimits.scoredDocumentsMax;
  const perWord: Uint32Array[] = [before];
  let looked = 0;
  for (const word of [...required].sort((a, b) => sizeOf(a.telling) - sizeOf(b.telling))) {
    looked += sizeOf(word.telling);
    if (looked > most) break;
    const { documents } = parts.sets.intersect([word.telling], 0, looked);
    perWord.push(
      documents.filter((document) => scorer.matchedShare(document) >= searchLimits.relaxedWeightMin),
    );
  }
  return [[setOf(joinedUnique(perWord))]];
}

/** Takes the words from the heaviest on, except those that would leave no company. */
function heaviestTogether({ parts }: HitSearch, required: readonly QueryWord[]): readonly Union[] {
  let reading: readonly Union[] = noDocuments;
  for (const { telling } of [...required].sort((a, b) => b.weight - a.weight)) {
    const more = reading === noDocuments ? [telling] : [...reading, telling];
    const { documents, total } = parts.sets.intersect(more, 0, searchLimits.driverDocumentsMax);
    // A small set in memory is intersected faster than the unions it comes from.
    if (total > 0) reading = documents.length === total ? [[setOf(documents)]] : more;
  }
  return reading;
}
