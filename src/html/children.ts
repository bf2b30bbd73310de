/** The content of `/company/{lei}/children`: all children of a company of one kind, in pages. */

import type { ChildrenOnPage } from '../lei/page-answers.ts';
import type { SiteAddress } from '../protocol/ext-questions.ts';
import { type Html, html } from './html.ts';
import { childrenPath, childTable, childTitles } from './ownership.ts';
import { companyLink } from './parts.ts';
import { count } from './words.ts';

/** Children on a page. */
export const childrenOfPage = 100;

export function childrenTitle({ name, kind }: ChildrenOnPage, number: number): string {
  return `${name}: ${childTitles[kind].toLowerCase()}${number > 1 ? `, page ${number}` : ''}`;
}

/** @param number of the page, from 1 on */
export function childrenContent(place: SiteAddress, data: ChildrenOnPage, number: number): Html {
  const { lei, name, kind, total, items } = data;
  return html`<p><a href="${place.basePath}/company/${lei}">Back to <bdi>${name}</bdi></a></p>
<h1 class="small">${childTitles[kind]}</h1>
<article class="sheet">
<p>${companyLink(place, lei, name)} has ${count(total)}${shownOf(data, number)}.
<a class="json" href="${place.basePath}/ext/v1/lei/${lei}/children?kind=${kind}&amp;limit=${childrenOfPage}">JSON</a></p>
${items.length > 0 && childTable(place, data)}
${paging(place, data, number)}
</article>`;
}

function shownOf({ total, items }: ChildrenOnPage, number: number): string {
  if (items.length === total) return '';
  if (items.length === 0) return '; this page has none of them';
  const from = (number - 1) * childrenOfPage + 1;
  return `; these are ${count(from)} to ${count(from + items.length - 1)}`;
}

function paging(
  { basePath }: SiteAddress,
  { lei, kind, total }: ChildrenOnPage,
  number: number,
): Html | null {
  const last = Math.max(1, Math.ceil(total / childrenOfPage));
  if (last === 1) return null;
  const link = (to: number, text: string, rel: string) =>
    html`<li><a href="${basePath}${childrenPath(lei, kind, to)}" rel="${rel}">${text}</a></li>\n`;
  return html`<nav class="paging" aria-label="Pages"><ul>
${number > 1 && link(Math.min(number - 1, last), 'Previous', 'prev')}<li class="quiet">Page ${count(number)} of ${count(last)}</li>
${number < last && link(number + 1, 'Next', 'next')}</ul></nav>`;
}
