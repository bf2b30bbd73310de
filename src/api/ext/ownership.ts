/** `/ext/v1/lei/{lei}/ownership`: who owns a company and whom it owns, over several steps. */
import { Type } from '@sinclair/typebox';
import { type OwnParameter, Refusal, wholeNumber } from '../../http/parameters.ts';
import { EntitySchema } from '../../lei/company.ts';
import { ReportingExceptionSchema } from '../../lei/relationship.ts';
import { LeiSchema, listOf, object, oneOf, said, text, textOrNull } from '../../lei/schema.ts';
import {
  directionsAllowed,
  type OwnershipQuestion,
  ownershipDepthMax,
  ownershipDirections,
  readDirections,
} from '../../protocol/ext-questions.ts';
import { extEndpoint, oneSearch, reads } from '../endpoint.ts';
import example from './examples/ownership.json' with { type: 'json' };

const depthDefault = 3;

const direction: OwnParameter<OwnershipQuestion['directions']> = {
  read: (text) => readDirections(text) ?? new Refusal(directionsAllowed),
  spell: (directions) => directions.join(),
  required: null,
  isList: true,
  description: '`up` for parents, `down` for children, or both, separated by a comma.',
  schema: { type: 'string', enum: ['up', 'down', 'up,down', 'down,up'], default: ownershipDirections.join() },
};

const depth: OwnParameter<number> = {
  read: (text) => wholeNumber(text, ownershipDepthMax),
  spell: String,
  required: null,
  description: 'The number of steps to follow up or down.',
  schema: { type: 'integer', minimum: 1, maximum: ownershipDepthMax, default: depthDefault },
};

const OwnershipNodeSchema = object({
  lei: said(LeiSchema, 'The LEI of the company.'),
  name: textOrNull('Its legal name; null, like the next members, if it has no record here.'),
  country: textOrNull('The country of the legal address, a code of ISO 3166-1 alpha-2.', 'DE'),
  status: EntitySchema.properties.status,
});
const OwnershipEdgeSchema = object({
  parent: said(LeiSchema, 'The LEI of the parent.'),
  child: said(LeiSchema, 'The LEI of the child.'),
  type: text(
    '`IS_DIRECTLY_CONSOLIDATED_BY` or `IS_ULTIMATELY_CONSOLIDATED_BY`: what the child is to the parent.',
    'IS_DIRECTLY_CONSOLIDATED_BY',
  ),
});
const OwnershipAnswerSchema = object({
  lei: said(LeiSchema, 'The LEI from the request.'),
  direction: listOf(
    oneOf(['up', 'down'], 'A direction that the service followed.'),
    'The directions that the service followed.',
  ),
  depth: Type.Integer({
    minimum: 1,
    maximum: 10,
    description: 'The number of steps that the service followed.',
  }),
  nodes: listOf(OwnershipNodeSchema, 'The companies, nearest first; the first is the company itself.'),
  edges: listOf(OwnershipEdgeSchema, 'The relationships between these companies.'),
  exceptions: listOf(
    object({ lei: said(LeiSchema, 'The LEI of the company.'), ...ReportingExceptionSchema.properties }),
    'Why companies of the graph report no direct or no ultimate parent, in the order of the nodes.',
  ),
  truncated: Type.Boolean({
    description: 'Whether there are more companies than the answer shows: beyond its depth, or beyond 1,000.',
  }),
});

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
    'Follows the current direct and ultimate parents upwards and the children downwards, breadth first: the company itself is the first node, then come the companies one step away, by LEI, and so on. Each company and each relationship appears once, even if owners form a circle. The answer has at most 1,000 nodes; `truncated` says whether there are more, also beyond the depth. Where a company reports no parent, `exceptions` has its reasons.',
  answer: { name: 'OwnershipAnswer', schema: OwnershipAnswerSchema, example },
});
