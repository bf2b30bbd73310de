/** `/ext/v1/suggest`: companies for a name while it is typed. */
import { Type } from '@sinclair/typebox';
import { LeiSchema, object, said, text, textOrNull } from '../../../lei/schema.ts';
import { extEndpoint, oneSearch, reads } from '../endpoint.ts';
import example from './examples/suggest.json' with { type: 'json' };

export const SuggestAnswerSchema = object({
  items: Type.Array(
    object({
      lei: said(LeiSchema, 'The LEI of the company.'),
      name: text('The legal name.'),
      country: textOrNull('The country of the legal address, a code of ISO 3166-1 alpha-2.', 'DE'),
    }),
    { maxItems: 10, description: 'The companies, best first.' },
  ),
});

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
