/**
 * Which companies answer a question: one reading of it is chosen, and the set is exact for that reading.
 *
 *     as typed    every word (small words aside) is in the company's names
 *     widened     or what it may have meant: other spellings, joined, split or unfinished words
 *     one less    any one word may be missing, if what is left weighs enough
 *     by weight   any words may be missing, as long as enough of the question's weight is found
 *     heaviest    the heaviest word that somebody has, and of the others those that somebody has with it
 *
 * The next reading is tried where one finds too little; but for the last, a reading includes the ones before. Filters
 * play no part in the choice, so that what is found for each country adds up to what is found without.
 */
import { setOf, sizeOf, type Union } from './chunks.ts';
import type { Intersection } from './document-sets.ts';
import { searchLimits } from './limits.ts';
import type { DocumentScorer } from './score.ts';
import { type IndexParts, type Plan, type Slot, widen } from './slots.ts';
import { joinedUnique } from './sorted.ts';

export interface HitSet {
  readonly total: number;
  /** How many of them are no duplicates; in order of rank these come first. */
  readonly kept: number;
  /** Best stored rank first: up to `orderedDocumentsMax` of them. */
  readonly first: Uint32Array;
  /** Whether the question, unfiltered, has no hits but duplicates. */
  readonly duplicatesOnly: boolean;
  /** Those of the documents (ascending) that are hits. */
  members(documents: Uint32Array): Uint32Array;
  /** Hits in order of rank, from a position on. */
  window(skip: number, max: number): Uint32Array;
}

/** Words that must be there: all but the light ones, or all where there is nothing else. */
function requiredSlots(plan: Plan): readonly Slot[] {
  const heavy = plan.slots.filter((slot) => !slot.light);
  return heavy.length > 0 ? heavy : plan.slots;
}

export interface HitSearch {
  readonly parts: IndexParts;
  readonly plan: Plan;
  /** Country and status. */
  readonly filters: readonly Union[];
  /** Companies, of any country and status, that are known to have the question as whole name or identifier. */
  readonly pinned: ReadonlyMap<number, number>;
  /** Made after the plan is widened. */
  scorer(): DocumentScorer;
}

/** Chooses the reading. */
export function findHits(search: HitSearch): HitSet {
  const { parts, plan } = search;
  const pinned = search.pinned.size > 0;
  const required = requiredSlots(plan);
  const asTyped = required.map((slot) => slot.typed);
  const typed = hitsOf(search, asTyped, pinned && required.length > 1 ? 0 : searchLimits.enoughHits);
  if (typed !== null) return typed;
  widen(parts, plan);
  const asMeant = required.map((slot) => slot.union);
  return (
    hitsOf(search, asMeant, 1) ??
    hitsOf(search, withOneMissing(search, required), 1) ??
    hitsOf(search, byWeight(search, required), 1) ??
    whoeverIn(search, heaviestTogether(search, required))
  );
}

/** A reading in which nobody answers. */
const noDocuments: readonly Union[] = [[]];

/** What passes the filters of those in every union of the reading; null where without filters fewer than `enough` are. */
function hitsOf(search: HitSearch, reading: readonly Union[], enough: number): HitSet | null {
  const all = unfiltered(search, reading, enough);
  return all.total < enough ? null : filtered(search, reading, all);
}

/** The same where nobody is enough. */
function whoeverIn(search: HitSearch, reading: readonly Union[]): HitSet {
  return filtered(search, reading, unfiltered(search, reading, 0));
}

/** Those in every union of the reading; where there are filters, only how many, and not beyond `enough`. */
function unfiltered({ parts, filters }: HitSearch, reading: readonly Union[], enough: number): Intersection {
  if (filters.length === 0) return parts.sets.intersect(reading, 0, searchLimits.orderedDocumentsMax);
  // The first one tells whether all are duplicates.
  return parts.sets.intersect(reading, 0, 0, Math.max(1, enough));
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

function withOneMissing({ parts, plan }: HitSearch, required: readonly Slot[]): readonly Union[] {
  const whole = plan.slots.reduce((sum, slot) => sum + slot.weight, 0);
  const mayLack = required.map(({ weight }) => whole - weight >= whole * searchLimits.relaxedWeightMin);
  if (required.length < 2 || !mayLack.includes(true)) return noDocuments;
  const unions = required.map((slot) => slot.union);
  return [[setOf(parts.sets.almostAll(unions, mayLack))]];
}

/** Looks at the companies of the rarer words one by one; a word too common to drive the search only adds weight. */
function byWeight(search: HitSearch, required: readonly Slot[]): readonly Union[] {
  const { sets } = search.parts;
  const scorer = search.scorer();
  const found: Uint32Array[] = [];
  let looked = 0;
  for (const slot of [...required].sort((a, b) => sizeOf(a.telling) - sizeOf(b.telling))) {
    looked += sizeOf(slot.telling);
    if (looked > searchLimits.driverDocumentsMax) break;
    const { documents } = sets.intersect([slot.telling], 0, looked);
    found.push(documents.filter((document) => scorer.found(document) >= searchLimits.relaxedWeightMin));
  }
  return [[setOf(joinedUnique(found))]];
}

/** Takes the words from the heaviest on, and leaves those out that would leave nobody. */
function heaviestTogether({ parts }: HitSearch, required: readonly Slot[]): readonly Union[] {
  let reading: readonly Union[] = noDocuments;
  for (const { telling } of [...required].sort((a, b) => b.weight - a.weight)) {
    const more = reading === noDocuments ? [telling] : [...reading, telling];
    const { documents, total } = parts.sets.intersect(more, 0, searchLimits.driverDocumentsMax);
    // Few that are known are intersected faster than what they were found by.
    if (total > 0) reading = documents.length === total ? [[setOf(documents)]] : more;
  }
  return reading;
}
