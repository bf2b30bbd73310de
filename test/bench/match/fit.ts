/**
 * Computes the weights of a match (src/query/matching/weights.ts) and shows how right the verdicts are at several
 * thresholds: a regression over the candidates of each question and "none of them", on questions about generated
 * companies, questions about real ones with the same errors, and pairs of public lists. The pairs are judged by folds of
 * companies: each by weights that were fitted without its company.
 *
 *     bun test/bench/match/fit.ts --real DATA-FOLDER --pairs FILE [--companies 30000] [--questions 3000] [--misses]
 *
 * `--misses` shows each pair that its fold judges wrongly, with the evidence for the first company and for the right one.
 */
import { parseArgs } from 'node:util';
import { initialsKey, initialsMark, nameTerms } from '../../../src/lei/names/name-terms.ts';
import { candidateSources } from '../../../src/query/matching/candidates.ts';
import { comparedNames, featuresOf } from '../../../src/query/matching/features.ts';
import { matchLimits } from '../../../src/query/matching/limits.ts';
import { profileOf } from '../../../src/query/matching/profile.ts';
import { askedCompany } from '../../../src/query/matching/question.ts';
import {
  chancesOf,
  type Evidence,
  speaksAgainst,
  weighedOf,
  weightNames,
} from '../../../src/query/matching/score.ts';
import { weights as current } from '../../../src/query/matching/weights.ts';
import { remembered } from '../../../src/remembered.ts';
import type { PublicationReader } from '../../../src/store/publication-reader.ts';
import { atOnce } from '../../../src/store/steps.ts';
import { positive } from '../harness/arguments.ts';
import { readPairs, withoutPlace, wordsStandInRecord } from './pairs.ts';
import { type AskedName, makeQuestions } from './questions.ts';
import { fitSeeds, namedCompanies, openReal, openWorlds } from './worlds.ts';

const { values } = parseArgs({
  options: {
    real: { type: 'string', default: '' },
    pairs: { type: 'string', default: '' },
    companies: { type: 'string', default: '30000' },
    questions: { type: 'string', default: '3000' },
    /** How much a pair counts, beside a question with errors. */
    share: { type: 'string', default: '6' },
    /** How much large weights are held back. */
    penalty: { type: 'string', default: '1' },
    misses: { type: 'boolean', default: false },
  },
});
const [companies, count] = [positive('companies', values.companies), positive('questions', values.questions)];
const share = positive('share', values.share);
const penalty = positive('penalty', values.penalty);

interface Candidate {
  readonly lei: string;
  readonly name: string;
  /** For each pair of names the factors of all weights. */
  readonly pairs: readonly [NamePair, ...NamePair[]];
}

interface NamePair extends Pick<Evidence, 'features' | 'names'> {
  readonly factors: Float32Array;
}

interface Question {
  /** Index of the right candidate; -1 if it is not among them. */
  readonly right: number;
  readonly asked: AskedName;
  readonly isThere: boolean;
  readonly candidates: readonly Candidate[];
  readonly weight: number;
  readonly group: string;
  /** Of the company, for the folds; -1 for those that are in all of them. */
  readonly fold: number;
}

const foldsCount = 10;
/** One company of so many is asked for by its initials. */
const initialsEvery = 20;

function prepared(
  publication: PublicationReader,
  asked: AskedName,
  more: Pick<Question, 'group' | 'fold' | 'weight'>,
  without: string | null = null,
): Question {
  const company = askedCompany(asked.question);
  const { shareIn } = publication.search;
  const weightOf = remembered(publication.search.weightOf);
  const found = new Map(candidateSources.flatMap(({ find }) => [...atOnce(find(publication, company))]));
  const candidates: Candidate[] = [];
  for (const [entity, grade] of found) {
    const profile = profileOf(publication, entity, grade);
    if (profile === null || profile.lei === without) continue;
    const names = comparedNames(company, profile, weightOf);
    const featuresBy = featuresOf(company, profile, shareIn);
    const [first, ...more] = names.map((each): NamePair => {
      const features = featuresBy(each);
      const shares = weighedOf(features, each, profile);
      return { features, names: each, factors: Float32Array.from(weightNames, (name) => shares[name]) };
    });
    if (first !== undefined)
      candidates.push({ lei: profile.lei, name: profile.name, pairs: [first, ...more] });
  }
  const kept = candidates
    .map((candidate) => ({ candidate, odds: best(start, candidate).odds }))
    .sort((a, b) => b.odds - a.odds)
    .filter(({ candidate }, at) => at < candidatesMax || candidate.lei === asked.meant)
    .map(({ candidate }) => candidate);
  const meant = without === null ? asked.meant : null;
  return {
    ...more,
    asked,
    right: kept.findIndex(({ lei }) => lei === meant),
    isThere: meant !== null,
    candidates: kept,
  };
}
const candidatesMax = 12;

/** People hardly ever write a form at random. */
function weightOfWays({ ways }: AskedName): number {
  return ways.includes('other legal form') ? 0.3 : 1;
}

const start = Float64Array.from(weightNames, (name) => current[name]);

function best(by: Float64Array, { pairs: [first, ...more] }: Candidate): WeighedPair {
  let [found, most] = [first, oddsOf(by, first.factors)];
  for (const pair of more) {
    const odds = oddsOf(by, pair.factors);
    if (odds > most) [found, most] = [pair, odds];
  }
  return { ...found, odds: most };
}

interface WeighedPair extends NamePair {
  readonly odds: number;
}

function oddsOf(by: Float64Array, factors: Float32Array): number {
  let odds = 0;
  for (let i = 0; i < factors.length; i++) odds += (factors[i] ?? 0) * (by[i] ?? 0);
  return odds;
}

/** Newton's method; the penalty draws each weight to zero. */
function fitted(questions: readonly Question[]): Float64Array {
  const size = weightNames.length;
  let by = Float64Array.from(start);
  for (let step = 0; step < 12; step++) {
    const gradient = new Float64Array(size);
    const curvature = Array.from({ length: size }, () => new Float64Array(size));
    for (const question of questions) addTo(gradient, curvature, by, question);
    for (let i = 0; i < size; i++) {
      gradient[i] = (gradient[i] ?? 0) - penalty * (by[i] ?? 0);
      const row = curvature[i];
      if (row !== undefined) row[i] = (row[i] ?? 0) + penalty;
    }
    const change = solved(curvature, gradient);
    const largest = Math.max(...change.map(Math.abs));
    const scale = Math.min(1, 2 / largest);
    by = by.map((weight, i) => weight + scale * (change[i] ?? 0));
    if (largest < 0.01) break;
  }
  return by;
}

function addTo(
  gradient: Float64Array,
  curvature: readonly Float64Array[],
  by: Float64Array,
  { candidates, right, weight }: Question,
): void {
  const scored = candidates.map((candidate) => best(by, candidate));
  const highest = Math.max(0, ...scored.map(({ odds }) => odds));
  const chances = scored.map(({ odds }) => Math.exp(odds - highest));
  const all = Math.exp(-highest) + chances.reduce((sum, each) => sum + each, 0);
  const mean = new Float64Array(gradient.length);
  for (const [at, { factors }] of scored.entries()) {
    const chance = (chances[at] ?? 0) / all;
    addScaled(gradient, factors, weight * (Number(at === right) - chance));
    addScaled(mean, factors, chance);
    if (chance > chanceMin) addSquare(curvature, factors, weight * chance);
  }
  addSquare(curvature, mean, -weight);
}
const chanceMin = 1e-4;

type Numbers = Float32Array | Float64Array;

function addScaled(to: Float64Array, numbers: Numbers, factor: number): void {
  if (factor === 0) return;
  for (let i = 0; i < numbers.length; i++) to[i] = (to[i] ?? 0) + factor * (numbers[i] ?? 0);
}

function addSquare(to: readonly Float64Array[], numbers: Numbers, factor: number): void {
  for (const [i, row] of to.entries()) addScaled(row, numbers, factor * (numbers[i] ?? 0));
}

/** By elimination: the matrix is symmetric and positive, so no row needs exchanging. */
function solved(matrix: readonly Float64Array[], right: Float64Array): number[] {
  const rows = matrix.map((row, at) => Float64Array.from([...row, right[at] ?? 0]));
  for (const [at, pivot] of rows.entries()) {
    for (const row of rows) {
      if (row !== pivot) addScaled(row, pivot, -(row[at] ?? 0) / (pivot[at] ?? 1));
    }
  }
  return rows.map((row, at) => (row[rows.length] ?? 0) / (row[at] ?? 1));
}

/** The candidates of a question by some weights, and the verdict at a threshold. */
function judgement(by: Float64Array, { candidates }: Question, threshold: number) {
  const scored = candidates.map((candidate) => best(by, candidate));
  const chances = chancesOf(scored);
  const first = chances.indexOf(Math.max(...chances));
  const evidence = scored[first];
  const isMatch = evidence !== undefined && (chances[first] ?? 0) >= threshold && !speaksAgainst(evidence);
  return { scored, chances, first, isMatch };
}

function judged(by: Float64Array, questions: readonly Question[], threshold: number) {
  const counts = { there: 0, absent: 0, matched: 0, right: 0, absentMatched: 0 };
  for (const question of questions) {
    const { right, isThere } = question;
    counts[isThere ? 'there' : 'absent']++;
    const { first, isMatch } = judgement(by, question, threshold);
    if (!isMatch) continue;
    counts.matched++;
    if (first === right) counts.right++;
    if (!isThere) counts.absentMatched++;
  }
  return counts;
}

function shown(
  title: string,
  { there, absent, matched, right, absentMatched }: ReturnType<typeof judged>,
): string {
  const percent = (part: number, whole: number) => (whole === 0 ? '-' : ((100 * part) / whole).toFixed(1));
  return `${title.padEnd(26)} found ${percent(right, there)}  right ${percent(right, matched)}  absent matched ${percent(absentMatched, absent)} (${absentMatched})`;
}

/** What a fold judges wrongly at the threshold of a match. */
function showMisses(by: Float64Array, questions: readonly Question[]): void {
  for (const question of questions) {
    const judged = judgement(by, question, matchLimits.matchScoreMin);
    const { right, isThere, asked } = question;
    if (judged.isMatch ? judged.first === right : !isThere) continue;
    const { name, country, city } = asked.question;
    console.log(`\n${judged.isMatch ? 'WRONG' : 'missed'}\t${[name, country, city].join(' | ')}`);
    for (const at of new Set([judged.first, right])) showEvidence(by, question, judged, at);
  }
}

function showEvidence(
  by: Float64Array,
  { candidates, right }: Question,
  { scored, chances }: ReturnType<typeof judgement>,
  at: number,
): void {
  const one = scored[at];
  if (one === undefined) return;
  const kind = `${at === right ? 'right' : 'first'}${speaksAgainst(one) ? ', contradicted' : ''}`;
  console.log(`  ${kind} ${chances[at]?.toFixed(2)} ${candidates[at]?.name}: ${evidenceIn(by, one.factors)}`);
}

function evidenceIn(by: Float64Array, factors: Float32Array): string {
  const parts = weightNames.map((weight, i) => ({ weight, part: (by[i] ?? 0) * (factors[i] ?? 0) }));
  return parts
    .filter(({ part }) => Math.abs(part) >= 0.2)
    .map(({ weight, part }) => `${weight} ${part.toFixed(1)}`)
    .join(', ');
}

const questions: Question[] = [];
const worlds = await openWorlds(companies, 1);
for (const seed of fitSeeds) {
  for (const asked of makeQuestions(worlds, Math.ceil(count / fitSeeds.length), seed)) {
    questions.push(
      prepared(worlds.publication, asked, { group: 'generated', fold: -1, weight: weightOfWays(asked) }),
    );
  }
}
await worlds.close();
// Nearly all companies of public lists have a BIC or securities. So each question is also asked as if none were known.
const plain = [weightNames.indexOf('standing'), weightNames.indexOf('commonStanding')];
const plainPair = (pair: NamePair): NamePair => ({
  ...pair,
  factors: pair.factors.map((factor, at) => (plain.includes(at) ? 0 : factor)),
});
const withoutStanding = (question: Question): Question => ({
  ...question,
  group: `${question.group}, standing unknown`,
  candidates: question.candidates.map(({ pairs: [first, ...more], ...candidate }) => ({
    ...candidate,
    pairs: [plainPair(first), ...more.map(plainPair)],
  })),
});
const pushBoth = (question: Question) => questions.push(question, withoutStanding(question));
const real = await openReal(values.real);
const named = namedCompanies(real);
for (const [at, asked] of makeQuestions({ loaded: named, aside: named }, count, 7).entries()) {
  if (asked.meant === null) continue;
  // Every third company counts as absent, with its group around it.
  const absent = at % 9 < 3 ? asked.meant : null;
  pushBoth(
    prepared(real, asked, { group: 'real with errors', fold: -1, weight: weightOfWays(asked) / 2 }, absent),
  );
}
// Short names: of companies that are there, and twice as often of others.
for (const [at, company] of named.entries()) {
  const key = initialsKey(nameTerms(company.name));
  if (key === '' || at % initialsEvery !== 0) continue;
  const name = key.slice(initialsMark.length).toUpperCase();
  const question = { name, country: null, city: null, registrationNumber: null, lei: null };
  const asked = { ways: [], question, meant: company.lei };
  const absent = at % (3 * initialsEvery) === 0 ? null : company.lei;
  pushBoth(prepared(real, asked, { group: 'initials', fold: -1, weight: 0.5 }, absent));
}
const pairs = readPairs(values.pairs, real);
for (const pair of pairs) {
  const fold = Number(Bun.hash(pair.lei) % BigInt(foldsCount));
  const place = wordsStandInRecord(pair) || pair.meant === null;
  for (const [asked, name] of [
    [pair, 'pairs'],
    [withoutPlace(pair), 'pairs, name only'],
  ] as const) {
    const group = place ? name : `${name}, other words`;
    pushBoth(prepared(real, asked, { group, fold, weight: share / 2 }));
  }
}
await real.close();
console.log(`${questions.length} questions`);
const folds = Array.from({ length: foldsCount }, (_, fold) =>
  fitted(questions.filter((question) => question.fold !== fold)),
);
const whole = fitted(questions);
const groups = [...new Set(questions.map(({ group }) => group))];
for (const threshold of [0.7, 0.76, 0.78, 0.8, 0.82, 0.84, 0.86, 0.9]) {
  console.log(`\nscore at least ${threshold}`);
  for (const group of groups) {
    const of = questions.filter((question) => question.group === group);
    console.log(shown(group, judged(whole, of, threshold)));
    if (!group.startsWith('pairs')) continue;
    const parts = folds.map((by, fold) =>
      judged(
        by,
        of.filter((question) => question.fold === fold),
        threshold,
      ),
    );
    const sum = parts.reduce((one, other) => ({
      there: one.there + other.there,
      absent: one.absent + other.absent,
      matched: one.matched + other.matched,
      right: one.right + other.right,
      absentMatched: one.absentMatched + other.absentMatched,
    }));
    console.log(shown('  by folds', sum));
  }
}
if (values.misses) {
  for (const group of ['pairs', 'pairs, name only']) {
    console.log(`\n${group}, by folds:`);
    for (const [fold, by] of folds.entries()) {
      showMisses(
        by,
        questions.filter((question) => question.group === group && question.fold === fold),
      );
    }
  }
}
console.log(weightNames.map((name, at) => `  ${name}: ${whole[at]?.toFixed(2)},`).join('\n'));
