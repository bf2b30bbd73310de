/**
 * The batches: `/ext/v1/companies`, the records of up to 100 companies at once, and `/ext/v1/identifiers`, the companies
 * behind up to 100 identifiers of one kind.
 */
import { Type } from '@sinclair/typebox';
import { CompanySchema } from '../../lei/company.ts';
import { byKind, type MappingKind, mappingKinds } from '../../lei/identifier-kinds.ts';
import { listOf, nullable, object, text } from '../../lei/schema.ts';
import {
  batchQuestion,
  type CheckedList,
  itemProblem,
  listParameter,
  lookUpEach,
  sizeFaults,
} from '../batch.ts';
import { companyExample } from '../company.ts';
import { extEndpoint, reads } from '../endpoint.ts';
import { identifierAnswerSchemas } from '../mappings.ts';
import mistyped from './examples/companies.json' with { type: 'json' };
import identifiersExample from './examples/identifiers.json' with { type: 'json' };

const several = mappingKinds.join(', ');

function listsIn(own: Readonly<Record<MappingKind, CheckedList | null>>): readonly CheckedList[] {
  return mappingKinds.flatMap((kind) => own[kind] ?? []);
}

const identifierItems = mappingKinds.map((kind) =>
  object({
    [kind]: text(
      kind === 'ocid'
        ? 'The identifier from the request, its jurisdiction in lower case; unchanged if it is not valid.'
        : 'The identifier from the request, in upper case; unchanged if it is not valid.',
    ),
    answer: nullable(
      identifierAnswerSchemas[kind],
      'The answer for this identifier; null if there is a problem.',
    ),
    problem: itemProblem,
  }),
);
const IdentifiersAnswerSchema = object({
  items: listOf(Type.Union(identifierItems), 'One item for each identifier, in the order of the request.'),
});

export const identifiers = extEndpoint({
  ...reads,
  path: '/identifiers',
  operationId: 'getIdentifiers',
  parameters: [],
  own: byKind(mappingKinds, (kind) => listParameter(kind, null)),
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
    const [list = { kind: 'isin', values: [], size: 0 }] = listsIn(own);
    return batchQuestion(list, context);
  },
  tag: 'Identifiers',
  summary: 'The companies behind up to 100 identifiers of one kind',
  description: `Takes exactly one of ${several}. The items are in the order of the request; the first member of each item has the name of the kind. \`answer\` is the data of the operation for one identifier (an OpenCorporates id, \`ocid\`, has none of its own). A mistyped or unknown identifier affects only its own item. Each identifier costs one look-up. A request that would exceed a limit is refused as a whole.`,
  answer: { name: 'IdentifiersAnswer', schema: IdentifiersAnswerSchema, example: identifiersExample },
});

const CompanyItemSchema = object({
  lei: text('The LEI from the request, in upper case; unchanged if it is not a valid LEI.'),
  company: nullable(CompanySchema, 'The company; null if there is a problem.'),
  problem: itemProblem,
});
const CompaniesAnswerSchema = object({
  items: listOf(CompanyItemSchema, 'One item for each LEI, in the order of the request.'),
});

const { data: known } = companyExample;
const companiesExample = {
  ...mistyped,
  data: { items: [{ lei: known.lei, company: known, problem: null }, ...mistyped.data.items] },
};

export const companies = extEndpoint({
  ...reads,
  path: '/companies',
  operationId: 'getCompanies',
  parameters: [],
  own: { lei: listParameter('lei', 'is required: LEIs, separated by commas') },
  batch: true,
  faultsOf: ({ lei }, unitsMax) => sizeFaults(lei, unitsMax),
  cost: lookUpEach,
  question: (_, { own }, __, context) => batchQuestion(own.lei, context),
  tag: 'Companies',
  summary: 'Up to 100 companies by their LEIs',
  description:
    'The items are in the order of the request, one for each LEI. `company` is the data of `/api/v1/lei/{lei}`. A mistyped or unknown LEI affects only its own item, which has a `problem`. Each LEI costs one look-up. A request that would exceed a limit is refused as a whole.',
  answer: { name: 'CompaniesAnswer', schema: CompaniesAnswerSchema, example: companiesExample },
});
