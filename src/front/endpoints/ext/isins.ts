/** `/ext/v1/lei/{lei}/isins`: all ISINs of a company, in pages. */
import { Type } from '@sinclair/typebox';
import { closed, count, LeiSchema, said, text } from '../../../lei/schema.ts';
import { extEndpoint, oneSearch, reads } from '../endpoint.ts';
import example from './examples/isins.json' with { type: 'json' };

const IsinsPageSchema = Type.Object(
  {
    lei: said(LeiSchema, 'The LEI asked for.'),
    name: text('The legal name of the company asked for.'),
    total: count('How many there are: as many as all pages together have.'),
    items: Type.Array(text('An ISIN that is mapped to this LEI.', 'DE0005140008'), {
      description: 'The ISINs of this page, ascending.',
    }),
  },
  closed,
);

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
