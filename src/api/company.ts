/** The endpoints about companies: `/search`, and about one company `/lei/{lei}`, its relationships and its changes. */
import { ChangesAnswerSchema } from '../lei/change-answers.ts';
import { CompanySchema, noIdentifiers } from '../lei/company.ts';
import { SearchAnswerSchema } from '../lei/list-answers.ts';
import { CompanyRelationshipsSchema } from '../lei/relationship.ts';
import { dataEndpoint, oneLookUp, oneSearch, reads } from './endpoint.ts';
import changesExample from './examples/changes.json' with { type: 'json' };
import recorded from './examples/company.json' with { type: 'json' };
import relationshipsExample from './examples/relationships.json' with { type: 'json' };
import searchExample from './examples/search.json' with { type: 'json' };

/** The example lists only the identifiers that the company has. */
const { mappings } = recorded.data;
export const companyExample = {
  ...recorded,
  data: { ...recorded.data, mappings: { ...noIdentifiers, ...mappings } },
};

/** The whole record of one legal entity. */
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

/** Parents and children of one legal entity. */
export const relationships = dataEndpoint({
  ...reads,
  unbounded: true,
  path: '/lei/{lei}/relationships',
  operationId: 'getCompanyRelationships',
  parameters: [],
  cost: oneSearch,
  question: (lei) => ({ kind: 'relationships', lei }),
  tag: 'Companies',
  summary: 'Who owns a company, and whom it owns',
  description:
    'The level 2 records of the company in both directions. A parent is a company with the relationship, or the exception that says why none is reported, or `null` if nothing was reported. The lists of children are complete, sorted by name, then by LEI. `others` has funds, branches and former relationships.',
  answer: { name: 'CompanyRelationships', schema: CompanyRelationshipsSchema, example: relationshipsExample },
});

/** The history of one legal entity, newest first, in pages. */
export const changes = dataEndpoint({
  ...reads,
  path: '/lei/{lei}/changes',
  operationId: 'getCompanyChanges',
  parameters: ['cursor', 'limit'],
  cost: oneSearch,
  question: (lei, { limit }, after) => ({ kind: 'changes', lei, after, limit }),
  tag: 'Companies',
  summary: 'The change history of a company',
  description:
    'Newest first: changed fields, identifiers that came or went (if both publications had their table), changed and removed relationships, creation, removal, and snapshots recovered from older files. The changes of a removed LEI stay readable.',
  answer: { name: 'ChangesAnswer', schema: ChangesAnswerSchema, example: changesExample },
});

/** Companies by name, best first, in pages. */
export const search = dataEndpoint({
  ...reads,
  path: '/search',
  operationId: 'searchCompanies',
  parameters: ['q', 'country', 'status', 'cursor', 'limit'],
  cost: oneSearch,
  question: (_, { q, country, status, limit }, after) => ({
    kind: 'search',
    q: q ?? '',
    country,
    status,
    after,
    limit,
  }),
  tag: 'Search',
  summary: 'Companies by name',
  description:
    'The best hits come first; hits with the same score are sorted by LEI. A hit has all words of `q`; small words and legal forms may be missing. If fewer than ten companies have the words as typed, the search also takes words that are mistyped, joined, split or (the last one) unfinished. If it still finds none, it leaves words out. `total` is exactly the number of companies that all pages together have.',
  answer: { name: 'SearchAnswer', schema: SearchAnswerSchema, example: searchExample },
});
