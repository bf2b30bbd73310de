/**
 * Which companies answer a question: one reading of it is chosen, and the set is exact for that reading.
 *
 *     as typed    every word (small words aside) is in the company's names
 *     widened     or what it may have meant: other spellings, joined, split or unfinished words
 *     one less    any one word may be missing, if what is left weighs enough
 *     by weight   any words may be missing, as long as enough of the question's weight is found
 *
 * The next reading is tried where one finds too little; a reading includes the ones before.
 */
import { sizeOf, type Union } from './chunks.ts';
import type { DocumentSets } from './document-sets.ts';
import { searchLimits } from './limits.ts';
import type { DocumentScorer } from './score.ts';
import { type IndexParts, type Plan, type Slot, widen } from './slots.ts';
import { sortedUnique } from './sorted.ts';

export interface HitSet {
  readonly total: number;
  /** Best stored rank first: up to `orderedDocumentsMax` of them. */
  readonly first: Uint32Array;
  contains(document: number): boolean;
  /** Documents in order of rank, from a position on. */
  window(skip: number, max: number): Uint32Array;
}

/** Words that must be there: all but the light ones, or all where there is nothing else. */
function requiredSlots(plan: Plan): readonly Slot[] {
  const heavy = plan.slots.filter((slot) => !slot.light);
  return heavy.length > 0 ? heavy : plan.slots;
}

function intersection(sets: DocumentSets, unions: readonly Union[]): HitSet {
  const { documents, total } = sets.intersect(unions, 0, searchLimits.orderedDocumentsMax);
  return {
    total,
    first: documents,
    contains: (document) => sets.contains(unions, document),
    window: (skip, max) => sets.intersect(unions, skip, max).documents,
  };
}

function explicit(documents: Uint32Array): HitSet {
  const first = documents.subarray(0, searchLimits.orderedDocumentsMax);
  return {
    total: documents.length,
    first,
    contains: (document) => documents.includes(document),
    window: (skip, max) => documents.subarray(skip, skip + max),
  };
}

export interface HitSearch {
  readonly parts: IndexParts;
  readonly plan: Plan;
  /** Country and status. */
  readonly filters: readonly Union[];
  /** The question is known to be somebody's whole name or identifier. */
  readonly pinned: boolean;
  /** Made after the plan is widened. */
  scorer(): DocumentScorer;
}

/** Chooses the reading. */
export function findHits(search: HitSearch): HitSet {
  const { parts, plan, filters } = search;
  const required = requiredSlots(plan);
  const typed = intersection(parts.sets, [...required.map((slot) => slot.typed), ...filters]);
  if (typed.total >= searchLimits.enoughHits || (search.pinned && required.length > 1)) return typed;
  widen(parts, plan);
  const widened = intersection(parts.sets, [...required.map((slot) => slot.union), ...filters]);
  if (widened.total > 0 || search.pinned) return widened;
  const oneLess = withOneMissing(search, required);
  if (oneLess.total > 0) return oneLess;
  return byWeight(search, required);
}

function withOneMissing({ parts, plan, filters }: HitSearch, required: readonly Slot[]): HitSet {
  const whole = plan.slots.reduce((sum, slot) => sum + slot.weight, 0);
  const found: number[] = [];
  for (const missing of required) {
    if (whole - missing.weight < whole * searchLimits.relaxedWeightMin || required.length < 2) continue;
    const rest = required.filter((slot) => slot !== missing);
    const unions = [...rest.map((slot) => slot.union), ...filters];
    for (const document of parts.sets.intersect(unions, 0, searchLimits.orderedDocumentsMax).documents) {
      found.push(document);
    }
  }
  return explicit(sortedUnique(Uint32Array.from(found)));
}

/** Looks at the companies of the rarer words one by one; a word too common to drive the search only adds weight. */
function byWeight(search: HitSearch, required: readonly Slot[]): HitSet {
  const { parts, filters } = search;
  const scorer = search.scorer();
  const found: number[] = [];
  let looked = 0;
  for (const slot of [...required].sort((a, b) => sizeOf(a.union) - sizeOf(b.union))) {
    looked += sizeOf(slot.union);
    if (looked > searchLimits.driverDocumentsMax) break;
    for (const document of parts.sets.intersect([slot.union, ...filters], 0, looked).documents) {
      if (scorer.found(document) >= searchLimits.relaxedWeightMin) found.push(document);
    }
  }
  return explicit(sortedUnique(Uint32Array.from(found)));
}
