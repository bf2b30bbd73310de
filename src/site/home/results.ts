/**
 * Finds the results of a search on the home page: the company of an LEI or an identifier directly, otherwise companies
 * by name.
 */

import { type Html, html } from '../../html/html.ts';
import { queryParameters, Refusal } from '../../http/parameters.ts';
import { checkTyped, mappingKinds, mappingTable } from '../../lei/identifier-kinds.ts';
import { isLei } from '../../lei/identifiers.ts';
import type { FieldCondition } from '../../protocol/list-questions.ts';
import { searchTextMax, searchTextMin } from '../../protocol/questions.ts';
import {
  type DataAnswer,
  type DataOf,
  type PageAnswer,
  redirect,
  type ShownPage,
  type Visit,
} from '../definition.ts';
import { hitList, identifiedList, pageSize, paging } from './result-list.ts';
import { chosenIn, conditionsOf, searchForm, type TypedSearch } from './search-form.ts';

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

export async function answerSearch(visit: Visit, q: string): Promise<PageAnswer> {
  const lei = leiOf(q);
  if (lei !== null) return redirect(visit, `/company/${lei}`);
  const typed = { q, chosen: chosenIn(visit.query) };
  if (!hasRightLength(q)) {
    return faultPage(visit, typed, `Type ${searchTextMin} to ${searchTextMax} characters.`);
  }
  const conditions = conditionsOf(typed.chosen);
  if (typeof conditions === 'string') return faultPage(visit, typed, conditions);
  const [found, told] = await Promise.all([identified(visit, q), search(visit, q, conditions)]);
  const [only, ...others] = found?.companies ?? [];
  if (found?.sure && only !== undefined && only.name !== null && others.length === 0) {
    return redirect(visit, `/company/${only.lei}`);
  }
  return resultPage(visit, typed, found, told);
}

/** A list of the hits where there are filters. */
function search(
  visit: Visit,
  q: string,
  conditions: readonly FieldCondition[],
): Promise<DataAnswer<'search' | 'list'>> {
  const cursor = visit.query.get('cursor')?.trim() || null;
  const readOn = { cursor, scope: JSON.stringify({ q, conditions }) };
  if (conditions.length === 0) {
    const all = { kind: 'search', q, country: null, status: null, limit: pageSize } as const;
    return visit.askPage((after) => ({ ...all, after }), readOn);
  }
  const list = { kind: 'list', conditions, q, order: [], limit: pageSize } as const;
  return visit.askPage((after) => ({ ...list, skip: after === null ? 0 : Number(after) }), readOn);
}

interface IdentifiedCompanies {
  /** Such as `ISIN DE0005140008`. */
  readonly name: string;
  readonly companies: DataOf['isin']['entities'];
  /** True if the text can't be a name. */
  readonly sure: boolean;
}

/** Null if the text is not an identifier, or may be a name and leads to no company. */
async function identified({ ask }: Visit, text: string): Promise<IdentifiedCompanies | null> {
  const all = await Promise.all(
    mappingKinds.map(async (kind): Promise<IdentifiedCompanies | null> => {
      const { singular, unlikeNames: sure } = mappingTable[kind];
      const check = checkTyped(kind, text);
      if (!check.ok) return null;
      const told = await ask({ kind, value: check.value });
      const name = `${singular} ${check.value}`;
      if (told.outcome === 'found') return { name, companies: told.data.entities, sure };
      return kind === 'isin' ? { name, companies: [], sure: true } : null;
    }),
  );
  return all.find((one) => one !== null) ?? null;
}

function resultPage(
  visit: Visit,
  typed: TypedSearch,
  found: IdentifiedCompanies | null,
  told: DataAnswer<'search' | 'list'>,
): ShownPage {
  switch (told.outcome) {
    case 'found': {
      const page = pageNumber(visit.query);
      const isOnlyIdentifier = found !== null && told.data.total === 0;
      const list = isOnlyIdentifier ? null : hitList(visit, typed, told.data, page);
      return searchPage(
        visit,
        typed,
        html`${found && identifiedList(visit, found.name, found.companies)}${list}${paging(visit, typed, told, page)}`,
      );
    }
    case 'bad-cursor':
      return faultPage(visit, typed, 'These results have been replaced by newer data. Please search again.');
    case 'invalid':
      return faultPage(visit, typed, `The ${told.parameter} ${told.detail}`);
    case 'not-found':
      return searchPage(visit, typed, hitList(visit, typed, { total: 0, items: [] }, 1));
  }
}

/** The number of the page, from the address; it is only shown. */
function pageNumber(query: URLSearchParams): number {
  const text = query.get('page') ?? '';
  return /^[1-9]\d{0,5}$/.test(text) && query.has('cursor') ? Number(text) : 1;
}

function searchPage(visit: Visit, typed: TypedSearch, results: Html): ShownPage {
  return {
    title: `${typed.q}: search`,
    content: html`<h1 class="small">Search</h1>
${searchForm(visit, typed)}
<div class="results">
${results}</div>`,
    scripts: ['home/suggest.js'],
    noindex: true,
  };
}

function faultPage(visit: Visit, typed: TypedSearch, fault: string): ShownPage {
  return {
    status: 400,
    title: 'Error: search',
    content: html`<h1 class="small">Search</h1>
${searchForm(visit, typed, html`<p class="fault" id="q-fault" role="alert">${fault}</p>`)}`,
    scripts: ['home/suggest.js'],
    noindex: true,
  };
}
