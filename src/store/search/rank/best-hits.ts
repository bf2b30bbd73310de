/** Scores hits name by name and returns the best first, as many as a page needs. */
import { firstNotBefore } from '../../../bytes/binary-search.ts';
import type { PinnedDocuments } from '../match/pinned.ts';
import type { IndexParts } from '../parts.ts';
import type { QueryPlan } from '../plan/query-plan.ts';
import { grades } from '../score/grades.ts';
import {
  asNamesake,
  type DocumentScorer,
  formsDiffer,
  formsNotAsked,
  gradeOfDocument,
  inPartMax,
  namesakesCounted,
  relevanceMax,
  type ScoredDocument,
  scoreOfRelevance,
} from '../score/score.ts';
import type { SearchHit } from '../search-reader.ts';
import { merged, sortedKeys, without } from '../sets/sorted.ts';

export interface ScoringParts {
  readonly parts: IndexParts;
  readonly plan: QueryPlan;
  readonly scorer: DocumentScorer;
  readonly pinned: PinnedDocuments;
  /** The pinned companies of any country and status. */
  readonly named: PinnedDocuments;
  /** Whether all companies with the question as a whole name are pinned: there may be too many. */
  readonly allPinned: boolean;
  /** Whether all matching companies, of any country and status, are duplicates of others. */
  readonly duplicatesOnly: boolean;
}

const wholeScore = 10_000;
const duplicateScoreMax = 1_000;

/** @param score in ten-thousandths */
export function hitOf(score: number, { entity, nameIndex }: ScoredDocument): SearchHit {
  return { entity, score: score / wholeScore, nameIndex };
}

/** Score in ten-thousandths of a document that is scored name by name. */
function scoreOf(
  { pinned, parts, duplicatesOnly }: ScoringParts,
  document: number,
  { relevance }: ScoredDocument,
): number {
  const grade = gradeOfDocument(parts.shape, document);
  if (pinned.get(document) === -1) {
    // A duplicate whose identifier was typed is the answer, unless another company matches too.
    return grade !== grades.duplicate || duplicatesOnly ? wholeScore : duplicateScoreMax;
  }
  return scoreOfRelevance(relevance, grade);
}

/** More than the number of any document. */
const documentRange = 2 ** 24;
const unread: ScoredDocument = {
  relevance: 0,
  nameIndex: 0,
  entity: 0,
  namesake: null,
  otherwise: 0,
  otherwiseIndex: 0,
};

/** Ascending documents and an upper bound of their relevance. */
type DocumentRun = readonly [documents: Uint32Array, most: number];

/**
 * Orders documents by score. It scores each run in order of rank, and a score contains the grade of rank. So once
 * enough documents have the best relevance that the run can reach, no later document of the run comes before them.
 */
export class BestHits {
  private readonly scoring: ScoringParts;
  private readonly scored = new Map<number, ScoredDocument>();
  /** Score (descending) and document (ascending) in one number that sorts like both. */
  private readonly keys: Float64Array;
  private namesakes: readonly number[] | null = null;

  /**
   * @param pinned ascending documents
   * @param others ascending documents
   * @param end position after the last hit that the page shows
   */
  constructor(scoring: ScoringParts, pinned: Uint32Array, others: Uint32Array, end: number) {
    this.scoring = scoring;
    const all = pinned.length + others.length;
    this.keys = new Float64Array(all);
    // A company whose identifier was typed comes before all others, whatever its rank.
    const enough = [...scoring.pinned.values()].includes(-1) ? all : end;
    for (const run of likeliestFirst(scoring, pinned, others)) if (this.score(run, enough)) break;
    const keys = this.keys.subarray(0, this.scored.size).sort();
    const sharing = firstNotBefore(0, keys.length, (position) => (keys[position] ?? 0) < documentRange);
    if (sharing > 1) this.sortByLei(keys.subarray(0, sharing));
  }

  /**
   * Companies found by identifier share the best score whatever their grades, so their documents are not in order of
   * LEI.
   * @param keys of the best score: the documents themselves
   */
  private sortByLei(keys: Float64Array): void {
    const leiOf = (document: number) =>
      this.scoring.parts.leiOf((this.scored.get(document) ?? unread).entity);
    const found = Array.from(keys, (document) => ({ document, lei: leiOf(document) }));
    found.sort((a, b) => (a.lei < b.lei ? -1 : 1));
    keys.set(found.map(({ document }) => document));
  }

  /** The hits from a position up to another one (exclusive). */
  slice(from: number, to: number): SearchHit[] {
    return Array.from(this.keys.subarray(from, to), (key) => {
      const scored = this.scored.get(key % documentRange) ?? unread;
      return hitOf(wholeScore - Math.floor(key / documentRange), scored);
    });
  }

  /** The documents of all hits. Only valid if `end` was at least their number. */
  documents(): Uint32Array {
    return Uint32Array.from(this.keys, (key) => key % documentRange);
  }

  /** Scores a run until enough documents come before all of the rest. @returns whether they do */
  private score([documents, most]: DocumentRun, enough: number): boolean {
    const { scoring, scored, keys } = this;
    let before = 0;
    for (const { relevance } of scored.values()) if (relevance > most) before++;
    for (let i = 0; i < documents.length && before < enough; i++) {
      const document = documents[i] ?? 0;
      const one = this.scoreOne(document, most);
      keys[scored.size] = (wholeScore - scoreOf(scoring, document, one)) * documentRange + document;
      scored.set(document, one);
      if (one.relevance === most) before++;
    }
    return before >= enough;
  }

  private scoreOne(document: number, most: number): ScoredDocument {
    const one = this.scoring.scorer.score(document, this.scoring.pinned.get(document) ?? -1);
    const rated = one.namesake !== null ? this.asNamesake(document, one) : one;
    return rated.relevance > most ? { ...rated, relevance: most } : rated;
  }

  /** The first company that has the question's words and another form, or none, stands for all of them. */
  private asNamesake(document: number, one: ScoredDocument): ScoredDocument {
    this.namesakes ??= firstNamesakes(this.scoring);
    const namesakes = document === this.namesakes[0] ? this.namesakes.length : null;
    const relevance = asNamesake(one.relevance, namesakes);
    return relevance >= one.otherwise
      ? { ...one, relevance }
      : { ...one, relevance: one.otherwise, nameIndex: one.otherwiseIndex };
  }
}

/**
 * The best by rank of any country and status, so that they are the same under any filter. The first one without a legal form
 * comes before the others: the typed form does not contradict it.
 */
function firstNamesakes({ named, scorer }: ScoringParts): number[] {
  let formless: number | null = null;
  const others: number[] = [];
  for (const document of sortedKeys(named).subarray(0, namesakesRead)) {
    const { namesake } = scorer.score(document, named.get(document) ?? -1);
    if (namesake === 'missing' && formless === null) formless = document;
    else if (namesake !== null) others.push(document);
    if (formless !== null && others.length >= namesakesCounted) break;
  }
  return (formless === null ? others : [formless, ...others]).slice(0, namesakesCounted);
}

/** Among how many companies that have the question as a whole name the namesakes are looked for. */
const namesakesRead = 32;
/** With fewer documents of the same name than this, all are scored. */
const manyDocuments = 200;
const none = new Uint32Array(0);

/**
 * The documents in runs, in descending order of the best relevance that any of the run can have. Of those that have the
 * question as a whole name the ones with its legal forms come first. Of the others, names with a better form than most are
 * put first only among the first documents: to find them all, each would have to be read.
 */
function* likeliestFirst(
  { parts, plan, allPinned }: ScoringParts,
  pinned: Uint32Array,
  others: Uint32Array,
): Generator<DocumentRun> {
  const whole = allPinned ? pinned : merged(pinned, others);
  const inPart: DocumentRun = [allPinned ? others : none, inPartMax];
  if (whole.length < manyDocuments) {
    yield [whole, relevanceMax];
    yield inPart;
    return;
  }
  const agreeing = havingTypedForm(parts, plan, whole);
  const rest = without(whole, agreeing);
  const { best, usual } = plan.formsAsked === 0 ? formsNotAsked : formsDiffer;
  yield [agreeing, relevanceMax];
  yield [rest.subarray(0, manyDocuments), best];
  const late: DocumentRun = [rest.subarray(manyDocuments), usual];
  yield* usual > inPartMax ? [late, inPart] : [inPart, late];
}

/** Those of the documents (ascending) that have a legal form of the question, or have it as a word: UAB Bank Limited. */
export function havingTypedForm(parts: IndexParts, plan: QueryPlan, documents: Uint32Array): Uint32Array {
  const written = [...plan.forms, ...plan.formsAsWords].map((id) => parts.sets.listOf(parts.terms.byId(id)));
  return written.length === 0 ? none : parts.sets.members([written], documents);
}
