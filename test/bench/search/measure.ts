/** Asks contenders the same questions in turn, and measures how often they find the right company, and how fast. */
import type { LinkedCompany } from '../../support/index-companies.ts';
import { type Ratio, ratioAmong } from '../harness/closed-loop.ts';
import { median } from '../harness/median.ts';
import { percentiles } from '../harness/open-loop.ts';
import type { Contender } from './contenders.ts';
import { type Question, type QuestionKind, questionKinds } from './questions.ts';

export interface Built {
  readonly contender: Contender;
  readonly companies: number;
  readonly buildSeconds: number;
  /** On disk; NaN if it is in memory. */
  readonly bytes: number;
}

export interface Relevance {
  readonly questions: number;
  /** The share (0 to 1) of questions whose company comes first, or among the first five. */
  readonly hitAt1: number;
  readonly hitAt5: number;
  readonly meanReciprocalRank: number;
}

/** Milliseconds per question that asks for a name: only this service looks up identifiers. */
export interface Times {
  readonly p50: number;
  readonly mean: number;
  readonly p99: number;
}

export interface Measured extends Built {
  readonly byKind: ReadonlyMap<QuestionKind, Relevance>;
  readonly all: Relevance;
  /** The figures of each round. */
  readonly rounds: readonly Times[];
}

export interface Asked {
  /** Other questions, asked first: they warm up machine code and page cache for all contenders alike. */
  readonly warming: readonly Question[];
  readonly questions: readonly Question[];
  readonly rounds: number;
}

interface Answered {
  readonly kind: QuestionKind;
  /** From 1; 0 if the right company is not among the answers. */
  readonly rank: number;
  readonly ms: number;
}

export async function build(contender: Contender, companies: Iterable<LinkedCompany>): Promise<Built> {
  let count = 0;
  let building = 0;
  for (const company of companies) {
    const start = performance.now();
    contender.add(company);
    building += performance.now() - start;
    count++;
  }
  const start = performance.now();
  const bytes = await contender.finish();
  building += performance.now() - start;
  return { contender, companies: count, buildSeconds: building / 1000, bytes };
}

/**
 * The contenders take turns for every kind of question in each round, so that other work of the machine affects all of
 * them.
 */
export function measureInTurn(built: readonly Built[], asked: Asked): Measured[] {
  for (const { contender } of built) for (const { q } of asked.warming) contender.answer(q);
  const rounds = Array.from({ length: asked.rounds }, () => askInTurn(built, asked.questions));
  return built.map((one, index) => {
    const answers = rounds.map((round) => round[index] ?? []);
    const [first = []] = answers;
    const ofKind = (kind: QuestionKind) => first.filter((answer) => answer.kind === kind);
    return {
      ...one,
      byKind: new Map(questionKinds.map((kind) => [kind, relevanceOf(ofKind(kind))])),
      all: relevanceOf(first),
      rounds: answers.map(timesOf),
    };
  });
}

/** @returns the answers of each contender */
function askInTurn(built: readonly Built[], questions: readonly Question[]): Answered[][] {
  const answers = built.map((): Answered[] => []);
  for (const kind of questionKinds) {
    const ofKind = questions.filter((question) => question.kind === kind);
    for (const [index, { contender }] of built.entries()) {
      answers[index]?.push(...ofKind.map((question) => ask(contender, question)));
    }
  }
  return answers;
}

function ask(contender: Contender, { kind, q, right }: Question): Answered {
  const start = performance.now();
  const answer = contender.answer(q);
  const ms = performance.now() - start;
  return { kind, rank: answer.findIndex((entity) => right.has(entity)) + 1, ms };
}

export function relevanceOf(answers: readonly Pick<Answered, 'rank'>[]): Relevance {
  const share = (worth: (rank: number) => number) =>
    answers.reduce((sum, { rank }) => sum + (rank === 0 ? 0 : worth(rank)), 0) / Math.max(1, answers.length);
  return {
    questions: answers.length,
    hitAt1: share((rank) => (rank === 1 ? 1 : 0)),
    hitAt5: share((rank) => (rank <= 5 ? 1 : 0)),
    meanReciprocalRank: share((rank) => 1 / rank),
  };
}

function timesOf(answers: readonly Answered[]): Times {
  const names = answers.filter(({ kind }) => kind !== 'identifier');
  const mean = names.reduce((sum, { ms }) => sum + ms, 0) / names.length;
  const { p50, p99 } = percentiles(Float64Array.from(names, ({ ms }) => ms));
  return { p50: p50 ?? Number.NaN, mean, p99: p99 ?? Number.NaN };
}

/** The median of each figure over all rounds. */
export function typicalTimes({ rounds }: Measured): Times {
  const middle = (pick: (times: Times) => number) => median(rounds.map(pick));
  return { p50: middle(({ p50 }) => p50), mean: middle(({ mean }) => mean), p99: middle(({ p99 }) => p99) };
}

/** How many times as fast as the other one `ours` is, within each round. */
export function timesAsFast(ours: Measured, other: Measured, pick: (times: Times) => number): Ratio {
  const ofRound = (measured: Measured) => measured.rounds.map(pick);
  const [mine, theirs] = [ofRound(ours), ofRound(other)];
  return ratioAmong(mine.map((ms, round) => (theirs[round] ?? Number.NaN) / ms));
}
