/** `/bic/{bic}`, `/isin/{isin}`, …: the legal entities that an identifier is mapped to. */
import { identifierAnswerSchemas } from '../../lei/answers.ts';
import { identifierKinds, mappingTable } from '../../lei/identifier-kinds.ts';
import { dataEndpoint, oneLookUp, reads } from './endpoint.ts';
import examples from './examples/mappings.json' with { type: 'json' };

export const mappings = identifierKinds.map((kind) => {
  const { summary, description } = mappingTable[kind].lookUp;
  return dataEndpoint({
    ...reads,
    path: `/${kind}/{${kind}}`,
    operationId: `get${kind.toUpperCase()}`,
    parameters: [],
    cost: oneLookUp,
    question: (value) => ({ kind, value }),
    tag: 'Identifiers',
    summary,
    description,
    answer: {
      name: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Answer`,
      schema: identifierAnswerSchemas[kind],
      example: examples[kind],
    },
  });
});
