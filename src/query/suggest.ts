/** suggestCompanies: companies for a text while it is typed. */
import type { SuggestQuestion } from '../protocol/ext-questions.ts';
import type { Answer } from '../protocol/questions.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { found, out } from './answers.ts';
import { putList, putShown, shown } from './json-parts.ts';
import { queryLimits } from './limits.ts';
import { withoutHits } from './search.ts';

/** Uses a search if no name has the words so far: the text may be mistyped. */
export function answerSuggest({ search, summary }: PublicationReader, { q }: SuggestQuestion): Answer {
  const begun = search.suggest(q);
  const isEmpty = begun.outcome === 'hits' && begun.hits.length === 0;
  const outcome = isEmpty
    ? search.search({ q, country: null, status: null, after: null, limit: queryLimits.suggestionsMax })
    : begun;
  if (outcome.outcome !== 'hits') return withoutHits(outcome);
  out.begin();
  out.text('{"items":');
  putList(out, outcome.hits, ({ entity }) => {
    putShown(out, summary(entity), members);
    out.text('}');
  });
  out.text('}');
  return found(out);
}

const members = [shown('{"lei":', 'lei'), shown(',"name":', 'name'), shown(',"country":', 'country')];
