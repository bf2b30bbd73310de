/** Scores very many documents coarsely, from two bytes about the legal name of each. */
import { cardsPerChunk, type SearchTables } from './format.ts';
import type { Plan } from './slots.ts';
import { cardHash, cardWeightUnit } from './write-documents.ts';

/** Scores are from 0: each has a relevance of its own in the band that is left for them. */
const coarseMax = 180;

/** Hands over the cards by document: the weight in the low byte, the hash in the high one. */
export type Cards = () => Uint16Array;

/**
 * All cards stay in memory, in each thread and for each publication it holds, from the first question on that needs
 * them: a question for common words asks for thousands that are spread over all rows, so that each such question
 * would copy all of them.
 */
export function openCards(tables: SearchTables, documents: number): Cards {
  let all: Uint16Array | null = null;
  return () => {
    all ??= readCards(tables, documents);
    return all;
  };
}

function readCards(tables: SearchTables, documents: number): Uint16Array {
  const all = new Uint16Array(documents);
  const bytes = new Uint8Array(all.buffer);
  for (let chunk = 0; chunk * cardsPerChunk < documents; chunk++) {
    const row = tables.cards.getBinaryFast(chunk);
    if (row === undefined) throw new Error(`The search index has no cards ${chunk}.`);
    // lmdb's buffer is longer than the row.
    bytes.set(row.subarray(0, row.length), chunk * cardsPerChunk * 2);
  }
  return all;
}

/** How well each document answers by its card. Documents are ascending. */
export function coarseScores(cards: Cards, plan: Plan, documents: Uint32Array): Uint8Array {
  const asked = plan.slots.reduce((sum, slot) => sum + slot.weight, 0);
  const beginnings = new Uint8Array(256);
  for (const id of plan.fillings.keys()) beginnings[cardHash(id)] = beginsScore;
  const scores = new Uint8Array(documents.length);
  const covered = coveredScores(asked);
  const all = cards();
  for (let i = 0; i < documents.length; i++) {
    const card = all[documents[i] ?? 0] ?? 0;
    scores[i] = (covered[card & 255] ?? 0) + (beginnings[card >>> 8] ?? 0);
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
