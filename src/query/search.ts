/**
 * searchCompanies: the hits of the index, each with the fields that distinguish companies. suggestCompanies: companies
 * for a text while it is typed.
 */
import { refusedCountry } from '../lei/codes.ts';
import { noNotices } from '../lei/notices.ts';
import type { SuggestQuestion } from '../protocol/ext-questions.ts';
import { piece } from '../protocol/json-bytes.ts';
import type { Answer, Question } from '../protocol/questions.ts';
import type { EntitySummary, PublicationReader } from '../store/publication-reader.ts';
import type { SearchHit, SearchOutcome } from '../store/search/search-reader.ts';
import { found, out, putList, putShown, shown, textOrNull } from './answers.ts';
import { queryLimits } from './limits.ts';

type SearchQuestion = Extract<Question, { kind: 'search' }>;

export function answerSearch(publication: PublicationReader, question: SearchQuestion): Answer {
  const { q, country, status } = question;
  const refused = invalidCountry(publication, country);
  if (refused !== null) return refused;
  const outcome = publication.search.search(question);
  if (outcome.outcome !== 'hits') return withoutHits(outcome);
  const query = `{"q":${JSON.stringify(q)},"country":${textOrNull(country)},"status":${textOrNull(status)}}`;
  out.begin();
  out.text(`{"query":${query},"total":${outcome.total},"items":`);
  putList(out, outcome.hits, (hit) => putHit(publication.summary(hit.entity), hit));
  out.text('}');
  return found(out, noNotices, outcome.next);
}

/** The answer for a search that ran out of time, or whose cursor the index refuses. */
function withoutHits(outcome: Exclude<SearchOutcome, { outcome: 'hits' }>): Answer {
  if (outcome.outcome === 'timeout') return { outcome: 'unavailable', reason: 'timeout' };
  return { outcome: 'invalid', parameter: 'cursor', detail: outcome.detail };
}

/** Refuses an unknown country; null if there is nothing to refuse. */
export function invalidCountry(
  { countries }: PublicationReader,
  country: string | null,
): Extract<Answer, { outcome: 'invalid' }> | null {
  const detail = country === null ? null : refusedCountry(country, countries);
  return detail === null ? null : { outcome: 'invalid', parameter: 'country', detail };
}

function putHit(summary: EntitySummary, { nameIndex, score }: SearchHit): void {
  putShown(out, summary, membersBeforeMatch);
  out.put(matchPiece);
  summary.putName(out, nameIndex);
  putShown(out, summary, membersAfterMatch);
  out.text(`,"score":${score}}`);
}

const membersBeforeMatch = [shown('{"lei":', 'lei'), shown(',"name":', 'name')];
const matchPiece = piece(',"matchedName":');
const membersAfterMatch = [
  shown(',"country":', 'country'),
  shown(',"jurisdiction":', 'jurisdiction'),
  shown(',"city":', 'city'),
  shown(',"entityStatus":', 'entityStatus'),
  shown(',"registrationStatus":', 'registrationStatus'),
];

/** Companies for a text while it is typed. Uses a search if no name has the words so far: the text may be mistyped. */
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
    putShown(out, summary(entity), suggestedMembers);
    out.text('}');
  });
  out.text('}');
  return found(out);
}

const suggestedMembers = [
  shown('{"lei":', 'lei'),
  shown(',"name":', 'name'),
  shown(',"country":', 'country'),
];
