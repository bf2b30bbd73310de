/** The one total order of a question's hits, and pages of it. */
import { byCoarseScore, coarseMax, coarseScores } from './cards.ts';
import type { IndexShape, SearchTables } from './format.ts';
import type { HitSet } from './hit-set.ts';
import { searchLimits } from './limits.ts';
import { type DocumentScorer, gradeOfDocument, scoredRelevanceMin } from './score.ts';
import type { Plan } from './slots.ts';
import { without } from './sorted.ts';

/** Companies whose identifier or whole name the question is, with the name; -1 for an identifier. */
export type Pinned = ReadonlyMap<number, number>;

export interface RankedHit {
  readonly document: number;
  /** In ten-thousandths. */
  readonly score: number;
}

export interface Ordering {
  readonly tables: SearchTables;
  readonly shape: IndexShape;
  readonly plan: Plan;
  readonly scorer: DocumentScorer;
  readonly hits: HitSet;
  readonly pinned: Pinned;
}

export const wholeScore = 10_000;
const documentRange = 2 ** 24;

/** How many rows a full traversal gives. */
export function totalOf({ hits, pinned }: Ordering): number {
  let total = hits.total;
  for (const document of pinned.keys()) if (!hits.contains(document)) total++;
  return total;
}

/** Rows from a position on. */
export function page(ordering: Ordering, from: number, limit: number): RankedHit[] {
  const { hits } = ordering;
  const ordered = orderedHits(ordering);
  const rows: RankedHit[] = [];
  const end = from + limit;
  for (let i = from; i < Math.min(end, ordered.length); i++) rows.push(ordered.at(i));
  if (rows.length === limit || hits.total <= hits.first.length) return rows;
  const skip = Math.max(0, from - ordered.length);
  return [...rows, ...beyondOrdered(ordering, skip, limit - rows.length)];
}

/** Past the ordered ones: by stored rank, without those that are pinned to the top from down here. */
function beyondOrdered({ hits, pinned, shape }: Ordering, skip: number, limit: number): RankedHit[] {
  const last = hits.first[hits.first.length - 1] ?? 0;
  const movedUp = [...pinned.keys()].filter((document) => document > last && hits.contains(document));
  if (movedUp.length === 0) {
    const window = hits.window(hits.first.length + skip, limit);
    return Array.from(window, (document) => ({ document, score: gradeOfDocument(shape, document) }));
  }
  const window = hits.window(hits.first.length, skip + limit + movedUp.length);
  const rest = window.filter((document) => !movedUp.includes(document)).slice(skip, skip + limit);
  return Array.from(rest, (document) => ({ document, score: gradeOfDocument(shape, document) }));
}

/** Score (descending) and document (ascending) in one number that sorts as they do. */
function sortKey(score: number, document: number): number {
  return (wholeScore - score) * documentRange + document;
}

function fromKey(key: number): RankedHit {
  return { document: key % documentRange, score: wholeScore - Math.floor(key / documentRange) };
}

/** Score in ten-thousandths of a document that is scored name by name. */
export function scoreOf(ordering: Ordering, document: number): number {
  const name = ordering.pinned.get(document);
  if (name === -1) return wholeScore;
  const { relevance } = ordering.scorer.score(document, name ?? -1);
  return relevance * 10 + gradeOfDocument(ordering.shape, document);
}

/** The ordered part of the hits; rows are made only for the page that is asked for. */
interface OrderedHits {
  readonly length: number;
  at(position: number): RankedHit;
}

function orderedHits(ordering: Ordering): OrderedHits {
  const { hits, pinned } = ordering;
  const others = without(hits.first, Uint32Array.from(pinned.keys()).sort());
  const room = Math.max(0, searchLimits.scoredDocumentsMax - pinned.size);
  const { chosen, rest } = choose(ordering, others, room);
  const keys = new Float64Array(pinned.size + chosen.length);
  let length = 0;
  for (const document of pinned.keys()) keys[length++] = sortKey(scoreOf(ordering, document), document);
  for (const document of chosen) keys[length++] = sortKey(scoreOf(ordering, document), document);
  keys.sort();
  return {
    length: keys.length + rest.length,
    at: (position) =>
      position < keys.length ? fromKey(keys[position] ?? 0) : rest.at(position - keys.length),
  };
}

interface Choice {
  readonly chosen: Uint32Array;
  readonly rest: OrderedHits;
}

const nothing: OrderedHits = { length: 0, at: () => ({ document: 0, score: 0 }) };

/** The best by their cards are scored name by name; the others keep the card's score, below all of them. */
function choose({ tables, plan, shape }: Ordering, documents: Uint32Array, room: number): Choice {
  if (documents.length <= room) return { chosen: documents, rest: nothing };
  const scores = coarseScores(tables, plan, documents);
  const order = byCoarseScore(scores);
  const chosen = order.subarray(0, room).map((i) => documents[i] ?? 0);
  const rest: OrderedHits = {
    length: order.length - room,
    at: (position) => {
      const i = order[room + position] ?? 0;
      const document = documents[i] ?? 0;
      const relevance = Math.floor(((scores[i] ?? 0) * (scoredRelevanceMin - 20)) / coarseMax) + 10;
      return { document, score: relevance * 10 + gradeOfDocument(shape, document) };
    },
  };
  // Ascending, so that neighbours come from one read.
  return { chosen: chosen.sort(), rest };
}
