/** `/lei/{lei}`: the whole record of one legal entity. */
import { CompanySchema, noIdentifiers } from '../lei/company.ts';
import { dataEndpoint, oneLookUp, reads } from './endpoint.ts';
import recorded from './examples/company.json' with { type: 'json' };

/** The example lists only the identifiers that the company has. */
const { mappings } = recorded.data;
export const companyExample = {
  ...recorded,
  data: { ...recorded.data, mappings: { ...noIdentifiers, ...mappings } },
};

export const company = dataEndpoint({
  ...reads,
  path: '/lei/{lei}',
  operationId: 'getCompanyByLei',
  parameters: [],
  cost: oneLookUp,
  question: (lei) => ({ kind: 'company', lei }),
  tag: 'Companies',
  summary: 'A company by its LEI',
  description:
    'The whole level 1 record, with the identifiers of other kinds that are mapped to it. For an LEI that is known only from a relationship or a mapping, the answer is 404.',
  answer: { name: 'Company', schema: CompanySchema, example: companyExample },
});
