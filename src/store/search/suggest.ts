/**
 * Suggests companies for a text that is still being typed: those of the highest rank whose names have its words, the
 * last one as a beginning. Names that begin with the text come before names that have it further on.
 */
import { isForm } from '../../lei/names/name-terms.ts';
import { cardHash } from './index/cards.ts';
import type { Term } from './index/term-blocks.ts';
import { searchLimits } from './limits.ts';
import { pinnedDocuments } from './match/pinned.ts';
import type { IndexParts } from './parts.ts';
import { planAsTyped } from './plan/query-plan.ts';
import { addCompletions } from './plan/unfinished.ts';
import { DocumentScorer } from './score/score.ts';
import type { SearchOutcome } from './search-reader.ts';

/**
 * Scores nothing: the stored rank decides. Companies whose whole name or identifier equals the text come first.
 * @param terms the terms of `q`, at least one
 */
export function suggest(parts: IndexParts, q: string, terms: readonly string[]): SearchOutcome {
  const plan = planAsTyped(parts, q, terms);
  const last = plan.words.length - 1;
  const completions: Term[] = [];
  const unions = plan.words.flatMap((word, i) => {
    if (i === last && word.text === terms.at(-1) && !isForm(word.text)) {
      completions.push(...addCompletions(parts, plan, i, word));
      return [[...word.typed, ...completions.map((term) => parts.sets.listOf(term))]];
    }
    return word.light && last > 0 ? [] : [word.typed];
  });
  const hashes = [...plan.hashes, ...completions.map(({ hash }) => hash)];
  const { suggestionsMax: most, suggestionsLookedAtMax, suggestionsLookedAtMin } = searchLimits;
  const begun = parts.sets.intersect(unions, 0, suggestionsLookedAtMax, suggestionsLookedAtMin).documents;
  const scorer = new DocumentScorer(parts, plan);
  const pinned = pinnedDocuments(parts, q, terms).keys();
  const beginning = beginningWith(parts, hashes, scorer, begun);
  const documents = [...new Set([...pinned, ...beginning, ...begun.subarray(0, most)])].slice(0, most);
  const hits = documents.map((document) => ({ ...scorer.score(document, -1), score: 1 }));
  return { outcome: 'hits', total: hits.length, hits, next: null };
}

/**
 * The first of the documents whose legal name begins with the question. Cards tell which names are worth reading.
 * @param hashes of the terms that its words may mean
 */
function beginningWith(
  parts: IndexParts,
  hashes: readonly number[],
  scorer: DocumentScorer,
  documents: Uint32Array,
): number[] {
  const mayBegin = new Uint8Array(256);
  for (const hash of hashes) mayBegin[cardHash(hash)] = 1;
  const cards = parts.cards();
  const found: number[] = [];
  let namesLeft: number = searchLimits.suggestionNamesMax;
  for (const document of documents) {
    if (found.length === searchLimits.suggestionsMax || namesLeft === 0) break;
    if (mayBegin[(cards[document] ?? 0) >>> 8] === 0) continue;
    namesLeft--;
    if (scorer.begins(document)) found.push(document);
  }
  return found;
}
