/** `/search`: companies by name, best first, in pages. */
import { SearchAnswerSchema } from '../../lei/answers.ts';
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
    'Best first by `score`, ties by LEI. A hit has all words of the question, small ones and legal forms aside. Where fewer than ten companies have them as typed, words may also be mistyped, joined, split or, the last one, unfinished; where none has them so either, some may be missing. `total` is exactly the number of rows that all pages together have.',
  answer: { name: 'SearchAnswer', schema: SearchAnswerSchema, example },
});
