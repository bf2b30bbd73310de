/** Scores very many documents coarsely, each by its card (index/cards.ts). */
import { type Cards, cardHash, cardWeightUnit } from '../index/cards.ts';
import { type QueryPlan, weightOfAll } from '../plan/query-plan.ts';

/**
 * The highest coarse score; the lowest is 0. Each equals one relevance in the band below the hits that are scored by
 * name.
 */
const coarseMax = 180;

/**
 * The coarse score of each document, by its card. Names with a legal form of the question come before all others, as they
 * do when they are scored by name.
 * @param documents ascending
 * @param withForm those of them that have a legal form of the question
 */
export function coarseScores(
  cards: Cards,
  plan: QueryPlan,
  documents: Uint32Array,
  withForm: Uint32Array,
): Uint8Array {
  const { begins, covered } = withForm.length === 0 ? shares.byWords : shares.byForms;
  const asked = weightOfAll(plan);
  const beginnings = new Uint8Array(256);
  for (const hash of plan.hashes) beginnings[cardHash(hash)] = begins;
  const scores = new Uint8Array(documents.length);
  const ofWeight = coveredScores(asked, covered);
  const all = cards();
  let formAt = 0;
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i] ?? 0;
    const card = all[document] ?? 0;
    let score = (ofWeight[card & 255] ?? 0) + (beginnings[card >>> 8] ?? 0);
    if (withForm[formAt] === document) {
      score += begins + covered + 1;
      formAt++;
    }
    scores[i] = score;
  }
  return scores;
}

/** What a name that begins with the question has of the coarse score, and one that has nothing else. */
const shares = { byWords: { begins: 42, covered: 138 }, byForms: { begins: 20, covered: 69 } } as const;

/** The score for each weight of a card: the share of the name that the question covers. */
function coveredScores(asked: number, most: number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, units) => {
    const share = Math.min(1, asked / Math.max(asked, units * cardWeightUnit));
    return Math.floor(most * share);
  });
}

/** How many documents have each score. */
function levelsOf(scores: Uint8Array): Uint32Array {
  const levels = new Uint32Array(coarseMax + 1);
  for (let i = 0; i < scores.length; i++) levels[scores[i] ?? 0] = (levels[scores[i] ?? 0] ?? 0) + 1;
  return levels;
}

/** The `count` documents with the highest scores, ascending; among equal scores the first documents. */
export function bestByCard(documents: Uint32Array, scores: Uint8Array, count: number): Uint32Array {
  const levels = levelsOf(scores);
  let lowest = coarseMax;
  let above = 0;
  while (lowest > 0 && above + (levels[lowest] ?? 0) < count) above += levels[lowest--] ?? 0;
  const best = new Uint32Array(Math.min(count, documents.length));
  let equal = best.length - above;
  let length = 0;
  for (let i = 0; length < best.length; i++) {
    const score = scores[i] ?? 0;
    if (score < lowest || (score === lowest && equal-- <= 0)) continue;
    best[length++] = documents[i] ?? 0;
  }
  return best;
}

/** Indexes of the documents from the highest score downwards; documents of equal scores stay in order. */
export function byCoarseScore(scores: Uint8Array): Uint32Array {
  const levels = levelsOf(scores);
  const next = new Uint32Array(coarseMax + 1);
  for (let level = coarseMax - 1; level >= 0; level--) {
    next[level] = (next[level + 1] ?? 0) + (levels[level + 1] ?? 0);
  }
  const order = new Uint32Array(scores.length);
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i] ?? 0;
    const place = next[score] ?? 0;
    order[place] = i;
    next[score] = place + 1;
  }
  return order;
}
