/** `/ext/v1/lei/{lei}/children`: the children of a company, in pages. */

import { asItIs, type OwnParameter, Refusal } from '../../http/parameters.ts';
import { ChildrenPageSchema } from '../../lei/list-answers.ts';
import { type ChildKind, childKinds } from '../../lei/relationship.ts';
import { extEndpoint, oneSearch, reads } from '../endpoint.ts';
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

export const children = extEndpoint({
  ...reads,
  path: '/lei/{lei}/children',
  operationId: 'getChildren',
  parameters: ['cursor', 'limit'],
  own: { kind },
  cost: oneSearch,
  question: (lei, { own, limit }, after) => ({
    kind: 'children',
    withFacts: false,
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
