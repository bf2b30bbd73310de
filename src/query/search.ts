/** searchCompanies: hits of the index, shown with what a reader needs to tell companies apart. */
import { countryCodes } from '../lei/codes.ts';
import type { Answer, Question } from '../protocol/questions.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import type { SearchHit } from '../store/search/search-reader.ts';
import { found, noNotices, textOrNull } from './found.ts';

type SearchQuestion = Extract<Question, { kind: 'search' }>;

export function answerSearch(publication: PublicationReader, question: SearchQuestion): Answer {
  const { q, country, status } = question;
  if (country !== null && !isKnownCountry(publication, country)) return unknownCountry(country);
  const outcome = publication.search.search(question);
  if (outcome.outcome === 'refused') {
    return { outcome: 'invalid', parameter: outcome.parameter, detail: outcome.detail };
  }
  const query = `{"q":${JSON.stringify(q)},"country":${textOrNull(country)},"status":${textOrNull(status)}}`;
  const items = outcome.hits.map((hit) => hitJson(publication, hit)).join(',');
  return found(`{"query":${query},"total":${outcome.total},"items":[${items}]}`, noNotices, outcome.next);
}

/** Codes outside the list are in use where the publisher needs them, as XK. */
function isKnownCountry(publication: PublicationReader, country: string): boolean {
  return countryCodes.has(country) || publication.countries.has(country);
}

function unknownCountry(country: string): Answer {
  const detail =
    `must be an ISO 3166-1 alpha-2 country code such as DE or US; ${JSON.stringify(country)} is none, ` +
    'and no legal address in this data set uses it';
  return { outcome: 'invalid', parameter: 'country', detail };
}

function hitJson(publication: PublicationReader, hit: SearchHit): string {
  const summary = publication.summary(hit.entity);
  const names = publication.names(hit.entity);
  const matched = names[hit.nameIndex] ?? names[0];
  if (matched === undefined) throw new Error(`${summary.lei} is in the search index but has no name.`);
  return (
    `{"lei":"${summary.lei}","name":${textOrNull(summary.name)}` +
    `,"matchedName":{"name":${JSON.stringify(matched.name)},"type":${JSON.stringify(matched.type)}}` +
    `,"country":${textOrNull(summary.country)},"jurisdiction":${textOrNull(summary.jurisdiction)}` +
    `,"city":${textOrNull(summary.city)},"entityStatus":${textOrNull(summary.entityStatus)}` +
    `,"registrationStatus":${textOrNull(summary.registrationStatus)},"score":${hit.score}}`
  );
}
