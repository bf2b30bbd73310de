/** Renders the results of a search. */

import { type Html, html } from '../../html/html.ts';
import { marks } from '../../html/parts.ts';
import { count, countryName } from '../../html/words.ts';
import type { SiteAddress } from '../../protocol/ext-questions.ts';
import type { DataAnswer, DataOf } from '../definition.ts';
import { chosenInWords, filterNames, type TypedSearch } from './search-form.ts';

/** Companies on one page. */
export const pageSize = 20;

/** @param name of the identifier, such as `ISIN DE0005140008` */
export function identifiedList(
  { basePath }: SiteAddress,
  name: string,
  companies: DataOf['isin']['entities'],
): Html {
  const items = companies.map(({ lei, name: company }) =>
    company === null
      ? html`<li><code>${lei}</code>, which has no record in this data</li>\n`
      : html`<li><a href="${basePath}/company/${lei}">${company}</a> <code>${lei}</code></li>\n`,
  );
  return html`<section class="note" aria-labelledby="identified">
<h2 id="identified">${name}</h2>
${companies.length === 0 ? html`<p>No company in the data has this identifier.</p>` : html`<ul class="links">\n${items}</ul>`}
</section>
`;
}

export function hitList(
  place: SiteAddress,
  typed: TypedSearch,
  { total, items }: DataOf['list'],
  page: number,
): Html {
  if (total === 0) return noHits(place, typed);
  const first = (page - 1) * pageSize + 1;
  const range = `${count(first)}–${count(first + items.length - 1)}`;
  const text = total === 1 ? 'One company' : `${count(total)} companies`;
  return html`<p class="count" role="status">${text}${total > items.length && html` (${range})`}${onPaper(typed)}</p>
<ol class="hits" start="${first}">
${items.map((hit) => hitItem(place, hit))}</ol>
`;
}

/** The form that says what was asked for is not printed. */
function onPaper({ q, chosen }: TypedSearch): Html {
  const filters = chosenInWords(chosen);
  return html`<span class="printed"> for “<bdi>${q}</bdi>”${filters && `, ${filters}`}</span>`;
}

function noHits({ basePath }: SiteAddress, { q, chosen }: TypedSearch): Html {
  const filters = chosenInWords(chosen);
  if (filters === '')
    return html`<p class="count" role="status">No company with this name was found. Try fewer words, or another spelling.</p>`;
  const unfiltered = `${basePath}/?${new URLSearchParams({ q })}`;
  return html`<p class="count" role="status">No company with this name was found among those that the filters leave: <bdi>${filters}</bdi>. <a href="${unfiltered}">Search without filters</a>.</p>`;
}

function hitItem({ basePath }: SiteAddress, hit: DataOf['list']['items'][number]): Html {
  const { lei, name, matchedName, city, country, entityStatus, registrationStatus } = hit;
  const place = [city, country && countryName(country)].filter((part) => part !== null).join(', ');
  return html`<li>
<a class="name" href="${basePath}/company/${lei}">${name}</a>${marks(entityStatus, registrationStatus)}
${matchedName.name !== name && html`<span class="also">also ${matchedName.name}</span>\n`}<span class="line">${place && `${place} · `}<code>${lei}</code></span>
</li>
`;
}

/** Cursors of the pages beside one, as in the answer. */
type Neighbours = Pick<DataAnswer<'list'> & { outcome: 'found' }, 'next' | 'previous'>;

export function paging(
  { basePath }: SiteAddress,
  typed: TypedSearch,
  { next, previous }: Neighbours,
  page: number,
): Html | null {
  const filters = filterNames.flatMap((name) =>
    typed.chosen[name].map((value): [string, string] => [name, value]),
  );
  /** @param cursor '' for the first page */
  const link = (cursor: string, number: number, text: string, rel: string | null) => {
    const more: [string, string][] =
      cursor === ''
        ? []
        : [
            ['page', String(number)],
            ['cursor', cursor],
          ];
    const address = `${basePath}/?${new URLSearchParams([['q', typed.q], ...filters, ...more])}`;
    return html`<li><a${rel !== null && html` rel="${rel}"`} href="${address}">${text}</a></li>\n`;
  };
  if (next === null && page === 1) return null;
  return html`<nav class="paging" aria-label="Pages of results"><ul>
${page > 1 && previous !== '' && link('', 1, 'First page', null)}${previous !== null && link(previous, Math.max(1, page - 1), 'Previous page', 'prev')}<li aria-current="page">Page ${page}</li>
${next !== null && link(next, page + 1, 'Next page', 'next')}</ul></nav>`;
}
