/** `/search`: companies by name, best first, in pages. */
import { SearchAnswerSchema } from '../lei/list-answers.ts';
import { dataEndpoint, oneSearch, reads } from './endpoint.ts';
import example from './examples/search.json' with { type: 'json' };

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
