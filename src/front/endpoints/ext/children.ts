/** `/ext/v1/lei/{lei}/children`: the children of a company, in pages. */
import { type ChildKind, childKinds, RelatedCompanySchema } from '../../../lei/relationship.ts';
import { count, LeiSchema, listOf, object, oneOf, said, text } from '../../../lei/schema.ts';
import { extEndpoint, oneSearch, reads } from '../endpoint.ts';
import { asItIs, type OwnParameter, Refusal } from '../parameters.ts';
import example from './examples/children.json' with { type: 'json' };

const kind: OwnParameter<ChildKind> = {
  read: (text) =>
    childKinds.find((known) => known === text) ?? new Refusal(`must be one of ${childKinds.join(', ')}`),
  spell: asItIs,
  required: null,
  description:
    'The kind of children: `direct` and `ultimate` are the companies that this company consolidates; `fund` are the funds that it manages, its sub-funds and feeders; `branch` are its international branches.',
  schema: { type: 'string', enum: [...childKinds], default: 'direct' },
};

export const ChildrenPageSchema = object({
  lei: said(LeiSchema, 'The LEI from the request.'),
  name: text('The legal name of this company.'),
  kind: oneOf(childKinds, 'The kind of these children.'),
  total: count('The number of items on all pages.'),
  items: listOf(RelatedCompanySchema, 'The children of this page, by name, then by LEI.'),
});

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
  answer: { name: 'ChildrenPage', schema: ChildrenPageSchema, example },
});
