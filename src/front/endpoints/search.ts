/** `/search`: companies by name, best first, in pages. */
import { Type } from '@sinclair/typebox';
import { companySummary } from '../../lei/answers.ts';
import { registrationStatuses } from '../../lei/codes.ts';
import { EntitySchema } from '../../lei/company.ts';
import {
  count,
  LeiSchema,
  listOf,
  nullable,
  object,
  oneOf,
  said,
  text,
  textOrNull,
} from '../../lei/schema.ts';
import { dataEndpoint, oneSearch, reads } from './endpoint.ts';
import example from './examples/search.json' with { type: 'json' };

export const SearchHitSchema = object({
  lei: said(LeiSchema, 'The LEI of the company.'),
  name: text('The legal name.'),
  matchedName: object(
    {
      name: text('The name that matches the query best.'),
      type: textOrNull('`LEGAL_NAME`, or the type of the other name.', 'LEGAL_NAME'),
    },
    'The name by which the company was found.',
  ),
  country: companySummary.country,
  jurisdiction: EntitySchema.properties.jurisdiction,
  city: textOrNull('The city of the legal address.', 'Frankfurt am Main'),
  entityStatus: companySummary.entityStatus,
  registrationStatus: companySummary.registrationStatus,
  score: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'How well the company matches the query; 1 is best. Compare scores only within one answer.',
  }),
});
export const SearchAnswerSchema = object({
  query: object(
    {
      q: text('The text, trimmed.'),
      country: textOrNull('The country, in upper case; null if the request has none.', 'DE'),
      status: nullable(
        oneOf(registrationStatuses, ''),
        'The registration status, in upper case; null if the request has none.',
      ),
    },
    'The query as the service understood it.',
  ),
  total: count('The exact number of companies on all pages.'),
  items: listOf(SearchHitSchema, 'The companies of this page, best first.'),
});

export const search = dataEndpoint({
  ...reads,
  path: '/search',
  operationId: 'searchCompanies',
  parameters: ['q', 'country', 'status', 'cursor', 'limit'],
  cost: oneSearch,
  question: (_, { q, country, status, limit }, after) => ({
    kind: 'search',
    q: q ?? '',
    country,
    status,
    after,
    limit,
  }),
  tag: 'Search',
  summary: 'Companies by name',
  description:
    'The best hits come first; hits with the same score are sorted by LEI. A hit has all words of `q`; small words and legal forms may be missing. If fewer than ten companies have the words as typed, the search also takes words that are mistyped, joined, split or (the last one) unfinished. If it still finds none, it leaves words out. `total` is exactly the number of companies that all pages together have.',
  answer: { name: 'SearchAnswer', schema: SearchAnswerSchema, example },
});
