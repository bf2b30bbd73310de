/** Answers visits to the pages that are made for each visit: counts the visit, makes the page, sends it. */
import type { Config } from '../../config.ts';
import type { Access, PageAdmission } from '../contracts.ts';
import { type Log, loggable } from '../log.ts';
import type { PageAnswer, Sent, Shown, Visit } from '../pages/definition.ts';
import { htmlContentType, htmlHeaders, layout } from '../pages/layout.ts';
import { exhaustedPage, unavailablePage } from '../pages/refusal-pages.ts';
import { retryAfterUnavailableSeconds } from '../problems.ts';
import { queryOf } from './address.ts';
import type { PeerOf } from './exchange.ts';
import { commonHeaders } from './headers.ts';
import { logUnavailable } from './layers/look-up.ts';
import type { PageFound } from './page-paths.ts';
import { PageQuestions, type QuestionParts, Unanswered } from './page-questions.ts';
import { respondMade } from './page-response.ts';
import type { PageVisit } from './page-visit.ts';
import { secondsUntil } from './rate-limit-headers.ts';

export interface VisitParts extends QuestionParts {
  readonly config: Config;
  readonly access: Pick<Access, 'admitPage'>;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly baseUrl: () => string;
  readonly peerOf: PeerOf;
}

export async function answerVisit(parts: VisitParts, seen: PageVisit, found: PageFound): Promise<Response> {
  const { page } = found;
  const admission = page.counted(seen.request) ? await admit(parts, seen) : uncounted;
  const answer =
    admission.outcome === 'exhausted'
      ? exhaustedPage(secondsUntil(admission.returnsAt, admission.quota), parts.config)
      : await makePage(parts, seen, found, admission);
  return send(parts, seen, found, answer);
}

const uncounted = { outcome: 'admitted', caller: '', quota: null, refund: () => null } as const;

async function admit({ access, peerOf }: VisitParts, seen: PageVisit): Promise<PageAdmission> {
  const { request, now } = seen;
  const forwardedFor = request.headers.get('x-forwarded-for');
  const admission = await access.admitPage({ peer: peerOf(request), forwardedFor, now });
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
    return unavailablePage(retryAfterUnavailableSeconds);
  } finally {
    seen.datasetVersion = questions.datasetVersion;
  }
}

function visitOf(
  { config, baseUrl, peerOf }: VisitParts,
  { request, now }: PageVisit,
  places: Visit['places'],
  questions: PageQuestions,
): Visit {
  return {
    request,
    places,
    query: new URLSearchParams(queryOf(request.url)),
    basePath: config.basePath,
    baseUrl: baseUrl(),
    peer: peerOf(request),
    now,
    ask: questions.ask,
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
