/** searchCompanies: the hits of the index, each with the fields that distinguish companies. */
import { refusedCountry } from '../lei/codes.ts';
import { noNotices } from '../lei/notices.ts';
import { piece } from '../protocol/json-bytes.ts';
import type { Answer, Question } from '../protocol/questions.ts';
import type { EntitySummary, PublicationReader } from '../store/publication-reader.ts';
import type { SearchHit, SearchOutcome } from '../store/search/search-reader.ts';
import { found, out, textOrNull } from './answers.ts';
import { putList, putShown, shown } from './json-parts.ts';

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
export function withoutHits(outcome: Exclude<SearchOutcome, { outcome: 'hits' }>): Answer {
  if (outcome.outcome === 'timeout') return { outcome: 'unavailable', reason: 'timeout' };
  return { outcome: 'invalid', parameter: 'cursor', detail: outcome.detail };
}

/** Refuses an unknown country; null if there is nothing to refuse. */
export function invalidCountry({ countries }: PublicationReader, country: string | null): Answer | null {
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
