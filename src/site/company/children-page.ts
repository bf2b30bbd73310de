/** `/company/{lei}/children`: all children of a company of one kind, in pages. */

import { type Html, html } from '../../http/html.ts';
import { type ChildKind, childKinds } from '../../lei/relationship.ts';
import { pageUnits, type SiteAddress } from '../definition.ts';
import { count } from '../words.ts';
import { type Children, childTable, childTitles } from './ownership.ts';
import { mistypedPage, pageOfCompany, unknownPage } from './page-of-company.ts';
import { companyLink } from './parts.ts';

/** Children on a page. */
const childrenOfPage = 100;

export const childrenPage = pageOfCompany(
  '/company/{lei}/children',
  pageUnits.longList,
  async (visit, lei) => {
    const { kind = 'direct', page = '1' } = Object.fromEntries(visit.query);
    const of = childKinds.find((each) => each === kind);
    if (of === undefined) return mistypedPage(visit, `The kind must be ${childKinds.join(', ')}.`);
    if (!/^[1-9]\d{0,5}$/.test(page)) return mistypedPage(visit, 'The page must be a number from 1 on.');
    const number = Number(page);
    const limit = childrenOfPage;
    const after = number === 1 ? null : String((number - 1) * limit);
    const told = await visit.ask({ kind: 'children', withFacts: true, lei, of, after, limit });
    if (told.outcome !== 'found') return unknownPage(visit, lei);
    const { data } = told;
    return {
      title: `${data.name}: ${childTitles[of].toLowerCase()}${number > 1 ? `, page ${number}` : ''}`,
      canonical: `${visit.baseUrl}${addressOf(lei, of, number)}`,
      styles: ['company/company.css'],
      scripts: ['company/sort.js'],
      content: html`<p><a href="${visit.basePath}/company/${lei}">Back to <bdi>${data.name}</bdi></a></p>
<h1 class="small">${childTitles[of]}</h1>
<article class="sheet">
<p>${companyLink(visit, lei, data.name)} has ${count(data.total)}${shownOf(data, number)}.
<a class="json" href="${visit.basePath}/ext/v1/lei/${lei}/children?kind=${of}&amp;limit=${limit}">JSON</a></p>
${data.items.length > 0 && childTable(visit, data)}
${paging(visit, data, number)}
</article>`,
    };
  },
);

function shownOf({ total, items }: Children, number: number): string {
  if (items.length === total) return '';
  if (items.length === 0) return '; this page has none of them';
  const from = (number - 1) * childrenOfPage + 1;
  return `; these are ${count(from)} to ${count(from + items.length - 1)}`;
}

function addressOf(lei: string, kind: ChildKind, number: number): string {
  return `/company/${lei}/children?kind=${kind}${number > 1 ? `&page=${number}` : ''}`;
}

function paging({ basePath }: SiteAddress, { lei, kind, total }: Children, number: number): Html | null {
  const last = Math.max(1, Math.ceil(total / childrenOfPage));
  if (last === 1) return null;
  const link = (to: number, text: string, rel: string) =>
    html`<li><a href="${basePath}${addressOf(lei, kind, to)}" rel="${rel}">${text}</a></li>\n`;
  return html`<nav class="paging" aria-label="Pages"><ul>
${number > 1 && link(Math.min(number - 1, last), 'Previous', 'prev')}<li class="quiet">Page ${count(number)} of ${count(last)}</li>
${number < last && link(number + 1, 'Next', 'next')}</ul></nav>`;
}
