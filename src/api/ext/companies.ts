/** `/ext/v1/companies`: the records of up to 100 companies at once. */
import { CompanySchema } from '../../lei/company.ts';
import { listOf, nullable, object, text } from '../../lei/schema.ts';
import { batchQuestion, itemProblem, listParameter, lookUpEach, sizeFaults } from '../batch.ts';
import { companyExample } from '../company.ts';
import { extEndpoint, reads } from '../endpoint.ts';
import mistyped from './examples/companies.json' with { type: 'json' };

const CompanyItemSchema = object({
  lei: text('The LEI from the request, in upper case; unchanged if it is not a valid LEI.'),
  company: nullable(CompanySchema, 'The company; null if there is a problem.'),
  problem: itemProblem,
});
const CompaniesAnswerSchema = object({
  items: listOf(CompanyItemSchema, 'One item for each LEI, in the order of the request.'),
});

const { data: known } = companyExample;
const example = {
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
  answer: { name: 'CompaniesAnswer', schema: CompaniesAnswerSchema, example },
});
