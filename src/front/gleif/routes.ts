/** Makes data routes of the resources of GLEIF's API. */
import type { GleifFault } from '../../gleif/faults.ts';
import type { PageReading } from '../../gleif/pages.ts';
import { readQueryText } from '../../gleif/query-text.ts';
import type { GleifRoute } from '../../gleif/route.ts';
import { type GleifAddress, gleifAddress, gleifBase, gleifRoutes } from '../../gleif/routes.ts';
import { pathOf, queryOf } from '../../http/address.ts';
import { dataRoute } from '../../http/data-route.ts';
import { type DataRoute, readMethods } from '../../http/definition.ts';
import { type DataExchange, Exchange, type ReadTarget } from '../../http/exchange.ts';
import { invalidParameters, type ProblemDetails } from '../../http/problem.ts';
import type { Route } from '../../http/routes.ts';
import type { StepParts } from '../../http/step.ts';
import { checkAddress, checkMethodAndHost } from '../../http/steps.ts';
import type { GleifAsk, GleifPage } from '../../protocol/gleif-questions.ts';
import type { Question } from '../../protocol/questions.ts';
import { JsonApiRepresentation } from './json-api.ts';

type GleifRouteParts = Pick<StepParts, 'config' | 'cursors' | 'baseUrl'>;

export function gleifApiRoutes(parts: StepParts): readonly Route[] {
  if (!parts.config.gleifApi) return [];
  const representation = new JsonApiRepresentation(parts);
  const known = gleifRoutes.flatMap((route) => {
    const row = dataRoute(factsOf(route), readRequest, representation, parts);
    // Clients write a slash at the end of some addresses.
    return [row, { ...row, path: `${row.path}/` }];
  });
  const refuse = (exchange: Exchange) => exchange.refuse(nothingHere(parts));
  const unknown = checkMethodAndHost(checkAddress(refuse), refuse);
  const elsewhere = [gleifBase, `${gleifBase}/*`].map(
    (path): Route => ({
      path,
      answer(arrival) {
        const exchange = new Exchange(arrival, unknownFacts, representation);
        exchange.enter(unknown);
        return exchange.reply();
      },
    }),
  );
  return [...known, ...elsewhere];
}

/** Some clients name the type of a body that they do not send. A browser asks first whether they may. */
const requestHeaders = ['Content-Type'];

const unknownFacts = {
  operationId: 'unknown',
  template: `${gleifBase}/*`,
  methods: readMethods,
  requestHeaders,
};

function nothingHere({ baseUrl }: GleifRouteParts): ProblemDetails {
  return {
    name: 'not-found',
    detail: `There is nothing at this path. ${baseUrl()}/gleif/openapi.json lists what there is.`,
  };
}

function factsOf({ operationId, path, cost, parameters }: GleifRoute): DataRoute {
  return {
    operationId,
    template: gleifBase + path,
    methods: readMethods,
    requestHeaders,
    cost: { window: cost, units: 1 },
    // A page of 200 records, or a whole code list, has a megabyte.
    unbounded: parameters.includes('page'),
    batch: false,
    subject: /\{(\w+)\}/.exec(path)?.[1] ?? null,
    names: [],
    lists: [],
  };
}

/** The public address of GLEIF's API, without a trailing slash. */
export function gleifUrl({ config, baseUrl }: Pick<GleifRouteParts, 'config' | 'baseUrl'>): string {
  return config.gleifUrl ?? baseUrl() + gleifBase;
}

function readRequest(
  { request }: DataExchange,
  _facts: DataRoute,
  parts: GleifRouteParts,
): ReadTarget | ProblemDetails {
  const address = gleifAddress(pathOf(request.url).slice(gleifBase.length));
  return address === null ? nothingHere(parts) : readAddress(address, queryOf(request.url), parts);
}

function readAddress(
  { route, id, path }: GleifAddress,
  query: string,
  parts: GleifRouteParts,
): ReadTarget | ProblemDetails {
  const faults: GleifFault[] = [];
  const { page, asks } = route.read(id, readQueryText(query, faults), path, faults);
  if (faults.length > 0) return invalidParameters(faults);
  const scope = `${gleifBase}${path}?${page?.scope ?? ''}`;
  const place = placeOf(page, scope, parts);
  if (place === null) return otherCursor;
  const base = gleifUrl(parts);
  const pageIn = (publicationId: string): GleifPage | null => {
    if (page === null) return null;
    if (page.cursor === null) return { ...page, cursor: null };
    const position = String(place.from + page.size);
    return {
      ...page,
      cursor: { from: place.from, next: parts.cursors.seal({ publicationId, position }, scope) },
    };
  };
  return {
    identifier: loggableId.test(id) ? id : '',
    self: `${base}${path}?${query}`,
    scope,
    pinnedTo: place.publicationId,
    question: (publication) => questionOf(asks(pageIn(publication.id)), base),
    pageAt: (cursor) => cursor,
  };
}

/** Where a page by cursor begins, and the publication that the walk began with; null if it begins with this page. */
interface PlaceInWalk {
  readonly from: number;
  readonly publicationId: string | null;
}

const beginning: PlaceInWalk = { from: 0, publicationId: null };

/** Null if the cursor was changed or belongs to another list. */
function placeOf(
  page: PageReading | null,
  scope: string,
  { cursors }: Pick<GleifRouteParts, 'cursors'>,
): PlaceInWalk | null {
  if (page === null || page.cursor === null || page.cursor === firstCursor) return beginning;
  const opened = cursors.open(page.cursor, scope);
  return opened === null ? null : { from: Number(opened.position), publicationId: opened.publicationId };
}

/** A record without anything beside it is a question of its own, which is answered in less time. */
function questionOf(asks: GleifAsk, base: string): Question {
  const isPlain = asks.for === 'record' && asks.shape.fields === null && asks.shape.include.length === 0;
  return isPlain ? { kind: 'gleif-record', lei: asks.lei, base } : { kind: 'gleif', base, asks };
}

/**
 * A log line shows the identifier in a path only in this form, because nobody has checked it: LEIs and codes have no other
 * characters, and a key is longer.
 */
const loggableId = /^[A-Za-z0-9_-]{1,40}$/;

/** Begins a walk. */
const firstCursor = '*';

const otherCursor: ProblemDetails = {
  name: 'invalid-cursor',
  detail: 'The page.cursor was changed, or belongs to another list.',
  errors: [
    {
      parameter: 'page.cursor',
      detail:
        'The page.cursor must be * or the cursor of a next link, with the same filters and the same sort; it was changed, or belongs to another list.',
    },
  ],
};
