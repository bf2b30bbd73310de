/** `/ext/v1/identifiers`: the companies behind up to 100 identifiers of one kind. */
import { IdentifiersAnswerSchema } from '../../../lei/ext-answers.ts';
import { byKind, identifierKinds } from '../../../lei/identifier-kinds.ts';
import { batchQuestion, listParameter, lookUpEach } from '../batch.ts';
import { extEndpoint, reads } from '../endpoint.ts';
import example from './examples/identifiers.json' with { type: 'json' };

const several = identifierKinds.join(', ');

export const identifiers = extEndpoint({
  ...reads,
  path: '/identifiers',
  operationId: 'getIdentifiers',
  parameters: [],
  own: byKind(identifierKinds, (kind) => listParameter(kind, null)),
  batch: true,
  faultsOf: (own) => {
    const given = identifierKinds.filter((kind) => own.has(kind));
    if (given.length === 1) return [];
    const detail = `must be the only one: a request takes exactly one of ${several}`;
    if (given.length > 1) return given.slice(1).map((parameter) => ({ parameter, detail }));
    return [{ parameter: 'isin', detail: `is required, or another one of ${several}` }];
  },
  cost: lookUpEach(identifierKinds),
  question: (_, { own }, __, context) => {
    const kind = identifierKinds.find((each) => own.has(each)) ?? 'isin';
    return batchQuestion(kind, own.get(kind) ?? '', context);
  },
  tag: 'Identifiers',
  summary: 'The companies behind up to 100 identifiers of one kind',
  description: `Takes exactly one of ${several}. The items come in the order asked; the first member of each is called as the kind is. \`answer\` is the data of the operation for one identifier. An identifier that is mistyped or unknown spoils only its own item. Each costs one look-up. A request that would pass a limit is refused whole.`,
  answer: { name: 'IdentifiersAnswer', schema: IdentifiersAnswerSchema, example },
});
