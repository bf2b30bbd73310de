/** `/lei/{lei}/changes`: the history of one legal entity, newest first, in pages. */
import { ChangesAnswerSchema } from '../lei/change-answers.ts';
import { dataEndpoint, oneSearch, reads } from './endpoint.ts';
import example from './examples/changes.json' with { type: 'json' };

export const changes = dataEndpoint({
  ...reads,
  path: '/lei/{lei}/changes',
  operationId: 'getCompanyChanges',
  parameters: ['cursor', 'limit'],
  cost: oneSearch,
  question: (lei, { limit }, after) => ({ kind: 'changes', lei, after, limit }),
  tag: 'Companies',
  summary: 'The change history of a company',
  description:
    'Newest first: changed fields, identifiers that came or went (if both publications had their table), changed and removed relationships, creation, removal, and snapshots recovered from older files. The changes of a removed LEI stay readable.',
  answer: { name: 'ChangesAnswer', schema: ChangesAnswerSchema, example },
});
