/**
 * Finds the results of a search on the home page: the company of an LEI or an identifier directly, otherwise companies
 * by name.
 */
import type { Config } from '../../../config.ts';
import { isLei } from '../../../lei/identifiers.ts';
import { searchTextMax, searchTextMin } from '../../../protocol/questions.ts';
import { queryParameters, Refusal } from '../../endpoints/parameters.ts';
import { type PageAnswer, redirect, type Shown, type Told, type Visit } from '../definition.ts';
import { type Html, html } from '../html.ts';
import { type Identified, identified } from './identified.ts';
import { hitList, identifiedList, pageSize, paging } from './result-list.ts';
import { searchForm, type Typed } from './search-form.ts';

/** The search text, trimmed; '' for nothing. Control characters, which come with pasted text, become spaces. */
export function textOf(query: URLSearchParams): string {
  return (query.get('q') ?? '').replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ').trim();
}

/** Whether a search for this text asks the query threads. @param q trimmed */
export function asksData(q: string): boolean {
  return leiOf(q) === null && hasRightLength(q);
}

/** The typed LEI, possibly in groups; null if it is not one. */
function leiOf(q: string): string | null {
  const compact = q.replaceAll(/[\s-]+/g, '').toUpperCase();
  return isLei(compact) ? compact : null;
}

/** Whether the length of a search text is allowed. */
export function hasRightLength(q: string): boolean {
  return !(queryParameters.q.read(q) instanceof Refusal);
}

export async function answerSearch(config: Config, visit: Visit, q: string): Promise<PageAnswer> {
  const lei = leiOf(q);
  if (lei !== null) return redirect(config.basePath, `/company/${lei}`);
  const typed = { q, country: given(visit.query, 'country'), status: given(visit.query, 'status') };
  if (!hasRightLength(q)) {
    return faultPage(config, typed, `Type ${searchTextMin} to ${searchTextMax} characters.`);
  }
  const country = typed.country && queryParameters.country.read(typed.country);
  const status = typed.status && queryParameters.status.read(typed.status);
  if (country instanceof Refusal) return faultPage(config, typed, `The country ${country.detail}.`);
  if (status instanceof Refusal) return faultPage(config, typed, `The status ${status.detail}.`);
  const [found, told] = await Promise.all([identified(visit, q), search(visit, { q, country, status })]);
  const [only, ...others] = found?.companies ?? [];
  if (found?.sure && only !== undefined && only.name !== null && others.length === 0) {
    return redirect(config.basePath, `/company/${only.lei}`);
  }
  return resultPage(config, visit, typed, found, told);
}

/** An empty filter counts as none. */
function given(query: URLSearchParams, name: string): string | null {
  return query.get(name)?.trim() || null;
}

function search(visit: Visit, filters: Typed): Promise<Told<'search'>> {
  return visit.askPage((after) => ({ kind: 'search', ...filters, after, limit: pageSize }), {
    cursor: given(visit.query, 'cursor'),
    scope: JSON.stringify(filters),
  });
}

function resultPage(
  config: Config,
  { query }: Visit,
  typed: Typed,
  found: Identified | null,
  told: Told<'search'>,
): Shown {
  switch (told.outcome) {
    case 'found': {
      const page = pageNumber(query);
      const list = hitList(config, told.data, page);
      return searchPage(
        config,
        typed,
        html`${found && identifiedList(config, found)}${list}${paging(config, typed, told.next, page)}`,
      );
    }
    case 'bad-cursor':
      return faultPage(config, typed, 'These results have been replaced by newer data. Please search again.');
    case 'invalid':
      return faultPage(config, typed, `The ${told.parameter} ${told.detail}`);
    case 'not-found':
      return searchPage(config, typed, hitList(config, { total: 0, items: [] }, 1));
  }
}

/** The number of the page, from the address; it is only shown. */
function pageNumber(query: URLSearchParams): number {
  const text = query.get('page') ?? '';
  return /^[1-9]\d{0,5}$/.test(text) && query.has('cursor') ? Number(text) : 1;
}

function searchPage(config: Config, typed: Typed, results: Html): Shown {
  return {
    title: `${typed.q}: search`,
    content: html`<h1 class="small">Search</h1>
${searchForm(config, typed)}
<div class="results">
${results}</div>`,
    scripts: ['home/suggest.js'],
    noindex: true,
  };
}

function faultPage(config: Config, typed: Typed, fault: string): Shown {
  return {
    status: 400,
    title: 'Error: search',
    content: html`<h1 class="small">Search</h1>
${searchForm(config, typed, html`<p class="fault" id="q-fault" role="alert">${fault}</p>`)}`,
    scripts: ['home/suggest.js'],
    noindex: true,
  };
}
