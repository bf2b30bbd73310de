/** What a search on the home page finds: the company of an LEI or an identifier at once, else companies by name. */
import type { Config } from '../../../config.ts';
import { isLei } from '../../../lei/identifiers.ts';
import { searchTextMax, searchTextMin } from '../../../protocol/questions.ts';
import { type DataOf, type PageAnswer, redirect, type Shown, type Told, type Visit } from '../definition.ts';
import { type Html, html } from '../html.ts';
import { identified } from './identified.ts';
import { countryName, inWords, searchForm, type Typed } from './search-form.ts';

type Hit = DataOf['search']['items'][number];

const pageSize = 20;

export async function answerSearch(config: Config, visit: Visit, q: string): Promise<PageAnswer> {
  const lei = q.replaceAll(/[\s-]+/g, '').toUpperCase();
  if (isLei(lei)) return redirect(config.basePath, `/company/${lei}`);
  const typed = { q, country: given(visit.query, 'country'), status: given(visit.query, 'status') };
  const { length } = Array.from(q);
  if (length < searchTextMin || length > searchTextMax) {
    return faultPage(config, typed, `Type ${searchTextMin} to ${searchTextMax} characters.`);
  }
  const [found, told] = await Promise.all([identified(visit, q), search(visit, typed)]);
  if (found?.sure && found.companies.length === 1) {
    return redirect(config.basePath, `/company/${found.companies[0]?.lei ?? ''}`);
  }
  return resultPage(config, visit, typed, found, told);
}

/** An empty filter is none. */
function given(query: URLSearchParams, name: string): string | null {
  return query.get(name)?.trim() || null;
}

function search(visit: Visit, { q, country, status }: Typed): Promise<Told<'search'>> {
  const filters = { country: country?.toUpperCase() ?? null, status: status?.toUpperCase() ?? null };
  return visit.askPage((after) => ({ kind: 'search', q, ...filters, after, limit: pageSize }), {
    cursor: given(visit.query, 'cursor'),
    scope: JSON.stringify([q, filters]),
  });
}

function resultPage(
  config: Config,
  { query }: Visit,
  typed: Typed,
  found: Awaited<ReturnType<typeof identified>>,
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
      return faultPage(
        config,
        typed,
        `The ${told.parameter === 'q' ? 'text' : told.parameter} ${told.detail}`,
      );
    case 'not-found':
      return searchPage(config, typed, hitList(config, { total: 0, items: [] }, 1));
  }
}

/** Which page this is, as the address says; it is only shown. */
function pageNumber(query: URLSearchParams): number {
  const text = query.get('page') ?? '';
  return /^[1-9]\d{0,5}$/.test(text) && query.has('cursor') ? Number(text) : 1;
}

function searchPage(config: Config, typed: Typed, results: Html): Shown {
  return {
    title: `${typed.q}: search`,
    content: html`<h1 class="small">Search</h1>
${searchForm(config, typed)}
${results}`,
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

function identifiedList(
  config: Config,
  { name, companies }: NonNullable<Awaited<ReturnType<typeof identified>>>,
): Html {
  const items = companies.map(
    ({ lei, name: company }) =>
      html`<li><a href="${config.basePath}/company/${lei}">${company ?? lei}</a> <code>${lei}</code></li>\n`,
  );
  return html`<section class="note" aria-labelledby="identified">
<h2 id="identified">${name}</h2>
${companies.length === 0 ? html`<p>No company of the data has this identifier.</p>` : html`<ul class="links">\n${items}</ul>`}
</section>
`;
}

function hitList(
  config: Config,
  { total, items }: Pick<DataOf['search'], 'total' | 'items'>,
  page: number,
): Html {
  if (total === 0) {
    return html`<p class="count" role="status">No company was found. Try fewer words, or another spelling.</p>`;
  }
  const first = (page - 1) * pageSize + 1;
  const range = `${first.toLocaleString('en')}–${(first + items.length - 1).toLocaleString('en')}`;
  const text = total === 1 ? 'One company' : `${total.toLocaleString('en')} companies`;
  return html`<p class="count" role="status">${text}${total > items.length && html` (${range})`}</p>
<ol class="hits" start="${first}">
${items.map((hit) => hitItem(config, hit))}</ol>
`;
}

function hitItem({ basePath }: Config, hit: Hit): Html {
  const { lei, name, matchedName, city, country, entityStatus, registrationStatus } = hit;
  const place = [city, country && countryName(country)].filter((part) => part !== null).join(', ');
  return html`<li>
<a class="name" href="${basePath}/company/${lei}">${name}</a>${entityStatus !== null && entityStatus !== 'ACTIVE' && badge(entityStatus)}${registrationStatus !== null && registrationStatus !== 'ISSUED' && badge(registrationStatus)}
${matchedName.name !== name && html`<span class="also">also ${matchedName.name}</span>\n`}<span class="where">${place}</span> <code>${lei}</code>
</li>
`;
}

function badge(code: string): Html {
  return html` <span class="badge">${inWords(code)}</span>`;
}

function paging({ basePath }: Config, typed: Typed, next: string | null, page: number): Html | null {
  const address = (more: Readonly<Record<string, string>>) => {
    const { q, country, status } = typed;
    const parameters = { q, ...(country && { country }), ...(status && { status }), ...more };
    return `${basePath}/?${new URLSearchParams(parameters)}`;
  };
  if (next === null && page === 1) return null;
  return html`<nav class="paging" aria-label="Pages of results"><ul>
${page > 1 && html`<li><a href="${address({})}">First page</a></li>\n`}<li aria-current="page">Page ${page}</li>
${next !== null && html`<li><a rel="next" href="${address({ page: String(page + 1), cursor: next })}">Next page</a></li>\n`}</ul></nav>`;
}
