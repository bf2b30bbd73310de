/**
 * Pages of a question's hits in their one total order: first the companies that are not duplicates of others, then the
 * duplicates; each part by score.
 */
import { lowerBound } from '../../../bytes/binary-search.ts';
import { duplicatesFromOf } from '../format.ts';
import { searchLimits } from '../limits.ts';
import type { HitSet } from '../match/find-hits.ts';
import { gradeOfDocument, scoreOfRelevance } from '../score/score.ts';
import type { SearchHit } from '../search-reader.ts';
import { joined, sortedKeys, without } from '../sets/sorted.ts';
import { BestHits, havingTypedForm, hitOf, type ScoringParts } from './best-hits.ts';
import { bestByCard, byCoarseScore, coarseScores } from './coarse-scores.ts';

export interface HitOrdering extends ScoringParts {
  readonly hits: HitSet;
}

/** Relevance of the hits after the ordered ones, and of the worst card. */
const relevances = { beyond: 100, card: 110 } as const;

/** One part of the hits: a stretch of them in order of rank, and the pinned companies that belong to it. */
interface RankedPart {
  /** How many hits, without pinned companies that are not hits. */
  readonly count: number;
  /** The first hits by rank, at most `orderedDocumentsMax`; read only when a page reaches the part. */
  first(): Uint32Array;
  /** Ascending. */
  readonly pinned: Uint32Array;
  /** The pinned companies that are hits. */
  readonly pinnedHits: Uint32Array;
  /** Count of hits that the part shows in total. */
  readonly size: number;
  window(skip: number, max: number): Uint32Array;
}

/** The companies that are not duplicates, then the duplicates. */
function partsOf({ hits, pinned, parts }: HitOrdering): readonly RankedPart[] {
  const duplicatesFrom = duplicatesFromOf(parts.shape);
  const documents = sortedKeys(pinned);
  const split = lowerBound(documents, duplicatesFrom);
  const part = (from: number, to: number, ownPinned: Uint32Array): RankedPart => {
    const pinnedHits = hits.members(ownPinned);
    const window = (skip: number, max: number) => hits.window(from + skip, Math.min(max, to - from - skip));
    return {
      count: to - from,
      // The hits read so far belong to the other part and may end before this part begins.
      first: () =>
        from === 0 || hits.first.length === hits.total
          ? hits.first.subarray(from, to)
          : window(0, searchLimits.orderedDocumentsMax),
      pinned: ownPinned,
      pinnedHits,
      size: to - from + ownPinned.length - pinnedHits.length,
      window,
    };
  };
  const kept = part(0, hits.kept, documents.subarray(0, split));
  if (hits.kept === hits.total && split === documents.length) return [kept];
  return [kept, part(hits.kept, hits.total, documents.subarray(split))];
}

/** At most `limit` hits from a position on, and how many hits all pages together have. */
export function page(
  ordering: HitOrdering,
  from: number,
  limit: number,
): { total: number; hits: SearchHit[] } {
  const hits: SearchHit[] = [];
  let total = 0;
  for (const part of partsOf(ordering)) {
    const skip = Math.max(0, from - total);
    if (hits.length < limit && skip < part.size) {
      hits.push(...hitsOf(ordering, part, skip, limit - hits.length));
    }
    total += part.size;
  }
  return { total, hits };
}

/** The documents of all hits, in the order in which {@link page} shows them. */
export function allDocuments(ordering: HitOrdering): Uint32Array {
  return joined(partsOf(ordering).flatMap((part) => documentsOf(ordering, part)));
}

function documentsOf(ordering: HitOrdering, part: RankedPart): Uint32Array[] {
  const { pinned, pinnedHits } = part;
  const first = part.first();
  const others = without(first, pinned);
  const room = roomBeside(ordering, pinned);
  const scores = others.length > room ? cardScores(ordering, others) : null;
  const chosen = scores === null ? others : bestByCard(others, scores, room);
  const byName = new BestHits(ordering, pinned, chosen, pinned.length + chosen.length).documents();
  if (scores === null) return [byName];
  const byCard = byCoarseScore(scores)
    .subarray(room)
    .map((i) => others[i] ?? 0);
  const beyond = part.window(first.length, part.count - first.length);
  return [byName, byCard, without(beyond, pinnedHits)];
}

/** The hits of a part from a position on: the best by name, the others by card, and those beyond them by stored rank. */
function hitsOf(ordering: HitOrdering, part: RankedPart, from: number, limit: number): SearchHit[] {
  const { pinned } = part;
  const first = part.first();
  const others = without(first, pinned);
  const ordered = pinned.length + others.length;
  const end = from + limit;
  const hits = from < ordered ? orderedHits(ordering, pinned, others, from, end) : [];
  if (hits.length === limit || part.count <= first.length) return hits;
  const skip = Math.max(0, from - ordered);
  return [...hits, ...beyondOrdered(ordering, part, first, { skip, limit: limit - hits.length })];
}

/**
 * The best hits by card are scored name by name, like the pinned companies. The others keep the score of their card,
 * which is lower.
 */
function orderedHits(
  ordering: HitOrdering,
  pinned: Uint32Array,
  others: Uint32Array,
  from: number,
  end: number,
): SearchHit[] {
  const room = roomBeside(ordering, pinned);
  const scored = pinned.length + Math.min(room, others.length);
  const needsCards = others.length > room && (room > 0 || end > scored);
  const scores = needsCards ? cardScores(ordering, others) : null;
  const chosen = () => (scores === null ? others.subarray(0, room) : bestByCard(others, scores, room));
  // A page behind the hits that are scored name by name scores none of them.
  const best = () => new BestHits(ordering, pinned, chosen(), end);
  const byName = from < scored ? best().slice(from, end) : [];
  if (scores === null || end <= scored) return byName;
  const shown = byCoarseScore(scores).subarray(Math.max(room, from - pinned.length), end - pinned.length);
  const byCard = Array.from(shown, (i) =>
    unscoredHit(ordering, others[i] ?? 0, relevances.card + (scores[i] ?? 0)),
  );
  return [...byName, ...byCard];
}

/**
 * How many hits are scored by name beside those that have the question as a whole name. If the question has a legal form, a
 * name with one more word and this form comes before most of them, however many they are.
 */
function roomBeside({ plan }: HitOrdering, pinned: Uint32Array): number {
  const { scoredDocumentsMax, scoredWithFormMin } = searchLimits;
  return Math.max(plan.formsAsked === 0 ? 0 : scoredWithFormMin, scoredDocumentsMax - pinned.length);
}

function cardScores({ parts, plan }: HitOrdering, documents: Uint32Array): Uint8Array {
  parts.timeLimit.largeStep();
  return coarseScores(parts.cards, plan, documents, havingTypedForm(parts, plan, documents));
}

/** Hits after the ordered ones, by stored rank, without the pinned ones. */
function beyondOrdered(
  ordering: HitOrdering,
  part: RankedPart,
  first: Uint32Array,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): SearchHit[] {
  const { pinnedHits, window } = part;
  const last = first[first.length - 1] ?? 0;
  const movedUp = pinnedHits.subarray(lowerBound(pinnedHits, last + 1));
  const documents =
    movedUp.length === 0
      ? window(first.length + skip, limit)
      : without(window(first.length, skip + limit + movedUp.length), movedUp).subarray(skip, skip + limit);
  return Array.from(documents, (document) => unscoredHit(ordering, document, relevances.beyond));
}

/** A hit that was not ordered by its names, shown with the name that matches best. */
function unscoredHit({ scorer, parts }: HitOrdering, document: number, relevance: number): SearchHit {
  const score = scoreOfRelevance(relevance, gradeOfDocument(parts.shape, document));
  return hitOf(score, scorer.score(document, -1));
}
