/**
 * Pages of a question's hits in their one total order: first the companies that are not duplicates of others, then the
 * duplicates; each part by score.
 */
import { lowerBound } from '../../../bytes/binary-search.ts';
import { duplicatesFromOf } from '../format.ts';
import type { Cards } from '../index/cards.ts';
import { searchLimits } from '../limits.ts';
import type { HitSet } from '../match/find-hits.ts';
import { gradeOfDocument, scoreOfRelevance } from '../score/score.ts';
import type { SearchHit } from '../search-reader.ts';
import { joinedUnique, sortedKeys, without } from '../sets/sorted.ts';
import { BestHits, hitOf, type Scoring } from './best-hits.ts';
import { bestByCard, byCoarseScore, coarseScores } from './coarse-scores.ts';

export interface Ordering extends Scoring {
  readonly cards: Cards;
  readonly hits: HitSet;
}

/** Relevance of the hits after the ordered ones, and of the worst card. */
const relevances = { beyond: 100, card: 110 } as const;

/** One part of the hits: a stretch of them in order of rank, and the pinned companies that belong to it. */
interface Part {
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
function partsOf({ hits, pinned, shape }: Ordering): readonly Part[] {
  const duplicatesFrom = duplicatesFromOf(shape);
  const documents = sortedKeys(pinned);
  const split = lowerBound(documents, duplicatesFrom);
  const part = (from: number, to: number, ownPinned: Uint32Array): Part => {
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

/** A page of hits, and how many hits a full traversal shows. */
interface HitPage {
  readonly total: number;
  readonly hits: readonly SearchHit[];
}

/** At most `limit` hits from a position on. */
export function page(ordering: Ordering, from: number, limit: number): HitPage {
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

function hitsOf(ordering: Ordering, part: Part, from: number, limit: number): SearchHit[] {
  const first = part.first();
  const end = from + limit;
  const ordered = orderedHits(ordering, first, part.pinned, end);
  const hits: SearchHit[] = [];
  for (let i = from; i < Math.min(end, ordered.length); i++) hits.push(ordered.at(i));
  if (hits.length === limit || part.count <= first.length) return hits;
  const skip = Math.max(0, from - ordered.length);
  return [...hits, ...beyondOrdered(ordering, part, first, { skip, limit: limit - hits.length })];
}

/** Hits after the ordered ones, by stored rank, without the pinned ones. */
function beyondOrdered(
  ordering: Ordering,
  part: Part,
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
function unscoredHit({ scorer, shape }: Ordering, document: number, relevance: number): SearchHit {
  const { entity, nameIndex } = scorer.score(document, -1);
  return hitOf(scoreOfRelevance(relevance, gradeOfDocument(shape, document)), entity, nameIndex);
}

/** The ordered hits of a part; hits are made only for the page. */
interface OrderedHits {
  readonly length: number;
  at(position: number): SearchHit;
}

/** @param end position after the last hit that the page shows */
function orderedHits(ordering: Ordering, first: Uint32Array, pinned: Uint32Array, end: number): OrderedHits {
  const others = without(first, pinned);
  const room = Math.max(0, searchLimits.scoredDocumentsMax - pinned.length);
  const { size, chosen, rest } = choose(ordering, others, room);
  const scored = pinned.length + size;
  // A page behind the hits that are scored name by name scores none of them.
  const best = once(() => {
    const documents = pinned.length === 0 ? chosen() : joinedUnique([pinned, chosen()]);
    return new BestHits(ordering, documents, end);
  });
  return {
    length: scored + rest.length,
    at: (position) => (position < scored ? best().at(position) : rest.at(position - scored)),
  };
}

interface Choice {
  /** How many are chosen. */
  readonly size: number;
  /** Ascending, so that neighbours come from one read. */
  chosen(): Uint32Array;
  readonly rest: OrderedHits;
}

const nothing: OrderedHits = { length: 0, at: () => ({ entity: 0, score: 0, nameIndex: 0 }) };

/** Scores the best hits by card name by name. The others keep the score of their card, which is lower. */
function choose(ordering: Ordering, documents: Uint32Array, room: number): Choice {
  if (documents.length <= room) return { size: documents.length, chosen: () => documents, rest: nothing };
  const { cards, plan } = ordering;
  // Skip this if no hit of the page depends on it.
  const scores = once(() => {
    ordering.timeLimit.largeStep();
    return coarseScores(cards, plan, documents);
  });
  // Most pages end before the rest begins.
  const order = once(() => byCoarseScore(scores()));
  const rest: OrderedHits = {
    length: documents.length - room,
    at: (position) => {
      const i = order()[room + position] ?? 0;
      return unscoredHit(ordering, documents[i] ?? 0, relevances.card + (scores()[i] ?? 0));
    },
  };
  const chosen = () => (room === 0 ? documents.subarray(0, 0) : bestByCard(documents, scores(), room));
  return { size: room, chosen, rest };
}

/** Computes a value at the first call and caches it. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
