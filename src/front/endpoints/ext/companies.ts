/** `/ext/v1/companies`: the records of up to 100 companies at once. */
import { Type } from '@sinclair/typebox';
import { CompanySchema } from '../../../lei/company.ts';
import { closed, nullable, text } from '../../../lei/schema.ts';
import { batchQuestion, itemProblem, listParameter, lookUpEach, sizeFaults } from '../batch.ts';
import { extEndpoint, reads } from '../endpoint.ts';
import example from './examples/companies.json' with { type: 'json' };

const CompanyItemSchema = Type.Object(
  {
    lei: text('The LEI that was asked for, in upper case; as it was sent where it is none.'),
    company: nullable(CompanySchema, { description: 'The company; null where there is a problem.' }),
    problem: itemProblem,
  },
  closed,
);
const CompaniesAnswerSchema = Type.Object(
  { items: Type.Array(CompanyItemSchema, { description: 'One for each LEI, in the order asked.' }) },
  closed,
);

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
    'The items come in the order asked, one for each LEI that was sent. `company` is the data of `/api/v1/lei/{lei}`. An LEI that is mistyped or unknown spoils only its own item: that one has a `problem`. Each LEI costs one look-up. A request that would pass a limit is refused whole.',
  answer: { name: 'CompaniesAnswer', schema: CompaniesAnswerSchema, example },
});
