/** `/ext/v1/lei/{lei}/ownership`: who owns a company and whom it owns, over several steps. */
import { OwnershipAnswerSchema } from '../../../lei/ext-answers.ts';
import {
  type OwnershipQuestion,
  ownershipDepthMax,
  ownershipDirections,
} from '../../../protocol/ext-questions.ts';
import { extEndpoint, oneSearch, reads } from '../endpoint.ts';
import { type OwnParameter, Refusal } from '../parameters.ts';
import example from './examples/ownership.json' with { type: 'json' };

const depthDefault = 3;

const direction: OwnParameter<OwnershipQuestion['directions']> = {
  read(text) {
    const asked = text.split(',');
    const known = ownershipDirections.filter((each) => asked.includes(each));
    return known.length === asked.length ? known : new Refusal('must be up, down, or up,down');
  },
  spell: (directions) => directions.join(),
  required: null,
  description: '`up` for parents, `down` for children, or both, separated by a comma.',
  schema: { type: 'string', enum: ['up', 'down', 'up,down', 'down,up'], default: ownershipDirections.join() },
};

const depth: OwnParameter<number> = {
  read(text) {
    const number = /^[0-9]+$/.test(text) ? Number(text) : 0;
    if (number >= 1 && number <= ownershipDepthMax) return number;
    return new Refusal(`must be a whole number from 1 to ${ownershipDepthMax}`);
  },
  spell: String,
  required: null,
  description: 'How many steps up or down are followed.',
  schema: { type: 'integer', minimum: 1, maximum: ownershipDepthMax, default: depthDefault },
};

export const ownership = extEndpoint({
  ...reads,
  path: '/lei/{lei}/ownership',
  operationId: 'getOwnership',
  parameters: [],
  own: { direction, depth },
  cost: oneSearch,
  question: (lei, { own }) => ({
    kind: 'ownership',
    lei,
    directions: own.direction ?? ownershipDirections,
    depth: own.depth ?? depthDefault,
  }),
  tag: 'Companies',
  summary: 'Who owns a company and whom it owns, as a graph',
  description:
    'Follows the direct and ultimate parents of today upwards and the children downwards, breadth first: the company itself is the first node, then come those one step away by LEI, and so on. Each company and each relationship is shown once, also where owners form a circle. At most 1,000 nodes are shown; `truncated` says whether there are more.',
  answer: { name: 'OwnershipAnswer', schema: OwnershipAnswerSchema, example },
});
