/**
 * The one total order of a question's hits, and pages of it: first the companies that are no duplicates of others, then
 * those that are; each part by score.
 */
import { bestByCard, byCoarseScore, type Cards, coarseScores } from './cards.ts';
import { duplicatesFromOf, type IndexShape } from './format.ts';
import type { HitSet } from './hit-set.ts';
import { searchLimits } from './limits.ts';
import { grades } from './ranks.ts';
import {
  type DocumentScorer,
  gradeOfDocument,
  relevanceMax,
  type Scored,
  scoreOfRelevance,
} from './score.ts';
import type { SearchHit } from './search-reader.ts';
import type { Plan } from './slots.ts';
import { joinedUnique, lowerBound, without } from './sorted.ts';

/** Companies whose identifier or whole name the question is, with the name; -1 for an identifier. */
export type Pinned = ReadonlyMap<number, number>;

export interface Ordering {
  readonly cards: Cards;
  readonly shape: IndexShape;
  readonly plan: Plan;
  readonly scorer: DocumentScorer;
  readonly hits: HitSet;
  readonly pinned: Pinned;
  /** Whether no company of any country and status answers but duplicates of others. */
  readonly duplicatesOnly: boolean;
}

const wholeScore = 10_000;
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
  const documents = Uint32Array.from(pinned.keys()).sort();
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

/** @param score in ten-thousandths */
function hitOf(score: number, entity: number, nameIndex: number): SearchHit {
  return { entity, score: score / wholeScore, nameIndex };
}

/** Score in ten-thousandths of a document that is scored name by name. */
function scoreOf(
  { pinned, shape, duplicatesOnly }: Ordering,
  document: number,
  { relevance }: Scored,
): number {
  const grade = gradeOfDocument(shape, document);
  if (pinned.get(document) === -1) {
    // A duplicate whose identifier was typed is what was asked for, unless another company answers too.
    return grade !== grades.duplicate || duplicatesOnly ? wholeScore : duplicateScoreMax;
  }
  return scoreOfRelevance(relevance, grade);
}
const duplicateScoreMax = 1_000;

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
  const best = bestOf(ordering, documents, end);
  return {
    length: documents.length + rest.length,
    at: (position) => (position < documents.length ? best(position) : rest.at(position - documents.length)),
  };
}

/**
 * Documents by score, as far as position `end`. They are in order of rank, and a score holds the grade of rank; so
 * where enough of them answer as well as any can, none of those after them passes them.
 */
function bestOf(ordering: Ordering, documents: Uint32Array, end: number): (position: number) => SearchHit {
  const { pinned, scorer } = ordering;
  // An identifier is above all names, wherever it stands.
  const enough = [...pinned.values()].includes(-1) ? documents.length : end;
  const scored: Scored[] = [];
  // Score (descending) and place among the documents (ascending) in one number that sorts as they do.
  const keys = new Float64Array(documents.length);
  let unbeaten = 0;
  for (let place = 0; place < documents.length && unbeaten < enough; place++) {
    const document = documents[place] ?? 0;
    const one = scorer.score(document, pinned.get(document) ?? -1);
    scored.push(one);
    keys[place] = (wholeScore - scoreOf(ordering, document, one)) * placeRange + place;
    if (one.relevance === relevanceMax) unbeaten++;
  }
  const ordered = keys.subarray(0, scored.length).sort();
  return (position) => {
    const key = ordered[position] ?? 0;
    const { entity, nameIndex } = scored[key % placeRange] ?? unread;
    return hitOf(wholeScore - Math.floor(key / placeRange), entity, nameIndex);
  };
}
/** More documents than are ever scored by name. */
const placeRange = 2 ** 24;
const unread: Scored = { relevance: 0, nameIndex: 0, entity: 0 };

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
  const scores = coarseScores(cards, plan, documents);
  // Most pages end before the others begin.
  let order: Uint32Array | null = null;
  const rest: OrderedHits = {
    length: documents.length - room,
    at: (position) => {
      order ??= byCoarseScore(scores);
      const i = order[room + position] ?? 0;
      return unscoredHit(ordering, documents[i] ?? 0, relevances.card + (scores[i] ?? 0));
    },
  };
  return { chosen: bestByCard(documents, scores, room), rest };
}
