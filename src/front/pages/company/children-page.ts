/** `/company/{lei}/children`: all children of a company of one kind, in pages. */
import type { Config } from '../../../config.ts';
import { type ChildKind, childKinds } from '../../../lei/relationship.ts';
import type { PageAnswer, PageDefinition, Visit } from '../definition.ts';
import { type Html, html } from '../html.ts';
import { count } from '../words.ts';
import { type Children, childTable, childTitles } from './family.ts';
import { pageLimits } from './limits.ts';
import { pageOfCompany } from './page-of-company.ts';
import { companyLink, type Place } from './parts.ts';
import { unknownPage } from './stray.ts';

export function childrenPage(config: Pick<Config, 'basePath'>): PageDefinition {
  return pageOfCompany(config, '/company/{lei}/children', show);
}

/** An unknown kind or page number means the first one. */
async function show(place: Place, visit: Visit, lei: string): Promise<PageAnswer> {
  const of: ChildKind = childKinds.find((kind) => kind === visit.query.get('kind')) ?? 'direct';
  const number = /^[1-9]\d{0,5}$/.test(visit.query.get('page') ?? '') ? Number(visit.query.get('page')) : 1;
  const limit = pageLimits.childrenOfPage;
  const after = number === 1 ? null : String((number - 1) * limit);
  const told = await visit.ask({ kind: 'children', lei, of, after, limit });
  if (told.outcome !== 'found') return unknownPage(place, lei, null);
  const { data } = told;
  return {
    title: `${data.name}: ${childTitles[of].toLowerCase()}${number > 1 ? `, page ${number}` : ''}`,
    canonical: `${place.baseUrl}${addressOf(lei, of, number)}`,
    styles: ['company/company.css'],
    scripts: ['company/sort.js'],
    content: html`<p><a href="${place.basePath}/company/${lei}">Back to <bdi>${data.name}</bdi></a></p>
<h1 class="small">${childTitles[of]}</h1>
<article class="sheet">
<p>${companyLink(place, lei, data.name)} has ${count(data.total)}${shownOf(data, number)}.
<a class="json" href="${place.basePath}/ext/v1/lei/${lei}/children?kind=${of}&amp;limit=${limit}">JSON</a></p>
${data.items.length > 0 && childTable(place, data)}
${paging(place, data, number)}
</article>`,
  };
}

function shownOf({ total, items }: Children, number: number): string {
  if (items.length === total) return '';
  if (items.length === 0) return '; this page has none of them';
  const from = (number - 1) * pageLimits.childrenOfPage + 1;
  return `; these are ${count(from)} to ${count(from + items.length - 1)}`;
}

function addressOf(lei: string, kind: ChildKind, number: number): string {
  return `/company/${lei}/children?kind=${kind}${number > 1 ? `&page=${number}` : ''}`;
}

function paging({ basePath }: Place, { lei, kind, total }: Children, number: number): Html | null {
  const last = Math.max(1, Math.ceil(total / pageLimits.childrenOfPage));
  if (last === 1) return null;
  const link = (to: number, text: string, rel: string) =>
    html`<li><a href="${basePath}${addressOf(lei, kind, to)}" rel="${rel}">${text}</a></li>\n`;
  return html`<nav class="paging" aria-label="Pages"><ul>
${number > 1 && link(Math.min(number - 1, last), 'Previous', 'prev')}<li class="quiet">Page ${count(number)} of ${count(last)}</li>
${number < last && link(number + 1, 'Next', 'next')}</ul></nav>`;
}
