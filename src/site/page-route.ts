/** The routes of pages: a visit is counted, its page is made, perhaps from answers of query threads, and sent. */
import type { PageAdmission } from '../accounts/access/admission.ts';
import type { Config } from '../config.ts';
import { pathOf, queryOf, replacementCharacter } from '../http/address.ts';
import { addressFault } from '../http/address-fault.ts';
import { ArrivingBodies } from '../http/bodies/budget.ts';
import { pageOperations, readMethods } from '../http/definition.ts';
import { type Arrival, type Errors, Exchange } from '../http/exchange.ts';
import { commonHeaders, secondsUntil, tagOf } from '../http/headers.ts';
import { nothingHere } from '../http/problem.ts';
import { problemKinds, retryAfterUnavailableSeconds } from '../http/problem-kinds.ts';
import { coder, type PageContent, PageRepresentation } from '../http/representation/html.ts';
import { problemResponse } from '../http/representation/problems.ts';
import { respond } from '../http/respond.ts';
import type { PathParameters, Route } from '../http/routes.ts';
import type { StepChain, StepParts } from '../http/step.ts';
import { askOnceMore, checkMethodAndHost } from '../http/steps.ts';
import { leiIn } from '../lei/identifiers.ts';
import type { ExceededPolicy } from '../ports/observer.ts';
import type { Coding, Unavailability } from '../protocol/questions.ts';
import {
  dataPage,
  type FileDefinition,
  type FinishedFile,
  type PageAnswer,
  type PageDefinition,
  type SentForm,
  type SentPage,
  type ShownPage,
  type VisitFacts,
} from './definition.ts';
import { htmlContentType, htmlHeaders, layout } from './layout.ts';
import { PageQuestions, UnansweredVisit } from './page-questions.ts';
import { exhaustedPage, nothingPage, unavailablePage } from './refusal-pages.ts';

/** The facts about a page that a visit needs before the page is made. */
type VisitedPage = Omit<PageDefinition, 'answer'>;

/** A request for a page or for an unknown address. */
class PageExchange extends Exchange {
  readonly page: VisitedPage;
  readonly places: PathParameters;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The form that was sent; null if the page reads none, or not yet. */
  form: SentForm | null = null;

  constructor(
    arrival: Arrival,
    { page, places }: { readonly page: VisitedPage; readonly places: PathParameters },
    representation: PageRepresentation,
  ) {
    const facts = { operationId: pageOperations.page, template: page.path, methods: page.methods };
    super(arrival, facts, representation);
    this.page = page;
    this.places = places;
    this.path = pathOf(this.request.url);
    this.query = new URLSearchParams(queryOf(this.request.url));
  }

  override get about(): string | null {
    return leiIn(this.places['lei'] ?? '');
  }

  override get violatedPolicies(): readonly ExceededPolicy[] {
    return this.admission?.outcome === 'exhausted' ? ['pages'] : [];
  }

  override get operation(): string {
    return this.status === 404 ? pageOperations.unknown : pageOperations.page;
  }

  /** Never the path: an unknown one may contain anything, even a key. */
  override get route(): string {
    return this.operation;
  }
}

/** The routes of pages and files, and of every address that no route has. */
export interface PageRoutes {
  readonly routes: readonly Route[];
  readonly unknown: Route;
  /** Makes the files anew at their next request: they show limits that have changed. */
  renewTexts(): void;
}

export function pageRoutes(
  pages: readonly PageDefinition[],
  files: readonly FileDefinition[],
  parts: StepParts,
): PageRoutes {
  const arriving = new ArrivingBodies(formLimits, parts.config.fronts);
  const site = { ...parts, ...representations(parts), arriving };
  const route = (
    page: VisitedPage,
    answer: StepChain<PageExchange>,
    otherMethod?: StepChain<PageExchange>,
  ): Route => {
    const counted = readForm(site, countVisit(site, answer));
    const steps = checkMethodAndHost(counted, otherMethod && countVisit(site, otherMethod));
    return {
      path: page.path,
      isOther: (places) => Object.values(places).some((place) => place.includes(replacementCharacter)),
      answer(arrival, places) {
        const exchange = new PageExchange(arrival, { page, places }, site.ofVisits);
        exchange.enter(steps);
        return exchange.reply();
      },
    };
  };
  const made = new Map<string, FileBody>();
  const fileRoute = (file: FileDefinition): Route => {
    const { path, version = oneVersion } = file;
    return route({ ...dataPage, path, units: () => 0 }, (exchange) => {
      const wanted = version(exchange.places);
      const key = `${wanted} ${path}`;
      const body = made.get(key) ?? bodyOf(file, wanted, parts.config);
      made.set(key, body);
      respond(exchange, body.contentFor(exchange), site.ofFiles);
    });
  };
  const nothing = nothingPage(parts.config);
  const answerNothing = answerPage(nothing, site);
  const nothingFor = (exchange: PageExchange) =>
    isOfBrowser(exchange) ? answerNothing(exchange) : exchange.refuse(nothingHere(parts.config.basePath));
  return {
    routes: [...pages.map((page) => route(page, answerPage(page, site))), ...files.map(fileRoute)],
    unknown: route(nothing, nothingFor, nothingFor),
    renewTexts: () => made.clear(),
  };
}

const oneVersion = () => '';

/** For forms that are read before they are counted. */
const formLimits = { bodiesBytesMax: 8 * 1024 * 1024, clientBodiesBytesMax: 1024 * 1024 } as const;

interface SiteParts extends StepParts {
  readonly arriving: ArrivingBodies;
  readonly ofVisits: PageRepresentation;
  readonly ofFiles: PageRepresentation;
}

/** A page is coded for each visit, a file once for all: files are coded harder, and from fewer bytes on. */
const codeForVisit = coder(3);
const codeForAll = coder(6);

function representations({ config, baseUrl }: StepParts): Pick<SiteParts, 'ofVisits' | 'ofFiles'> {
  /** A visit that gets no answer is told so by a page; everything else is a problem, as for the API. */
  const problem: Errors['problem'] = (exchange, details) => {
    const isPage = exchange instanceof PageExchange && problemKinds[details.name].status === 503;
    if (!isPage) return problemResponse(details, exchange, baseUrl());
    const { status, headers, body } = contentOf(
      exchange,
      unavailablePage(retryAfterUnavailableSeconds),
      config,
    );
    headers.set('Content-Length', String(body.length));
    return new Response(body, { status, headers });
  };
  return {
    ofVisits: new PageRepresentation(config, 4 * 1024, problem),
    ofFiles: new PageRepresentation(config, 512, problem),
  };
}

/** Reads a form whose cost depends on what was sent. */
function readForm(site: SiteParts, next: StepChain<PageExchange>): StepChain<PageExchange> {
  return (exchange) => {
    const { page, method, request } = exchange;
    const read = page.readForm;
    if (read === undefined || method !== 'POST' || addressFault(request) !== null) return next(exchange);
    // The client is not known before it is admitted.
    admitVisit(exchange, 0, site, () => {
      const visit = visitOf(exchange, site);
      const reading = site.arriving.read(exchange.client, (hasRoom) => read(visit, hasRoom));
      exchange.after(reading, (form) => {
        exchange.now = exchange.host.clock();
        exchange.form = form;
        next(exchange);
      });
    });
  };
}

/** Counts a visit (429), also of a malformed address (400): a client could send such addresses without end. */
function countVisit(site: SiteParts, next: StepChain<PageExchange>): StepChain<PageExchange> {
  return (exchange) => {
    const fault = addressFault(exchange.request);
    const goOn = () => (fault === null ? next(exchange) : exchange.refuse(fault));
    const units = fault === null ? (exchange.form?.units ?? exchange.page.units(exchange)) : 1;
    if (units === 0) return goOn();
    admitVisit(exchange, units, site, goOn);
  };
}

function admitVisit(exchange: PageExchange, units: number, site: SiteParts, goOn: () => void): void {
  const { peer, forwardedFor, now, page } = exchange;
  const { countsForDay } = page;
  const admission = site.access.admitPage({ peer, forwardedFor, units, countsForDay, now });
  exchange.after(Promise.resolve(admission), (admitted) => {
    exchange.admission = admitted;
    if (admitted.outcome === 'admitted') goOn();
    else send(exchange, exhausted(admitted, site.config), site);
  });
}

function exhausted(admission: PageAdmission & { outcome: 'exhausted' }, config: Config): PageAnswer {
  return exhaustedPage(admission, secondsUntil(admission.returnsAt, admission.quota), config);
}

type VisitOutcome =
  | { readonly outcome: 'made'; readonly answer: PageAnswer }
  | { readonly outcome: 'unavailable'; readonly reason: Unavailability };

/** Answers the visits of a page. */
function answerPage(page: PageDefinition, site: SiteParts): StepChain<PageExchange> {
  const attempt = async (exchange: PageExchange): Promise<VisitOutcome> => {
    const { ask, askJson, askPage, askMade } = new PageQuestions(exchange, site);
    try {
      const visit = { ...visitOf(exchange, site), ask, askJson, askPage, askMade };
      return { outcome: 'made', answer: await (exchange.form ?? page).answer(visit) };
    } catch (error) {
      if (error instanceof UnansweredVisit) return { outcome: 'unavailable', reason: error.reason };
      throw error;
    }
  };
  return askOnceMore<PageExchange, VisitOutcome>({
    attempt: (exchange, take) => exchange.after(attempt(exchange), (made) => take(exchange, made)),
    mayAskAgain: () => true,
    finish(exchange, made) {
      if (made.outcome === 'made') send(exchange, made.answer, site);
      else exchange.refuseUnavailable(made.reason);
    },
  });
}

function visitOf(
  { request, places, path, query, peer, host: { clock } }: PageExchange,
  { config, baseUrl }: SiteParts,
): VisitFacts {
  const { basePath, publicUrl } = config;
  return { request, places, path, query, basePath, baseUrl: baseUrl(), publicUrl, peer, clock };
}

/** True for a browser that reads a page outside of the API, after a typed address or a followed link. */
function isOfBrowser({ path, method, request: { headers } }: PageExchange): boolean {
  const isRead = readMethods.some((read) => read === method);
  return (
    isRead && !/^\/(?:api|ext|assets)\b/.test(path) && (headers.get('accept')?.includes('text/html') ?? false)
  );
}

function send(exchange: PageExchange, answer: PageAnswer, site: SiteParts): void {
  respond(exchange, contentOf(exchange, answer, site.config), site.ofVisits);
}

function contentOf(exchange: PageExchange, answer: PageAnswer, config: Config): PageContent {
  const { page, path, requestId } = exchange;
  const sent = 'body' in answer ? answer : inLayout(answer, path, config);
  const isStored = !page.personal && sent.status < 400;
  const headers = new Headers({
    ...(page.personal ? personalHeaders : publicHeaders),
    ...htmlHeaders(page.policy),
    'Content-Type': sent.contentType,
    'Cache-Control': isStored ? 'private, no-cache' : 'no-store',
    'X-Request-Id': requestId,
    ...sent.headers,
  });
  const body = bytesOf(sent.body);
  const isTagged = sent.status === 200 && headers.get('Cache-Control') !== 'no-store';
  return {
    status: sent.status,
    headers,
    body,
    tag: isTagged ? tagOf(body) : null,
    coded: (coding) => codeForVisit(body, coding),
  };
}

function inLayout(shown: ShownPage, path: string, config: Config): SentPage {
  return {
    status: shown.status ?? 200,
    contentType: htmlContentType,
    body: layout(shown, path, config),
    headers: shown.headers ?? {},
  };
}

function bytesOf(body: FinishedFile['body']): Uint8Array<ArrayBuffer> {
  return typeof body === 'string' ? new TextEncoder().encode(body) : body;
}

const publicHeaders = { ...commonHeaders, 'Referrer-Policy': 'no-referrer' } as const;

/** Without CORS headers: no script of another site may read the page. */
const personalHeaders = {
  Vary: commonHeaders.Vary,
  'X-Content-Type-Options': commonHeaders['X-Content-Type-Options'],
  // With no-referrer a browser would send `Origin: null` with the forms of these pages.
  'Referrer-Policy': 'same-origin',
} as const;

function bodyOf({ path, policy, make }: FileDefinition, version: string, config: Config): FileBody {
  const made = make(version);
  if ('body' in made) return new FileBody(made);
  const page = inLayout(made, path, config);
  return new FileBody({ ...page, headers: { ...page.headers, ...htmlHeaders(policy) } });
}

/** A file in memory, and its codings: each is made once. */
class FileBody {
  readonly #page: FinishedFile;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #tag: string;
  readonly #coded = new Map<Coding, Promise<Uint8Array<ArrayBuffer>>>();

  constructor(page: FinishedFile) {
    this.#page = page;
    this.#bytes = bytesOf(page.body);
    this.#tag = tagOf(this.#bytes);
  }

  contentFor({ requestId }: PageExchange): PageContent {
    const { contentType, headers } = this.#page;
    return {
      status: 200,
      headers: new Headers({
        ...publicHeaders,
        // Caches must ask again: a new version of the service changes files at once.
        'Cache-Control': 'public, no-cache',
        'X-Request-Id': requestId,
        ...headers,
        'Content-Type': contentType,
      }),
      body: this.#bytes,
      tag: this.#tag,
      coded: (coding) => this.#inCoding(coding),
    };
  }

  #inCoding(coding: Coding): Promise<Uint8Array<ArrayBuffer>> {
    const known = this.#coded.get(coding) ?? codeForAll(this.#bytes, coding);
    this.#coded.set(coding, known);
    return known;
  }
}
