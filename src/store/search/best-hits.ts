/** Hits that are scored name by name, best first, as far as a page shows them. */
import type { IndexShape } from './format.ts';
import { grades } from './ranks.ts';
import {
  type DocumentScorer,
  formsDifferMax,
  gradeOfDocument,
  relevanceMax,
  type Scored,
  scoreOfRelevance,
} from './score.ts';
import type { SearchHit } from './search-reader.ts';
import type { Plan } from './slots.ts';
import { without } from './sorted.ts';

/** Companies whose identifier or whole name the question is, with the name; -1 for an identifier. */
export type Pinned = ReadonlyMap<number, number>;

export interface Scoring {
  readonly shape: IndexShape;
  readonly plan: Plan;
  readonly scorer: DocumentScorer;
  readonly pinned: Pinned;
  /** Whether no company of any country and status answers but duplicates of others. */
  readonly duplicatesOnly: boolean;
  /** Those of the documents (ascending) that have every legal form of the question in their names. */
  withForms(documents: Uint32Array): Uint32Array;
}

const wholeScore = 10_000;
const duplicateScoreMax = 1_000;

/** @param score in ten-thousandths */
export function hitOf(score: number, entity: number, nameIndex: number): SearchHit {
  return { entity, score: score / wholeScore, nameIndex };
}

/** Score in ten-thousandths of a document that is scored name by name. */
function scoreOf(
  { pinned, shape, duplicatesOnly }: Scoring,
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

/** More documents than there are. */
const documentRange = 2 ** 24;
const unread: Scored = { relevance: 0, nameIndex: 0, entity: 0 };

/** A run of documents, ascending, and the best relevance that any of them can have. */
type Run = readonly [documents: Uint32Array, most: number];

/**
 * Documents by score. Each run is looked at in order of rank, and a score holds the grade of rank; so where enough
 * answer as well as any of a run can, none of those after them passes them.
 */
export class BestHits {
  private readonly scoring: Scoring;
  private readonly scored = new Map<number, Scored>();
  /** Score (descending) and document (ascending) in one number that sorts as they do. */
  private readonly keys: Float64Array;

  /**
   * @param documents ascending
   * @param end up to which position hits are asked for
   */
  constructor(scoring: Scoring, documents: Uint32Array, end: number) {
    this.scoring = scoring;
    this.keys = new Float64Array(documents.length);
    // An identifier is above all names, wherever it stands.
    const enough = [...scoring.pinned.values()].includes(-1) ? documents.length : end;
    for (const run of likeliestFirst(scoring, documents)) if (this.score(run, enough)) break;
    this.keys.subarray(0, this.scored.size).sort();
  }

  at(position: number): SearchHit {
    const key = this.keys[position] ?? 0;
    const { entity, nameIndex } = this.scored.get(key % documentRange) ?? unread;
    return hitOf(wholeScore - Math.floor(key / documentRange), entity, nameIndex);
  }

  /** Scores a run until enough are before all that is left. @returns whether they are */
  private score([documents, most]: Run, enough: number): boolean {
    const { scoring, scored, keys } = this;
    let before = 0;
    for (const { relevance } of scored.values()) if (relevance > most) before++;
    for (let i = 0; i < documents.length && before < enough; i++) {
      const document = documents[i] ?? 0;
      const one = scoring.scorer.score(document, scoring.pinned.get(document) ?? -1);
      keys[scored.size] = (wholeScore - scoreOf(scoring, document, one)) * documentRange + document;
      scored.set(document, one);
      if (one.relevance === most) before++;
    }
    return before >= enough;
  }
}

/** From so many documents on it is asked first which of them have the question's legal forms: a read for each chunk. */
const manyDocuments = 200;

/** The documents in runs, each with the best relevance that any of it can have, in order of that. */
function* likeliestFirst({ plan, withForms }: Scoring, documents: Uint32Array): Generator<Run> {
  if (plan.forms.size === 0 || documents.length < manyDocuments) {
    yield [documents, relevanceMax];
    return;
  }
  const agreeing = withForms(documents);
  yield [agreeing, relevanceMax];
  yield [without(documents, agreeing), formsDifferMax];
}
