/** `/status`: the published data and the state of the service. */
import { StatusAnswerSchema } from '../lei/answers.ts';
import { byKind, identifierKinds } from '../lei/identifier-kinds.ts';
import { reads, serviceEndpoint } from './endpoint.ts';
import recorded from './examples/status.json' with { type: 'json' };

/** The example counts only the identifiers that the sample has. */
const counts: Readonly<Record<string, number>> = recorded.data.counts;
const example = {
  ...recorded,
  data: {
    ...recorded.data,
    counts: { ...counts, ...byKind(identifierKinds, (kind) => counts[kind] ?? 0) },
  },
};

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
