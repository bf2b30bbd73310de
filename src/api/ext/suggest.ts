/** `/ext/v1/suggest`: companies for a name while it is typed. */
import { SuggestAnswerSchema } from '../../lei/list-answers.ts';
import { extEndpoint, oneSearch, reads } from '../endpoint.ts';
import example from './examples/suggest.json' with { type: 'json' };

export const suggest = extEndpoint({
  ...reads,
  path: '/suggest',
  operationId: 'suggestCompanies',
  parameters: ['q'],
  cost: oneSearch,
  question: (_, { q }) => ({ kind: 'suggest', q: q ?? '' }),
  tag: 'Search',
  summary: 'Suggest companies while a user types',
  description:
    'Up to 10 companies whose names have the words of `q`, in any order; the last word may be unfinished. A company whose whole name or identifier is `q` comes first, then those whose legal name begins with `q`, then the others, each the most important first. If no name has the words, the answer has the results of a search.',
  answer: { name: 'SuggestAnswer', schema: SuggestAnswerSchema, example },
});
