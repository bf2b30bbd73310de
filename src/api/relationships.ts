/** `/lei/{lei}/relationships`: parents and children of one legal entity. */
import { CompanyRelationshipsSchema } from '../lei/relationship.ts';
import { dataEndpoint, oneSearch, reads } from './endpoint.ts';
import example from './examples/relationships.json' with { type: 'json' };

export const relationships = dataEndpoint({
  ...reads,
  unbounded: true,
  path: '/lei/{lei}/relationships',
  operationId: 'getCompanyRelationships',
  parameters: [],
  cost: oneSearch,
  question: (lei) => ({ kind: 'relationships', lei }),
  tag: 'Companies',
  summary: 'Who owns a company, and whom it owns',
  description:
    'The level 2 records of the company in both directions. A parent is a company with the relationship, or the exception that says why none is reported, or `null` if nothing was reported. The lists of children are complete, sorted by name, then by LEI. `others` has funds, branches and former relationships.',
  answer: { name: 'CompanyRelationships', schema: CompanyRelationshipsSchema, example },
});
