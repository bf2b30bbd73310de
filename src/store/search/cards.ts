/** Scores very many documents coarsely, from two bytes about the legal name of each. */
import { cardsPerChunk, type SearchTables } from './format.ts';
import type { Plan } from './slots.ts';
import { cardHash, cardWeightUnit } from './write-documents.ts';

/** Scores are from 0: each has a relevance of its own in the band that is left for them. */
export const coarseMax = 180;

/** How well each document answers by its card. Documents are ascending. */
export function coarseScores(tables: SearchTables, plan: Plan, documents: Uint32Array): Uint8Array {
  const asked = plan.slots.reduce((sum, slot) => sum + slot.weight, 0);
  const beginnings = new Uint8Array(256);
  for (const id of plan.fillings.keys()) beginnings[cardHash(id)] = beginsScore;
  const scores = new Uint8Array(documents.length);
  const covered = coveredScores(asked);
  let chunk = -1;
  let row: Buffer | undefined;
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i] ?? 0;
    const place = Math.floor(document / cardsPerChunk);
    if (place !== chunk) {
      chunk = place;
      row = tables.cards.getBinaryFast(chunk);
    }
    if (row === undefined) continue;
    const at = (document - chunk * cardsPerChunk) * 2;
    scores[i] = (covered[row[at] ?? 0] ?? 0) + (beginnings[row[at + 1] ?? 0] ?? 0);
  }
  return scores;
}

const beginsScore = 42;

/** By the weight on a card: the share of the name that the question covers. */
function coveredScores(asked: number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, units) => {
    const share = Math.min(1, asked / Math.max(asked, units * cardWeightUnit));
    return Math.floor((coarseMax - beginsScore) * share);
  });
}

/** How many documents have each score. */
function levelsOf(scores: Uint8Array): Uint32Array {
  const levels = new Uint32Array(coarseMax + 1);
  for (let i = 0; i < scores.length; i++) levels[scores[i] ?? 0] = (levels[scores[i] ?? 0] ?? 0) + 1;
  return levels;
}

/** The `count` documents with the highest scores, the first of those that are equal; still ascending. */
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

/** Indexes of the documents from the highest score, in stored order where scores are equal. */
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
