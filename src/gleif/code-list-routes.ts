/** Code lists, and the jurisdictions of LEI issuers. */
import { type GleifListName, gleifListNames, gleifLists } from '../lei/gleif-code-lists.ts';
import { readFilters, readSort } from './filters.ts';
import { camel, type GleifRoute, leiOf, route } from './route.ts';
import { codeListFilters, codeListSorts } from './small-fields.ts';

/** Code lists are small, and some clients ask for all of one. */
const codesOnPageMax = 100_000;

const titles: Readonly<Record<GleifListName, string>> = {
  'lei-issuers': 'LEI issuers',
  'registration-authorities': 'Registration authorities',
  'entity-legal-forms': 'Legal forms of entities',
  'official-organizational-roles': 'Official organisational roles',
  countries: 'Countries',
  jurisdictions: 'Jurisdictions',
  regions: 'Regions',
  fields: 'Fields that lists are filtered and sorted by',
};

const lists: readonly GleifRoute[] = gleifListNames.flatMap((list) => {
  const { size, sort: standardSort } = gleifLists[list];
  const facts = { cost: 'lookup', tag: 'Code lists', resource: list } as const;
  return [
    route({
      ...facts,
      path: `/${list}`,
      operationId: `listGleif${camel(list)}`,
      summary: titles[list],
      parameters: ['filter', 'sort', 'page'],
      pages: { size, sizeMax: codesOnPageMax, hasCursor: false, sort: standardSort },
      question: ({ query, faults }) => {
        const filters = readFilters(query.filters, faults, codeListFilters);
        const sort = readSort(query.plain.get('sort') ?? standardSort ?? undefined, codeListSorts, faults);
        return (page) => ({ for: 'codes', list, filters, sort, page });
      },
    }),
    route({
      ...facts,
      path: `/${list}/{id}`,
      operationId: `getGleif${camel(list)}ById`,
      summary: `${titles[list]}: one of them`,
      parameters: [],
      pages: null,
      question:
        ({ id }) =>
        () => ({ for: 'code', list, id }),
    }),
  ];
});

const issuerJurisdictions: readonly GleifRoute[] = ['jurisdictions', 'fundJurisdictions'].map((name) =>
  route({
    path: `/lei-issuers/{id}/${name}`,
    operationId: `listGleifIssuer${camel(name)}`,
    cost: 'lookup',
    tag: 'Code lists',
    summary: `The ${name === 'jurisdictions' ? '' : 'fund '}jurisdictions of an LEI issuer`,
    resource: 'lei-issuer-accredited-jurisdictions',
    parameters: ['page'],
    pages: { size: 300, sizeMax: codesOnPageMax, hasCursor: false, sort: 'countryCode' },
    question: (given) => (page) => ({ for: 'issuer-jurisdictions', lei: leiOf(given), page }),
  }),
);

export const codeListRoutes: readonly GleifRoute[] = [...lists, ...issuerJurisdictions];
