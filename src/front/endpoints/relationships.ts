/** `/lei/{lei}/relationships`: parents and children of one legal entity. */
import { CompanyRelationshipsSchema } from '../../lei/relationship.ts';
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
    'Level 2 in both directions. A parent is `null` (nothing reported), a company with the relationship, or the exception that says why none is reported. Children are complete, sorted by name then LEI. `others` holds funds, branches and inactive relationships.',
  answer: { name: 'CompanyRelationships', schema: CompanyRelationshipsSchema, example },
});
