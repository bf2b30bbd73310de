/** `/status`: the published data and the state of the service. */
import { StatusAnswerSchema } from '../../lei/answers.ts';
import { reads, serviceEndpoint } from './endpoint.ts';
import example from './examples/status.json' with { type: 'json' };

export const status = serviceEndpoint({
  ...reads,
  path: '/status',
  operationId: 'getStatus',
  parameters: [],
  cost: null,
  tag: 'Service',
  summary: 'The served data',
  description:
    'The active publication, its source files, and the load in progress. The operation ignores the query and the Authorization header, and is never counted.',
  answer: { name: 'StatusAnswer', schema: StatusAnswerSchema, example },
});
