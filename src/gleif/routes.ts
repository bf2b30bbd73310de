/** The table of the resources of GLEIF's API. Routing, limits and the description follow from it. */
import { searchTextMax } from '../protocol/questions.ts';
import { codeListRoutes } from './code-list-routes.ts';
import { companyRoutes } from './company-routes.ts';
import { sortFields } from './fields.ts';
import { readFilters, readSort } from './filters.ts';
import { recordPages } from './pages.ts';
import { camel, type GleifRoute, readShape, route } from './route.ts';

const records = route({
  path: '/lei-records',
  operationId: 'listGleifRecords',
  cost: 'search',
  tag: 'Records',
  summary: 'Companies, filtered and sorted',
  resource: 'lei-records',
  parameters: ['filter', 'sort', 'page', 'cursor', 'include', 'fields'],
  pages: { ...recordPages, hasCursor: true },
  question: (given) => {
    const { query, faults } = given;
    const filters = readFilters(query.filters, faults);
    const sort = readSort(query.plain.get('sort'), sortFields, faults);
    const shape = readShape(given);
    return (page) => ({ for: 'records', filters, sort, page, shape });
  },
});

const completionFields = {
  autocompletions: ['fulltext', 'owns', 'ownedBy'],
  fuzzycompletions: ['fulltext', 'owns', 'ownedBy', 'entity.legalName'],
} as const;
const completionTextMax = 255;

const completions: readonly GleifRoute[] = (['autocompletions', 'fuzzycompletions'] as const).map((name) =>
  route({
    path: `/${name}`,
    operationId: `getGleif${camel(name)}`,
    cost: 'search',
    tag: 'Completions',
    summary: name === 'autocompletions' ? 'Names that begin like a text' : 'Names that are like a text',
    resource: name,
    parameters: ['field', 'q'],
    pages: null,
    question: ({ query, faults }) => {
      const field = query.plain.get('field') ?? '';
      const q = (query.plain.get('q') ?? '').replaceAll('*', ' ').replace(/\s+/g, ' ').trim();
      if (!completionFields[name].some((known) => known === field)) {
        faults.push({
          parameter: 'field',
          detail: `field must be one of ${completionFields[name].join(', ')}.`,
        });
      }
      if (q === '' || [...q].length > Math.min(completionTextMax, searchTextMax)) {
        faults.push({ parameter: 'q', detail: `q must have 1 to ${completionTextMax} characters.` });
      }
      // Every field has the same completions.
      return () => ({ for: 'completions', isFuzzy: name === 'fuzzycompletions', q });
    },
  }),
);

export const gleifRoutes: readonly GleifRoute[] = [
  records,
  ...companyRoutes,
  ...completions,
  ...codeListRoutes,
];

export const gleifBase = '/gleif/api/v1';

/** A request that leads to a route. */
export interface GleifAddress {
  readonly route: GleifRoute;
  /** The identifier in the path, decoded; '' if it has none. */
  readonly id: string;
  /** Path below the base without a trailing slash, as sent. */
  readonly path: string;
}

/** Routes by the number of their steps and all steps but the identifier. */
const byShape = new Map(gleifRoutes.map((each) => [shapeOf(each.path.split('/')), each]));

function shapeOf(steps: readonly string[]): string {
  return steps.map((step, index) => (index === 2 ? '{}' : step)).join('/');
}

/** Finds the route of a path below the base; null for an unknown path. A trailing slash is no fault. */
export function gleifAddress(path: string): GleifAddress | null {
  const trimmed = path.replace(/\/$/, '');
  const steps = trimmed.split('/');
  const found = byShape.get(shapeOf(steps));
  const id = decodedStep(steps[2] ?? '');
  if (found === undefined || id === null || (steps.length > 2 && id === '')) return null;
  return { route: found, id, path: trimmed };
}

/** U+0000, which ends a text in a question, is U+FFFD: no identifier has one of them. */
function decodedStep(step: string): string | null {
  try {
    return decodeURIComponent(step).replaceAll('\0', '\ufffd');
  } catch {
    return null;
  }
}
