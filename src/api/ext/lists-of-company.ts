/** `/ext/v1/lei/{lei}/children` and `/isins`: the children and all ISINs of a company, in pages. */
import { asItIs, type OwnParameter, Refusal } from '../../http/parameters.ts';
import { ChildrenPageSchema } from '../../lei/list-answers.ts';
import { type ChildKind, childKinds } from '../../lei/relationship-codes.ts';
import { count, LeiSchema, listOf, object, said, text } from '../../lei/schema.ts';
import { extEndpoint, oneSearch, reads } from '../endpoint.ts';
import childrenExample from './examples/children.json' with { type: 'json' };
import isinsExample from './examples/isins.json' with { type: 'json' };

const kind: OwnParameter<ChildKind> = {
  read: (text) =>
    childKinds.find((known) => known === text) ?? new Refusal(`must be one of ${childKinds.join(', ')}`),
  spell: asItIs,
  required: null,
  description:
    'The kind of children: `direct` and `ultimate` are the companies that this company consolidates; `fund` are the funds that it manages, its sub-funds and feeders; `branch` are its international branches.',
  schema: { type: 'string', enum: [...childKinds], default: 'direct' },
};

export const children = extEndpoint({
  ...reads,
  path: '/lei/{lei}/children',
  operationId: 'getChildren',
  parameters: ['cursor', 'limit'],
  own: { kind },
  cost: oneSearch,
  question: (lei, { own, limit }, after) => ({
    kind: 'children',
    lei,
    of: own.kind ?? 'direct',
    after,
    limit,
  }),
  tag: 'Companies',
  summary: 'The children of a company, in pages',
  description:
    'Children by a current relationship, sorted by name, then by LEI. `total` is the number of children on all pages.',
  answer: { name: 'ChildrenPage', schema: ChildrenPageSchema, example: childrenExample },
});

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
  answer: { name: 'IsinsPage', schema: IsinsPageSchema, example: isinsExample },
});
