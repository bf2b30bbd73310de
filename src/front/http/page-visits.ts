/**
 * Answers visits to the pages that are made for each visit: finds the page of a path, counts the visit, makes the page,
 * sends it.
 */
import type { Config } from '../../config.ts';
import { checkLei } from '../../lei/identifiers.ts';
import { type Log, loggable } from '../../log/log.ts';
import type { ExceededPolicy } from '../../ports/observer.ts';
import type { Tracer } from '../../ports/tracer.ts';
import type { Access, PageAdmission } from '../contracts.ts';
import { pageOperations } from '../endpoints/table.ts';
import type { PageAnswer, PageDefinition, Sent, Shown, Visit } from '../pages/definition.ts';
import { htmlContentType, htmlHeaders, layout } from '../pages/layout.ts';
import { exhaustedPage, unavailablePage } from '../pages/refusal-pages.ts';
import { retryAfterUnavailableSeconds } from '../problems.ts';
import { pathOf, queryOf } from './address.ts';
import type { PeerOf } from './exchange.ts';
import { secondsUntil } from './header-values.ts';
import { commonHeaders } from './headers.ts';
import { logUnavailable } from './layers/look-up.ts';
import { PageQuestions, type QuestionParts, Unanswered } from './page-questions.ts';
import { respondMade } from './page-response.ts';
import { type Arrival, Watched } from './watch.ts';

/** A request for a page or for an unknown address, as the observer sees it. */
export class PageVisit extends Watched {
  readonly path: string;
  readonly query: URLSearchParams;
  datasetVersion: string | null = null;
  about: string | null = null;
  #admission: PageAdmission | null = null;

  constructor(arrival: Arrival, tracer: Tracer | null) {
    super(arrival, tracer);
    this.path = pathOf(this.request.url);
    this.query = new URLSearchParams(queryOf(this.request.url));
  }

  /** Call it once the visit is counted. */
  counted(admission: PageAdmission): void {
    this.#admission = admission;
  }

  get caller(): string | null {
    return this.#admission?.caller ?? null;
  }

  get violatedPolicies(): readonly ExceededPolicy[] {
    return this.#admission?.outcome === 'exhausted' ? ['pages'] : [];
  }

  get operation(): string {
    return this.status === 404 ? pageOperations.unknown : pageOperations.page;
  }

  /** The route. An unknown path is left out, because it may contain anything, even a key. */
  get route(): string {
    return this.operation;
  }
}

export interface PageFound {
  readonly page: PageDefinition;
  /** The named parts of the pattern in the path, percent-decoded. */
  readonly places: Readonly<Record<string, string>>;
}

/** Finds the page of a path. @returns a function that returns null for an unknown path */
export function pageFinder(pages: readonly PageDefinition[]): (path: string) => PageFound | null {
  const fixed = new Map(pages.map((page) => [page.path, { page, places: {} }]));
  const patterns = pages
    .filter(({ path }) => path.includes('{'))
    .map((page) => ({
      page,
      pattern: new RegExp(`^${page.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    }));
  return (path) => {
    const known = fixed.get(path);
    if (known !== undefined) return known;
    for (const { page, pattern } of patterns) {
      const places = placesOf(pattern.exec(path)?.groups);
      if (places !== null) return { page, places };
    }
    return null;
  };
}

/** Null for no match, and for bytes that are not percent-encoded UTF-8. */
function placesOf(groups: Record<string, string> | undefined): Record<string, string> | null {
  if (groups === undefined) return null;
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    return null;
  }
}

export interface VisitParts extends QuestionParts {
  readonly config: Config;
  readonly access: Pick<Access, 'admitPage' | 'serviceFailed'>;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly baseUrl: () => string;
  readonly peerOf: PeerOf;
}

export async function answerVisit(parts: VisitParts, seen: PageVisit, found: PageFound): Promise<Response> {
  const { page, places } = found;
  const check = checkLei(places['lei'] ?? '');
  if (check.ok) seen.about = check.value;
  const admission = await admit(parts, seen, page);
  const answer =
    admission.outcome === 'exhausted'
      ? exhaustedPage(admission, secondsUntil(admission.returnsAt, admission.quota), parts.config)
      : await makePage(parts, seen, found, admission);
  return send(parts, seen, found, answer);
}

const uncounted = { outcome: 'admitted', caller: '', quota: null, refund: () => null } as const;

async function admit(
  { access, peerOf }: VisitParts,
  seen: PageVisit,
  page: PageDefinition,
): Promise<PageAdmission> {
  const units = page.units(seen);
  if (units === 0) return uncounted;
  const { request, now } = seen;
  const forwardedFor = request.headers.get('x-forwarded-for');
  const admission = await access.admitPage({
    peer: peerOf(request),
    forwardedFor,
    units,
    // A client that has used up its day of pages must still be able to revoke a key.
    countsForDay: !page.personal,
    now,
  });
  seen.counted(admission);
  return admission;
}

async function makePage(
  parts: VisitParts,
  seen: PageVisit,
  { page, places }: PageFound,
  admission: PageAdmission & { outcome: 'admitted' },
): Promise<PageAnswer> {
  const questions = new PageQuestions(parts, admission.caller);
  try {
    return await page.answer(visitOf(parts, seen, places, questions));
  } catch (error) {
    admission.refund();
    if (error instanceof Unanswered) logUnavailable(parts.log, seen, error.reason);
    else logBug(parts, seen, error);
    const isOurs = !(error instanceof Unanswered) || error.reason === 'failed';
    if (isOurs) void parts.access.serviceFailed(admission.caller, 'search', seen.now);
    return unavailablePage(retryAfterUnavailableSeconds);
  } finally {
    seen.datasetVersion = questions.datasetVersion;
  }
}

function visitOf(
  { config, baseUrl, peerOf }: VisitParts,
  { request, path, query, now }: PageVisit,
  places: Visit['places'],
  questions: PageQuestions,
): Visit {
  return {
    request,
    places,
    path,
    query,
    basePath: config.basePath,
    baseUrl: baseUrl(),
    publicUrl: config.publicUrl,
    peer: peerOf(request),
    now,
    ask: questions.ask,
    askJson: questions.askJson,
    askPage: questions.askPage,
  };
}

function logBug({ log }: VisitParts, { requestId, traceId }: PageVisit, error: unknown): void {
  log.error('A page failed unexpectedly.', { requestId: loggable(requestId), traceId, error });
}

function send(
  { config }: VisitParts,
  { request, path, requestId }: PageVisit,
  { page }: PageFound,
  answer: PageAnswer,
): Promise<Response> {
  const { status, contentType, body, headers } = 'body' in answer ? answer : inLayout(answer, path, config);
  const isStored = !page.personal && status < 400;
  return respondMade(request, body, config, {
    status,
    headers: {
      ...(page.personal ? personalHeaders : publicHeaders),
      ...htmlHeaders(page.policy),
      'Content-Type': contentType,
      'Cache-Control': isStored ? 'private, no-cache' : 'no-store',
      'X-Request-Id': requestId,
      ...headers,
    },
  });
}

function inLayout(shown: Shown, path: string, config: Config): Sent {
  return {
    status: shown.status ?? 200,
    contentType: htmlContentType,
    body: layout(shown, path, config),
    headers: shown.headers ?? {},
  };
}

const publicHeaders = { ...commonHeaders, 'Referrer-Policy': 'no-referrer' } as const;

/** Without CORS headers: no script of another site may read the page. */
const personalHeaders = {
  Vary: commonHeaders.Vary,
  'X-Content-Type-Options': commonHeaders['X-Content-Type-Options'],
  // With no-referrer a browser would send `Origin: null` with the forms of these pages.
  'Referrer-Policy': 'same-origin',
} as const;
