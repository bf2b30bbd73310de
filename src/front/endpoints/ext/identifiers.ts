/** `/ext/v1/identifiers`: the companies behind up to 100 identifiers of one kind. */
import { Type } from '@sinclair/typebox';
import { byKind, type IdentifierKind, identifierKinds } from '../../../lei/identifier-kinds.ts';
import { closed, nullable, text } from '../../../lei/schema.ts';
import {
  batchQuestion,
  type CheckedList,
  itemProblem,
  listParameter,
  lookUpEach,
  sizeFaults,
} from '../batch.ts';
import { extEndpoint, reads } from '../endpoint.ts';
import { identifierAnswerSchemas } from '../mappings.ts';
import example from './examples/identifiers.json' with { type: 'json' };

const several = identifierKinds.join(', ');

function listsIn(own: Readonly<Record<IdentifierKind, CheckedList | null>>): readonly CheckedList[] {
  return identifierKinds.flatMap((kind) => own[kind] ?? []);
}

const identifierItems = identifierKinds.map((kind) =>
  Type.Object(
    {
      [kind]: text('The identifier that was asked for, in upper case; as it was sent where it is none.'),
      answer: nullable(identifierAnswerSchemas[kind], {
        description: 'The answer for this identifier alone; null where there is a problem.',
      }),
      problem: itemProblem,
    },
    closed,
  ),
);
const IdentifiersAnswerSchema = Type.Object(
  {
    items: Type.Array(Type.Union(identifierItems), {
      description: 'One for each identifier, in the order asked.',
    }),
  },
  closed,
);

export const identifiers = extEndpoint({
  ...reads,
  path: '/identifiers',
  operationId: 'getIdentifiers',
  parameters: [],
  own: byKind(identifierKinds, (kind) => listParameter(kind, null)),
  batch: true,
  faultsOf: (own, unitsMax) => {
    const [list, ...more] = listsIn(own);
    if (list === undefined) {
      return [{ parameter: 'isin', detail: `is required, or another one of ${several}` }];
    }
    const detail = `must be the only one: a request takes exactly one of ${several}`;
    return more.length === 0
      ? sizeFaults(list, unitsMax)
      : more.map(({ kind }) => ({ parameter: kind, detail }));
  },
  cost: lookUpEach,
  question: (_, { own }, __, context) => {
    const [list = { kind: 'isin', values: [] }] = listsIn(own);
    return batchQuestion(list, context);
  },
  tag: 'Identifiers',
  summary: 'The companies behind up to 100 identifiers of one kind',
  description: `Takes exactly one of ${several}. The items come in the order asked; the first member of each is called as the kind is. \`answer\` is the data of the operation for one identifier. An identifier that is mistyped or unknown spoils only its own item. Each costs one look-up. A request that would pass a limit is refused whole.`,
  answer: { name: 'IdentifiersAnswer', schema: IdentifiersAnswerSchema, example },
});
