/** The resources that belong to one company. */
import {
  linked,
  linkedNames,
  type ParentName,
  parentNames,
  type RelationName,
  relationNames,
  relations,
} from '../lei/gleif-relations.ts';
import type { GleifAsk, GleifPage, RecordShape } from '../protocol/gleif-questions.ts';
import { readFilters, readSort } from './filters.ts';
import { recordPages } from './pages.ts';
import { camel, type GleifRoute, leiOf, readShape, route, wholeRecords } from './route.ts';
import { modificationFilters, modificationSorts } from './small-fields.ts';

/** A resource of a company, or a list of them. */
interface CompanyResource extends Pick<GleifRoute, 'tag' | 'resource' | 'summary'> {
  /** The last part of its address; '' for the record itself. */
  readonly name: string;
}

const isRecord = ({ resource }: CompanyResource) => resource === 'lei-records';

function single(what: CompanyResource, ask: (lei: string, shape: RecordShape) => GleifAsk): GleifRoute {
  const { name, ...facts } = what;
  return route({
    ...facts,
    path: `/lei-records/{lei}${name === '' ? '' : `/${name}`}`,
    operationId: name === '' ? 'getGleifRecord' : `getGleif${camel(name)}`,
    cost: 'lookup',
    parameters: isRecord(what) ? ['include', 'fields'] : [],
    pages: null,
    question: (given) => {
      const shape = isRecord(what) ? readShape(given) : wholeRecords;
      return () => ask(leiOf(given), shape);
    },
  });
}

function listed(
  what: CompanyResource,
  ask: (lei: string, page: GleifPage, shape: RecordShape) => GleifAsk,
): GleifRoute {
  const { name, ...facts } = what;
  return route({
    ...facts,
    path: `/lei-records/{lei}/${name}`,
    operationId: `listGleif${camel(name)}`,
    cost: 'search',
    parameters: isRecord(what) ? ['page', 'include', 'fields'] : ['page'],
    pages: recordPages,
    question: (given) => {
      const shape = isRecord(what) ? readShape(given) : wholeRecords;
      return (page) => ask(leiOf(given), page, shape);
    },
  });
}

function record(name: string, summary: string): CompanyResource {
  return { name, tag: 'Records', resource: 'lei-records', summary };
}

const modifications = route({
  path: '/lei-records/{lei}/field-modifications',
  operationId: 'listGleifFieldModifications',
  cost: 'search',
  tag: 'Records',
  summary: 'The changes of the fields of a record, newest first',
  resource: 'field-modifications',
  parameters: ['filter', 'sort', 'page'],
  pages: recordPages,
  question: (given) => {
    const { query, faults } = given;
    const filters = readFilters(query.filters, faults, modificationFilters);
    const [first] = readSort(query.plain.get('sort'), modificationSorts, faults);
    const isOldestFirst = first !== undefined && !first.isDescending;
    return (page) => ({ for: 'modifications', lei: leiOf(given), filters, isOldestFirst, page });
  },
});

function relationRoutes(name: RelationName): readonly GleifRoute[] {
  const { isOne, records } = relations[name];
  const words = name.replace('-', ' ');
  const companies: CompanyResource = {
    name,
    tag: 'Relationships',
    resource: 'lei-records',
    summary: `The ${words}, as ${isOne ? 'a company' : 'companies'}`,
  };
  const relationships: CompanyResource = {
    name: records,
    tag: 'Relationships',
    resource: 'relationship-records',
    summary: `The ${isOne ? 'record of the relationship' : 'records of the relationships'} to the ${words}`,
  };
  return isOne
    ? [
        single(companies, (lei, shape) => ({ for: 'related', lei, name, shape })),
        single(relationships, (lei) => ({ for: 'relationship', lei, name })),
      ]
    : [
        listed(companies, (lei, page, shape) => ({ for: 'relatives', lei, name, page, shape })),
        listed(relationships, (lei, page) => ({ for: 'relationships', lei, name, page })),
      ];
}

function exceptionRoute(name: ParentName): GleifRoute {
  const what: CompanyResource = {
    name: `${name}-reporting-exception`,
    tag: 'Relationships',
    resource: 'reporting-exceptions',
    summary: `Why no ${name.replace('-', ' ')} is reported`,
  };
  return single(what, (lei) => ({ for: 'exception', lei, name }));
}

const issuer: CompanyResource = {
  ...record('lei-issuer', 'The LEI issuer that manages a record'),
  resource: 'lei-issuers',
};
const isins: CompanyResource = { ...record('isins', 'The ISINs of a company'), resource: 'isins' };

export const companyRoutes: readonly GleifRoute[] = [
  modifications,
  single(record('', 'A company by its LEI'), (lei, shape) => ({ for: 'record', lei, shape })),
  ...linkedNames.map((name) =>
    single(record(name, `${linked[name].title}, as a company`), (lei, shape) => ({
      for: 'linked',
      lei,
      name,
      shape,
    })),
  ),
  single(issuer, (lei) => ({ for: 'issuer', lei })),
  listed(record('successor-entities', 'The successors, as companies'), (lei, page, shape) => ({
    for: 'successors',
    lei,
    page,
    shape,
  })),
  listed(isins, (lei, page) => ({ for: 'isins', lei, page })),
  ...relationNames.flatMap(relationRoutes),
  ...parentNames.map(exceptionRoute),
];
