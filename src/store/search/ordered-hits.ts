/**
 * The one total order of a question's hits, and pages of it: first the companies that are no duplicates of others, then
 * those that are; each part by score.
 */
import { lowerBound } from '../../bytes/binary-search.ts';
import { BestHits, hitOf, type Scoring } from './best-hits.ts';
import { bestByCard, byCoarseScore, type Cards, coarseScores } from './cards.ts';
import { duplicatesFromOf } from './format.ts';
import type { HitSet } from './hit-set.ts';
import { searchLimits } from './limits.ts';
import { gradeOfDocument, scoreOfRelevance } from './score.ts';
import type { SearchHit } from './search-reader.ts';
import { joinedUnique, sortedKeys, without } from './sorted.ts';

export interface Ordering extends Scoring {
  readonly cards: Cards;
  readonly hits: HitSet;
}

/** Relevance of hits past the ordered ones, and of the worst card. */
const relevances = { beyond: 100, card: 110 } as const;

/** One part of the hits: a run of them in order of rank, and the pinned companies that belong there. */
interface Part {
  /** How many hits, pinned ones that are no hits aside. */
  readonly count: number;
  /** The first of them by rank, up to `orderedDocumentsMax`; read only when a page reaches the part. */
  first(): Uint32Array;
  /** Ascending. */
  readonly pinned: Uint32Array;
  /** Those of the pinned that are hits. */
  readonly pinnedHits: Uint32Array;
  /** How many rows the part gives. */
  readonly size: number;
  window(skip: number, max: number): Uint32Array;
}

/** The kept ones, then the duplicates. */
function partsOf({ hits, pinned, shape }: Ordering): readonly Part[] {
  const duplicatesFrom = duplicatesFromOf(shape);
  const documents = sortedKeys(pinned);
  const split = lowerBound(documents, duplicatesFrom);
  const part = (from: number, to: number, ownPinned: Uint32Array): Part => {
    const pinnedHits = hits.members(ownPinned);
    const window = (skip: number, max: number) => hits.window(from + skip, Math.min(max, to - from - skip));
    return {
      count: to - from,
      // Further duplicates lie past what was read for the kept ones.
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

/** A page of hits, and how many rows a full traversal gives. */
export interface HitPage {
  readonly total: number;
  readonly rows: readonly SearchHit[];
}

/** Rows from a position on. */
export function page(ordering: Ordering, from: number, limit: number): HitPage {
  const rows: SearchHit[] = [];
  let total = 0;
  for (const part of partsOf(ordering)) {
    const skip = Math.max(0, from - total);
    if (rows.length < limit && skip < part.size) {
      rows.push(...rowsOf(ordering, part, skip, limit - rows.length));
    }
    total += part.size;
  }
  return { total, rows };
}

function rowsOf(ordering: Ordering, part: Part, from: number, limit: number): SearchHit[] {
  const first = part.first();
  const end = from + limit;
  const ordered = orderedHits(ordering, first, part.pinned, end);
  const rows: SearchHit[] = [];
  for (let i = from; i < Math.min(end, ordered.length); i++) rows.push(ordered.at(i));
  if (rows.length === limit || part.count <= first.length) return rows;
  const skip = Math.max(0, from - ordered.length);
  return [...rows, ...beyondOrdered(ordering, part, first, { skip, limit: limit - rows.length })];
}

interface Rows {
  readonly skip: number;
  readonly limit: number;
}

/** Past the ordered ones: by stored rank, without those that are pinned to the top from down here. */
function beyondOrdered(
  ordering: Ordering,
  part: Part,
  first: Uint32Array,
  { skip, limit }: Rows,
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

/** A hit that was ordered by less than its names, shown with the one of them that answers best. */
function unscoredHit({ scorer, shape }: Ordering, document: number, relevance: number): SearchHit {
  const { entity, nameIndex } = scorer.score(document, -1);
  return hitOf(scoreOfRelevance(relevance, gradeOfDocument(shape, document)), entity, nameIndex);
}

/** The ordered part of the hits; rows are made only for the page that is asked for. */
interface OrderedHits {
  readonly length: number;
  at(position: number): SearchHit;
}

/** @param end up to which position rows are asked for */
function orderedHits(ordering: Ordering, first: Uint32Array, pinned: Uint32Array, end: number): OrderedHits {
  const others = without(first, pinned);
  const room = Math.max(0, searchLimits.scoredDocumentsMax - pinned.length);
  const { chosen, rest } = choose(ordering, others, room);
  const documents = pinned.length === 0 ? chosen : joinedUnique([pinned, chosen]);
  const best = new BestHits(ordering, documents, end);
  return {
    length: documents.length + rest.length,
    at: (position) =>
      position < documents.length ? best.at(position) : rest.at(position - documents.length),
  };
}

interface Choice {
  /** Ascending, so that neighbours come from one read. */
  readonly chosen: Uint32Array;
  readonly rest: OrderedHits;
}

const nothing: OrderedHits = { length: 0, at: () => ({ entity: 0, score: 0, nameIndex: 0 }) };

/** The best by their cards are scored name by name; the others keep the card's score, below all of them. */
function choose(ordering: Ordering, documents: Uint32Array, room: number): Choice {
  if (documents.length <= room) return { chosen: documents, rest: nothing };
  const { cards, plan } = ordering;
  // Not needed where companies with the question as whole name take all the room and more than the page.
  const scores = once(() => coarseScores(cards, plan, documents));
  // Most pages end before the others begin.
  const order = once(() => byCoarseScore(scores()));
  const rest: OrderedHits = {
    length: documents.length - room,
    at: (position) => {
      const i = order()[room + position] ?? 0;
      return unscoredHit(ordering, documents[i] ?? 0, relevances.card + (scores()[i] ?? 0));
    },
  };
  const chosen = room === 0 ? documents.subarray(0, 0) : bestByCard(documents, scores(), room);
  return { chosen, rest };
}

/** Makes a value when it is first asked for. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
