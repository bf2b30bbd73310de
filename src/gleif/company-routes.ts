/** The resources that belong to one company. */
import { linked, linkedNames, parentNames, relationNames, relations } from '../lei/gleif-relations.ts';
import type { GleifAsk, GleifPage, RecordShape } from '../protocol/gleif-questions.ts';
import { readFilters, readSort } from './filters.ts';
import { recordPages } from './pages.ts';
import { camel, type GleifRoute, leiOf, readShape, route, wholeRecords } from './route.ts';
import { modificationFilters, modificationSorts } from './small-fields.ts';

/** A single resource of a company. */
function single(
  name: string,
  tag: GleifRoute['tag'],
  resource: string,
  summary: string,
  ask: (lei: string, shape: RecordShape) => GleifAsk,
): GleifRoute {
  const isRecord = resource === 'lei-records';
  return route({
    path: `/lei-records/{lei}${name === '' ? '' : `/${name}`}`,
    operationId: name === '' ? 'getGleifRecord' : `getGleif${camel(name)}`,
    cost: 'lookup',
    tag,
    summary,
    resource,
    parameters: isRecord ? ['include', 'fields'] : [],
    pages: null,
    question: (given) => {
      const shape = isRecord ? readShape(given) : wholeRecords;
      return () => ask(leiOf(given), shape);
    },
  });
}

/** A list that belongs to a company. */
function listed(
  name: string,
  tag: GleifRoute['tag'],
  resource: string,
  summary: string,
  ask: (lei: string, page: GleifPage, shape: RecordShape) => GleifAsk,
): GleifRoute {
  const isRecord = resource === 'lei-records';
  return route({
    path: `/lei-records/{lei}/${name}`,
    operationId: `listGleif${camel(name)}`,
    cost: 'search',
    tag,
    summary,
    resource,
    parameters: isRecord ? ['page', 'include', 'fields'] : ['page'],
    pages: recordPages,
    question: (given) => {
      const shape = isRecord ? readShape(given) : wholeRecords;
      return (page) => ask(leiOf(given), page, shape);
    },
  });
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

export const companyRoutes: readonly GleifRoute[] = [
  modifications,
  single('', 'Records', 'lei-records', 'A company by its LEI', (lei, shape) => ({
    for: 'record',
    lei,
    shape,
  })),
  ...linkedNames.map((name) =>
    single(name, 'Records', 'lei-records', `${linked[name].title}, as a company`, (lei, shape) => ({
      for: 'linked',
      lei,
      name,
      shape,
    })),
  ),
  single('lei-issuer', 'Records', 'lei-issuers', 'The LEI issuer that manages a record', (lei) => ({
    for: 'issuer',
    lei,
  })),
  listed(
    'successor-entities',
    'Records',
    'lei-records',
    'The successors, as companies',
    (lei, page, shape) => ({
      for: 'successors',
      lei,
      page,
      shape,
    }),
  ),
  listed('isins', 'Records', 'isins', 'The ISINs of a company', (lei, page) => ({ for: 'isins', lei, page })),
  ...relationNames.flatMap((name) => {
    const { isOne, records: recordsName } = relations[name];
    const words = name.replace('-', ' ');
    return isOne
      ? [
          single(name, 'Relationships', 'lei-records', `The ${words}, as a company`, (lei, shape) => ({
            for: 'related',
            lei,
            name,
            shape,
          })),
          single(
            recordsName,
            'Relationships',
            'relationship-records',
            `The record of the relationship to the ${words}`,
            (lei) => ({ for: 'relationship', lei, name }),
          ),
        ]
      : [
          listed(name, 'Relationships', 'lei-records', `The ${words}, as companies`, (lei, page, shape) => ({
            for: 'relatives',
            lei,
            name,
            page,
            shape,
          })),
          listed(
            recordsName,
            'Relationships',
            'relationship-records',
            `The records of the relationships to the ${words}`,
            (lei, page) => ({ for: 'relationships', lei, name, page }),
          ),
        ];
  }),
  ...parentNames.map((name) =>
    single(
      `${name}-reporting-exception`,
      'Relationships',
      'reporting-exceptions',
      `Why no ${name.replace('-', ' ')} is reported`,
      (lei) => ({ for: 'exception', lei, name }),
    ),
  ),
];
