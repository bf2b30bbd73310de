/** Pages for visits that are refused: too many of one client, a service that can't answer, and unknown paths. */
import type { PageAdmission } from '../accounts/access/admission.ts';
import type { Config } from '../config.ts';
import { type Html, html } from '../html/html.ts';
import { dataPage, movedTo, type PageDefinition, type ShownPage } from './definition.ts';
import { article } from './shared-parts.ts';

/** 429. @param seconds until the client may visit another page */
export function exhaustedPage(
  { violatedPolicies }: ExhaustedVisit,
  seconds: number,
  { basePath }: Config,
): ShownPage {
  const isForDay = violatedPolicies.includes('daily');
  const sentence = isForDay
    ? 'Your network address has opened as many pages with data as one address may open in a day. Please come back after midnight UTC.'
    : `Your network address has opened too many pages with data within a minute. Please try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`;
  const content = html`<p>${sentence}</p>
<p>In a program, use the <a href="${basePath}/docs">API</a>, which has limits of its own.</p>`;
  return refusalPage(429, isForDay ? 'Too many pages today' : 'Too many pages at once', seconds, content);
}

type ExhaustedVisit = PageAdmission & { readonly outcome: 'exhausted' };

/** 503. */
export function unavailablePage(seconds: number): ShownPage {
  const content = html`<p>The service could not answer just now. Please try again in a few seconds.</p>`;
  return refusalPage(503, 'Please try again', seconds, content);
}

function refusalPage(status: number, title: string, seconds: number, sentences: Html): ShownPage {
  return {
    status,
    title,
    content: article(title, sentences),
    noindex: true,
    headers: { 'Retry-After': String(seconds) },
  };
}

/**
 * For browsers at an unknown path: 404, but a slash at the end is a slip that leads to the path without it. Programs get a
 * problem.
 */
export function nothingPage({ basePath }: Pick<Config, 'basePath'>): PageDefinition {
  const title = 'Page not found';
  const content = html`<p>The address may be mistyped. <a href="${basePath}/">Search for a company</a>, or read the <a href="${basePath}/docs">API reference</a>.</p>`;
  return {
    ...dataPage,
    path: '',
    units: () => 0,
    answer: (visit) =>
      visit.path.endsWith('/')
        ? movedTo(withoutSlash(visit.path), visit)
        : { status: 404, title, content: article(title, content), noindex: true },
  };
}

/** Two slashes in front would name another host. */
function withoutSlash(path: string): string {
  return `/${path.replace(/^\/+|\/+$/g, '')}`;
}
