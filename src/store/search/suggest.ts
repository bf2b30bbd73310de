/**
 * Suggests companies for a text that is still being typed: those of the highest rank whose names have its words, the
 * last one as a beginning. Names that begin with the text come before names that have it further on.
 */
import { isForm } from '../../lei/names/name-terms.ts';
import { searchLimits } from './limits.ts';
import { pinnedDocuments } from './match/pinned.ts';
import type { IndexParts } from './parts.ts';
import { planAsTyped } from './plan/query-plan.ts';
import { addCompletions } from './plan/widen.ts';
import { DocumentScorer } from './score/score.ts';
import type { SearchOutcome } from './search-reader.ts';

/**
 * Scores nothing: the stored rank decides. Companies whose whole name or identifier equals the text come first.
 * @param terms the terms of `q`, at least one
 */
export function suggest(parts: IndexParts, q: string, terms: readonly string[]): SearchOutcome {
  const plan = planAsTyped(parts, terms);
  const last = plan.words.length - 1;
  const unions = plan.words.flatMap((word, i) => {
    const isLast = i === last && word.text === terms.at(-1) && !isForm(word.text);
    if (isLast) return [[...word.typed, ...addCompletions(parts, plan, i, word)]];
    return word.light && last > 0 ? [] : [word.typed];
  });
  const most = searchLimits.suggestionsMax;
  const looked = searchLimits.suggestionsLookedAtMax;
  const begun = parts.sets.intersect(unions, 0, looked, looked).documents;
  const scorer = new DocumentScorer(parts, plan);
  const pinned = pinnedDocuments(parts, q, terms).keys();
  const documents = [...new Set([...pinned, ...beginningFirst(begun, scorer, most)])].slice(0, most);
  const hits = documents.map((document) => ({ ...scorer.score(document, -1), score: 1 }));
  return { outcome: 'hits', total: hits.length, hits, next: null };
}

/** The first of the documents, those whose legal name begins with the question before the others. */
function beginningFirst(documents: Iterable<number>, scorer: DocumentScorer, most: number): number[] {
  const beginning: number[] = [];
  const others: number[] = [];
  for (const document of documents) {
    if (beginning.length === most) break;
    (scorer.begins(document) ? beginning : others).push(document);
  }
  return [...beginning, ...others].slice(0, most);
}
