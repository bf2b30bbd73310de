/**
 * Computes the weights of a match (src/query/matching/score.ts) by logistic regression on the candidates of the fit
 * seeds' questions, and shows the accuracy of the verdicts at several thresholds.
 *
 *     bun test/bench/match/fit.ts [--companies 100000] [--questions 3000]
 */

import { candidatesOf, remoteCandidatesOf } from '../../../src/query/matching/candidates.ts';
import { bestNameOf, featuresOf } from '../../../src/query/matching/features.ts';
import { profileOf } from '../../../src/query/matching/profile.ts';
import { askedCompany } from '../../../src/query/matching/question.ts';
import { weighedOf, weightNames } from '../../../src/query/matching/score.ts';
import type { PublicationReader } from '../../../src/store/publication-reader.ts';
import { atOnce } from '../../../src/store/steps.ts';
import { wholeNumbers } from '../harness/arguments.ts';
import { type AskedName, makeQuestions } from './questions.ts';
import { fitSeeds, openWorlds } from './worlds.ts';

interface Candidate {
  /** The factor of each weight. */
  readonly shares: Float64Array;
  readonly isMeant: boolean;
}

interface Question {
  readonly isThere: boolean;
  readonly candidates: readonly Candidate[];
}

const option = wholeNumbers({ companies: 100_000, questions: 3_000 });
const worlds = await openWorlds(option('companies'), 1);
const questions = fitSeeds.flatMap((seed) =>
  makeQuestions(worlds, option('questions'), seed).map((asked) => candidates(worlds.publication, asked)),
);
await worlds.close();
const weights = regression(questions.flatMap((question) => question.candidates));
console.log(weightNames.map((name, at) => `${name}: ${weights[at]?.toFixed(2)}`).join('\n'));
console.log('\nscore  lead   right  found');
for (const scoreMin of [0.5, 0.55, 0.6, 0.62, 0.65, 0.7]) {
  for (const leadMin of [0.02, 0.06, 0.15]) console.log(judged(scoreMin, leadMin));
}

function candidates(publication: PublicationReader, { question, meant }: AskedName): Question {
  const asked = askedCompany(question);
  const { weightOf, shareIn } = publication.search;
  const entities = new Set([
    ...atOnce(candidatesOf(publication, asked)),
    ...atOnce(remoteCandidatesOf(publication, asked)),
  ]);
  const found: Candidate[] = [];
  for (const entity of entities) {
    const profile = profileOf(publication, entity);
    const name = profile === null ? null : bestNameOf(asked, profile, weightOf);
    if (profile === null || name === null) continue;
    const shares = weighedOf(featuresOf(asked, profile, name, shareIn), name, profile);
    const inOrder = Float64Array.from(weightNames, (weight) => shares[weight]);
    found.push({ shares: inOrder, isMeant: profile.lei === meant });
  }
  return { isThere: meant !== null, candidates: found };
}

/** Newton's method with a small penalty on large weights. */
function regression(rows: readonly Candidate[]): Float64Array {
  const found = new Float64Array(weightNames.length);
  for (let step = 0; step < 20; step++) {
    const size = found.length;
    const matrix = Array.from({ length: size }, (_, at) => {
      const row = new Float64Array(size + 1);
      row[at] = 1;
      row[size] = -(found[at] ?? 0);
      return row;
    });
    for (const row of rows) addTo(matrix, row, chance(found, row));
    for (const [at, change] of solved(matrix).entries()) found[at] = (found[at] ?? 0) + change;
  }
  return found;
}

function chance(by: Float64Array, { shares }: Candidate): number {
  return 1 / (1 + Math.exp(-shares.reduce((sum, share, at) => sum + share * (by[at] ?? 0), 0)));
}

/** Second derivatives, and the first ones in the last column. */
function addTo(matrix: readonly Float64Array[], { shares, isMeant }: Candidate, expected: number): void {
  const spread = expected * (1 - expected);
  for (const [at, row] of matrix.entries()) {
    const share = shares[at] ?? 0;
    if (share === 0) continue;
    for (let other = 0; other < shares.length; other++) {
      row[other] = (row[other] ?? 0) + spread * share * (shares[other] ?? 0);
    }
    row[shares.length] = (row[shares.length] ?? 0) + (Number(isMeant) - expected) * share;
  }
}

/** By elimination: the matrix is symmetric and positive, so no row needs exchanging. */
function solved(matrix: readonly Float64Array[]): number[] {
  for (const [at, pivot] of matrix.entries()) {
    for (const row of matrix) {
      if (row !== pivot) subtract(row, pivot, (row[at] ?? 0) / (pivot[at] ?? 1));
    }
  }
  return matrix.map((row, at) => (row[matrix.length] ?? 0) / (row[at] ?? 1));
}

function subtract(row: Float64Array, other: Float64Array, factor: number): void {
  for (let at = 0; at < row.length; at++) row[at] = (row[at] ?? 0) - factor * (other[at] ?? 0);
}

function judged(scoreMin: number, leadMin: number): string {
  let [matched, right] = [0, 0];
  for (const question of questions) {
    const scored = question.candidates.map((each) => ({ ...each, score: chance(weights, each) }));
    const [best, second] = scored.sort((a, b) => b.score - a.score);
    if (best === undefined || best.score < scoreMin || best.score - (second?.score ?? 0) < leadMin) continue;
    matched++;
    if (best.isMeant) right++;
  }
  const there = questions.filter(({ isThere }) => isThere).length;
  const percent = (share: number) => (100 * share).toFixed(1);
  return `${scoreMin.toFixed(2)}   ${leadMin.toFixed(2)}   ${percent(right / matched)}   ${percent(right / there)}`;
}
