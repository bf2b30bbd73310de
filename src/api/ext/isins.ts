/** `/ext/v1/lei/{lei}/isins`: all ISINs of a company, in pages. */
import { count, LeiSchema, listOf, object, said, text } from '../../lei/schema.ts';
import { extEndpoint, oneSearch, reads } from '../endpoint.ts';
import example from './examples/isins.json' with { type: 'json' };

const IsinsPageSchema = object({
  lei: said(LeiSchema, 'The LEI from the request.'),
  name: text('The legal name of this company.'),
  total: count('The number of items on all pages.'),
  items: listOf(
    text('An ISIN that is mapped to this LEI.', 'DE0005140008'),
    'The ISINs of this page, in ascending order.',
  ),
});

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
    'All ISINs from GLEIF’s ISIN-to-LEI list, in ascending order and without duplicates; the record of a company shows only the first 20. `total` is the number of ISINs on all pages.',
  answer: { name: 'IsinsPage', schema: IsinsPageSchema, example },
});
