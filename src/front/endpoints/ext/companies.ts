/** `/ext/v1/companies`: the records of up to 100 companies at once. */
import { CompaniesAnswerSchema } from '../../../lei/ext-answers.ts';
import { batchQuestion, listParameter, lookUpEach, sizeFaults } from '../batch.ts';
import { extEndpoint, reads } from '../endpoint.ts';
import example from './examples/companies.json' with { type: 'json' };

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
