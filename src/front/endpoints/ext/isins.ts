/** `/ext/v1/lei/{lei}/isins`: all ISINs of a company, in pages. */
import { IsinsPageSchema } from '../../../lei/ext-answers.ts';
import { extEndpoint, oneSearch, reads } from '../endpoint.ts';
import example from './examples/isins.json' with { type: 'json' };

export const isins = extEndpoint({
  ...reads,
  path: '/lei/{lei}/isins',
  operationId: 'getCompanyIsins',
  parameters: ['cursor', 'limit'],
  cost: oneSearch,
  question: (lei, { limit }, after) => ({ kind: 'isins', lei, after, limit }),
  tag: 'Companies',
  summary: 'All ISINs of a company, in pages',
  description:
    'From GLEIF’s ISIN-to-LEI list, ascending and each once. The record of a company shows the first 20; here are all, however many there are. `total` is how many all pages together have.',
  answer: { name: 'IsinsPage', schema: IsinsPageSchema, example },
});
