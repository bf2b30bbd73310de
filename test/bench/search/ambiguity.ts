/**
 * Counts for each question the companies whose names it may have been made of by the change of its kind. An engine that
 * cannot tell them apart finds the right one among its first answers by chance alone: no engine does better on average.
 */
import { editDistance, unitsOf } from '../../../src/lei/names/edit-distance.ts';
import { nameTerms } from '../../../src/lei/names/name-terms.ts';
import type { LinkedCompany } from '../../support/index-companies.ts';
import type { TypedQuestion } from './typed-questions.ts';

type Asked = Omit<TypedQuestion, 'kind'> & { readonly kind: string };

/** Companies that a question may be about, and how many of them are right answers. */
export interface Ambiguity {
  readonly meant: number;
  readonly right: number;
}

const errorsOf: Readonly<Record<string, number>> = { 'one error': 1, 'two errors': 2 };

/**
 * In order of the questions. Questions of other kinds than dropped words and typing errors have right answers only, as those
 * that came about in an unusual way, such as two errors that are three.
 */
export function ambiguities(
  questions: readonly Asked[],
  companies: Iterable<LinkedCompany>,
): readonly Ambiguity[] {
  const meant = new Map(questions.map((question) => [question, new Set<number>()]));
  const askedBy = questionsByName(questions);
  for (const { entity, names } of companies) {
    for (const { name } of names) for (const question of askedBy(name)) meant.get(question)?.add(entity);
  }
  return questions.map((question) => {
    const all = meant.get(question) ?? new Set();
    return { meant: all.size, right: question.right.intersection(all).size };
  });
}

/** Finds the questions that a name may have become. */
function questionsByName(questions: readonly Asked[]): (name: string) => readonly Asked[] {
  const dropped = Map.groupBy(
    questions.filter(({ kind }) => kind === 'word dropped'),
    ({ q }) => nameTerms(q).join(' '),
  );
  const mistyped = Map.groupBy(
    questions
      .filter(({ kind }) => kind in errorsOf)
      .map((question) => ({
        question,
        words: wordsOf(question.q),
        errors: errorsOf[question.kind] ?? 0,
      })),
    ({ words }) => words.length,
  );
  return (name) => {
    const terms = nameTerms(name);
    const less = terms.length > droppedTermsMax ? [] : terms.map((_, at) => terms.toSpliced(at, 1).join(' '));
    const words = wordsOf(name);
    const near = mistyped.get(words.length) ?? [];
    return [
      ...less.flatMap((text) => dropped.get(text) ?? []),
      ...near.filter((one) => mayBecome(words, one.words, one.errors)).map(({ question }) => question),
    ];
  };
}

/** Longer names take long, and hardly any two of them differ by a word. */
const droppedTermsMax = 10;

/** The chance that a right answer is among the first `places` of an order by chance. */
export function chanceAmong(places: number, { meant, right }: Ambiguity): number {
  if (right === 0) return 1;
  let missed = 1;
  for (let place = 0; place < places; place++)
    missed *= Math.max(0, meant - right - place) / (meant - place || 1);
  return 1 - missed;
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

const [some, other] = [new Uint16Array(100), new Uint16Array(100)];

/** Whether errors in words of four letters or more make a question of the name. */
function mayBecome(name: readonly string[], question: readonly string[], errors: number): boolean {
  const changed: number[] = [];
  for (let at = 0; at < name.length; at++) {
    if (name[at] === question[at]) continue;
    if (changed.push(at) > errors) return false;
  }
  let made = 0;
  for (const at of changed) {
    const [before, after] = [name[at] ?? '', question[at] ?? ''];
    if (!/^[a-z]{4,99}$/.test(before) || after.length > some.length) return false;
    unitsOf(before, some);
    unitsOf(after, other);
    made += editDistance(some, before.length, other, after.length, errors);
  }
  return made > 0 && made <= errors;
}
