/** `/ext/v1/list`: companies by their attributes, in any order, in pages. */

import { asItIs, type OwnParameter, queryParameters, Refusal } from '../../http/parameters.ts';
import { RegistrationSchema } from '../../lei/company.ts';
import { byKind } from '../../lei/identifier-kinds.ts';
import { SearchHitSchema } from '../../lei/list-answers.ts';
import type { FractionField, OrderText, TimeField, ValueField } from '../../lei/list-fields.ts';
import { count, listOf, object } from '../../lei/schema.ts';
import {
  filterValuesMax,
  type ListFilterName,
  listFilterNames,
  listFilters,
  type ReadFilter,
  reversedRanges,
} from '../../protocol/list-filters.ts';
import type { ListOrder } from '../../protocol/list-questions.ts';
import { extEndpoint, oneSearch, reads } from '../endpoint.ts';
import example from './examples/list.json' with { type: 'json' };

function filterParameter(name: ListFilterName): OwnParameter<ReadFilter> {
  const { what, example: shown, isList, read } = listFilters[name];
  const several = `One value or up to ${filterValuesMax}, separated by commas, in any case; \`!\` in front leaves out companies with any of them.`;
  const time =
    'A day (ISO 8601), which counts whole, or a time in UTC, whose second counts whole. Companies without the time are left out.';
  return {
    read(text) {
      const found = read(text);
      return 'refused' in found ? new Refusal(found.refused) : found;
    },
    spell: ({ text }) => text,
    required: null,
    ...(isList ? { isList } : {}),
    description: `Only companies with this: ${what}. ${isList ? several : time}`,
    schema: { type: 'string', minLength: 1, examples: [shown] },
  };
}

const filters = byKind(listFilterNames, filterParameter);

const q: OwnParameter<string> = {
  read: queryParameters.q.read,
  spell: asItIs,
  required: null,
  description:
    'Only the hits of a search for this text, as in `/api/v1/search`. 2 to 500 characters, not counting spaces at its ends.',
  schema: queryParameters.q.schema,
};

const sortFields = {
  name: ['name'],
  country: ['country'],
  status: ['registrationStatus'],
  category: ['category'],
  registered: ['registered', 'registeredFraction'],
  updated: ['updated', 'updatedFraction'],
  renewal: ['renewal', 'renewalFraction'],
} as const satisfies Readonly<
  Record<string, readonly (ValueField | TimeField | FractionField | OrderText)[]>
>;
type SortName = keyof typeof sortFields;
const sortNames = Object.keys(sortFields);

function isSortName(name: string): name is SortName {
  return name in sortFields;
}

function ordersBy(name: SortName, isDescending: boolean): readonly ListOrder[] {
  return sortFields[name].map((field) => ({ field, isDescending }));
}

const newestFirst = ordersBy('registered', true);

const sort: OwnParameter<{ readonly text: string; readonly order: readonly ListOrder[] }> = {
  read(text) {
    const order: ListOrder[] = [];
    for (const key of text.split(',')) {
      const isDescending = key.startsWith('-');
      const name = isDescending ? key.slice(1) : key;
      if (!isSortName(name))
        return new Refusal(
          `must hold one or more of ${sortNames.join(', ')}, separated by commas, - in front for descending`,
        );
      const [first] = sortFields[name];
      if (order.some(({ field }) => field === first)) return new Refusal(`must hold ${name} only once`);
      order.push(...ordersBy(name, isDescending));
    }
    return { text, order };
  },
  spell: ({ text }) => text,
  required: null,
  isList: true,
  description: `The order: one or more of ${sortNames.map((name) => `\`${name}\``).join(', ')}, separated by commas; \`-\` in front for descending. Names are compared without regard to case and accents. Companies without a value come last, equal ones are sorted by LEI. Without it a list with \`q\` is by relevance; any other begins with the newest initial registration.`,
  schema: { type: 'string', minLength: 1, examples: ['-updated', 'country,name'] },
};

const { score: _, ...members } = SearchHitSchema.properties;
const ListedSchema = object({
  ...members,
  lastUpdateDate: RegistrationSchema.properties.lastUpdateDate,
  initialRegistrationDate: RegistrationSchema.properties.initialRegistrationDate,
});
const CompanyListSchema = object({
  total: count('The exact number of companies on all pages.'),
  items: listOf(ListedSchema, 'The companies of this page, in order.'),
});

export const list = extEndpoint({
  ...reads,
  path: '/list',
  operationId: 'listCompanies',
  parameters: ['cursor', 'limit'],
  own: { ...filters, q, sort },
  cost: oneSearch,
  faultsOf: (own) => reversedRanges(own).map(({ name, refused }) => ({ parameter: name, detail: refused })),
  question: (_, { own, limit }, after) => ({
    kind: 'list',
    conditions: listFilterNames.flatMap((name) => own[name]?.condition ?? []),
    q: own.q,
    order: own.sort?.order ?? (own.q === null ? newestFirst : []),
    skip: after === null ? 0 : Number(after),
    limit,
  }),
  tag: 'Search',
  summary: 'Companies by what they are',
  description:
    'The companies that pass all filters, in any order; without filters, all companies of the publication. There is no limit of depth: follow `links.next` to the end. `total` is exactly the number of companies that all pages together have. `matchedName` is the name that matches `q` best; without `q` it is the legal name. A code that is in no list and that no company has is 400. Costs one search.',
  answer: { name: 'CompanyList', schema: CompanyListSchema, example },
});
