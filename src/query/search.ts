/**
 * searchCompanies: the hits of the index, each with the fields that distinguish companies. suggestCompanies: companies
 * for a text while it is typed.
 */
import { refusedCountry } from '../lei/codes.ts';
import { checkTyped } from '../lei/identifier-kinds.ts';
import { noNotices } from '../lei/notices.ts';
import type { SuggestQuestion } from '../protocol/ext-questions.ts';
import { JsonBytes, piece } from '../protocol/json-bytes.ts';
import type { Answer, Question } from '../protocol/questions.ts';
import type {
  EntityNumber,
  EntitySummary,
  PublicationReader,
  SummaryField,
} from '../store/publication-reader.ts';
import type { SearchHit, SearchOutcome } from '../store/search/search-reader.ts';
import { found, out, putList, putShown, shown, textOrNull } from './answers.ts';
import { queryLimits } from './limits.ts';

type SearchQuestion = Extract<Question, { kind: 'search' }>;

export function answerSearch(publication: PublicationReader, question: SearchQuestion): Answer {
  const { q, country, status } = question;
  const refused = invalidCountry(publication, country);
  if (refused !== null) return refused;
  const outcome = companiesOfCode(publication, question) ?? publication.search.search(question);
  if (outcome.outcome !== 'hits') return withoutHits(outcome);
  const query = `{"q":${JSON.stringify(q)},"country":${textOrNull(country)},"status":${textOrNull(status)}}`;
  out.begin();
  out.text(`{"query":${query},"total":${outcome.total},"items":`);
  putList(out, outcome.hits, (hit) => putHit(publication.summary(hit.entity), hit));
  out.text('}');
  return found(out, noNotices, outcome.next);
}

/** The companies of an ISIN or an OpenCorporates id in place of a name; none if the text is no such code. */
export function entitiesOfCode(publication: PublicationReader, q: string): readonly EntityNumber[] {
  if (!perhapsCode.test(q)) return [];
  return codesNotIndexed
    .flatMap((kind) => {
      const check = checkTyped(kind, q);
      return check.ok ? publication.entitiesOf(kind, check.value) : [];
    })
    .filter((entity) => valueIn(publication.summary(entity), 'name') !== null);
}

/** Those of them that pass the filters, as the hits of a search; null if there are none. */
function companiesOfCode(
  publication: PublicationReader,
  { q, country, status, after, limit }: Omit<SearchQuestion, 'kind'>,
): SearchOutcome | null {
  const is = (entity: EntityNumber, field: SummaryField, value: string | null) =>
    value === null || valueIn(publication.summary(entity), field) === value;
  const companies = entitiesOfCode(publication, q).filter(
    (entity) => is(entity, 'country', country) && is(entity, 'registrationStatus', status),
  );
  if (companies.length === 0) return null;
  const from = after === null ? 0 : Number(after);
  const hits = companies.slice(from, from + limit).map((entity) => ({ entity, score: 1, nameIndex: 0 }));
  const next = from + limit < companies.length ? String(from + limit) : null;
  return { outcome: 'hits', total: companies.length, hits, next };
}

/** Kinds whose identifiers are not in the search index. */
const codesNotIndexed = ['isin', 'ocid'] as const;
/** An ISIN has a digit, an OpenCorporates id a slash. Most names have neither, so they need no check. */
const perhapsCode = /[0-9/]/;
const fieldJson = new JsonBytes();

function valueIn(summary: EntitySummary, field: SummaryField): unknown {
  fieldJson.begin();
  summary.put(fieldJson, field);
  return JSON.parse(fieldJson.toString());
}

/** The answer for a search that ran out of time, or whose cursor the index refuses. */
function withoutHits(outcome: Exclude<SearchOutcome, { outcome: 'hits' }>): Answer {
  if (outcome.outcome === 'timeout') return { outcome: 'unavailable', reason: 'timeout' };
  return { outcome: 'invalid', parameter: 'cursor', detail: outcome.detail };
}

/** Refuses an unknown country; null if there is nothing to refuse. */
function invalidCountry({ countries }: PublicationReader, country: string | null): Answer | null {
  const detail = country === null ? null : refusedCountry(country, countries);
  return detail === null ? null : { outcome: 'invalid', parameter: 'country', detail };
}

function putHit(summary: EntitySummary, { nameIndex, score }: SearchHit): void {
  putFound(summary, nameIndex);
  out.text(`,"score":${score}}`);
}

/** Writes the members of an item that searches and lists share, without its end. @param nameIndex of the matched name */
export function putFound(summary: EntitySummary, nameIndex: number): void {
  putShown(out, summary, membersBeforeMatch);
  out.put(matchPiece);
  summary.putName(out, nameIndex);
  putShown(out, summary, membersAfterMatch);
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
export function answerSuggest(publication: PublicationReader, { q }: SuggestQuestion): Answer {
  const { search, summary } = publication;
  const all = { q, country: null, status: null, after: null, limit: queryLimits.suggestionsMax };
  const begun = companiesOfCode(publication, all) ?? search.suggest(q);
  const isEmpty = begun.outcome === 'hits' && begun.hits.length === 0;
  const outcome = isEmpty ? search.search(all) : begun;
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
