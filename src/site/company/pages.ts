/**
 * The pages below `/company/{lei}`. Query threads make what they say about a company (query/company-pages.ts). Here an
 * address in another case is redirected, and one that names no company is answered.
 */

import { type Html, html, type Part } from '../../html/html.ts';
import { childrenPath } from '../../html/ownership.ts';
import { date } from '../../html/parts.ts';
import { checkLei } from '../../lei/identifiers.ts';
import { childKinds } from '../../lei/relationship-codes.ts';
import {
  directionsAllowed,
  ownershipDirections,
  readDirections,
  type SiteAddress,
} from '../../protocol/ext-questions.ts';
import {
  dataPage,
  json,
  movedTo,
  type PageAnswer,
  type PageDefinition,
  pageUnits,
  type Visit,
} from '../definition.ts';
import { article } from '../shared-parts.ts';

const companyPage: PageDefinition = {
  ...pageOfCompany('/company/{lei}', pageUnits.record, async (visit, lei) => {
    const { basePath, baseUrl } = visit;
    const told = await visit.askMade(() => ({ kind: 'company-page', lei, basePath, baseUrl }));
    if (told.outcome !== 'found') return unknownPage(visit, lei);
    const { data, meta } = told;
    if (data.title === '') return unknownPage(visit, lei, data.content);
    return {
      title: data.title,
      canonical: `${baseUrl}/company/${lei}`,
      scripts: ['copy.js', 'company/company.js'],
      styles: ['company/company.css'],
      content: html`${data.content}
<p class="quiet source">${meta.licenseNotice} Data of ${date(meta.sourcePublishedAt)}, dataset version <code class="code">${meta.datasetVersion}</code>.<span class="printed"> ${baseUrl}/company/${lei}</span></p>`,
    };
  }),
  // The picture is saved as an image that the page itself makes.
  policy: { 'img-src': "'self' blob:" },
};

/** All children of a company of one kind, in pages. */
const childrenPage = pageOfCompany('/company/{lei}/children', pageUnits.longList, async (visit, lei) => {
  const { kind = 'direct', page = '1' } = Object.fromEntries(visit.query);
  const of = childKinds.find((each) => each === kind);
  if (of === undefined) return mistypedPage(visit, `The kind must be one of ${childKinds.join(', ')}.`);
  if (!/^[1-9]\d{0,5}$/.test(page)) return mistypedPage(visit, 'The page must be a number from 1 on.');
  const { basePath, baseUrl } = visit;
  const number = Number(page);
  const told = await visit.askMade(() => ({
    kind: 'children-page',
    lei,
    of,
    page: number,
    basePath,
    baseUrl,
  }));
  if (told.outcome !== 'found') return unknownPage(visit, lei);
  return {
    ...told.data,
    canonical: `${baseUrl}${childrenPath(lei, of, number)}`,
    styles: ['company/company.css'],
    scripts: ['company/sort.js'],
  };
});

/** Items on a page of the history. */
const itemsOfPage = 50;

/** The whole history of a company, in pages. */
const historyPage = pageOfCompany('/company/{lei}/history', pageUnits.history, async (visit, lei) => {
  const { basePath, baseUrl } = visit;
  const address = `${basePath}/company/${lei}`;
  const told = await visit.askMade(
    (after) => ({ kind: 'history-page', lei, after, limit: itemsOfPage, basePath, baseUrl }),
    { cursor: visit.query.get('cursor'), scope: `history ${lei}` },
  );
  if (told.outcome === 'not-found') return unknownPage(visit, lei);
  if (told.outcome !== 'found') return againPage(address);
  return {
    title: told.data.title,
    canonical: `${baseUrl}/company/${lei}/history`,
    styles: ['company/company.css'],
    content: html`<p><a href="${address}">Back to the company</a></p>
<h1 class="small">History of <code>${lei}</code></h1>
<article class="sheet">
${told.data.content}
${historyPaging(`${address}/history`, visit.query.has('cursor'), told.next)}
</article>`,
  };
});

/** @param address of the newest changes @param isContinued whether the page begins with older ones */
function historyPaging(address: string, isContinued: boolean, next: string | null): Html | null {
  if (!isContinued && next === null) return null;
  return html`<nav class="paging" aria-label="Pages"><ul>
${isContinued && html`<li><a href="${address}">Newest</a></li>\n`}${next !== null && html`<li><a href="${address}?cursor=${next}" rel="next">Earlier</a></li>\n`}</ul></nav>`;
}

function againPage(address: string): PageAnswer {
  return {
    status: 400,
    title: 'Please start again',
    content: html`<article class="sheet"><h1>Please start again</h1>
<p>This page of the history belongs to data that has since been replaced. <a href="${address}/history">Show the current history</a></p></article>`,
    noindex: true,
  };
}

/**
 * `/company/{lei}/ownership`: the data of the picture, for its script. `direction` is `up`, `down` or both with a comma;
 * both if it is left out.
 */
const ownershipData: PageDefinition = {
  ...dataPage,
  path: '/company/{lei}/ownership',
  units: () => pageUnits.group,
  async answer({ places, query, askJson }) {
    const check = checkLei(places['lei'] ?? '');
    if (!check.ok) return json({ detail: check.reason }, 400);
    const asked = query.getAll('direction').join();
    const directions = query.has('direction') ? readDirections(asked) : ownershipDirections;
    if (directions === null) return json({ detail: `The direction ${directionsAllowed}.` }, 400);
    const told = await askJson({ kind: 'group', lei: check.value, directions });
    return told.outcome === 'found'
      ? json(told.data)
      : json({ detail: `No company has the LEI ${check.value}.` }, 404);
  },
};

export const companyPages: readonly PageDefinition[] = [
  companyPage,
  childrenPage,
  historyPage,
  ownershipData,
];

/**
 * @param path of the page, including `{lei}`
 * @param units of a visit
 * @param show makes the page of a company whose LEI is well-formed
 */
function pageOfCompany(
  path: string,
  units: number,
  show: (visit: Visit, lei: string) => Promise<PageAnswer>,
): PageDefinition {
  return {
    ...dataPage,
    path,
    units: () => units,
    answer(visit) {
      const text = visit.places['lei'] ?? '';
      const check = checkLei(text);
      if (!check.ok) return noLeiPage(visit, text, check.reason);
      return check.value === text ? show(visit, text) : inUpperCase(visit, check.value);
    },
  };
}

/** Companies have one address: in upper case. */
function inUpperCase(visit: Visit, lei: string): PageAnswer {
  return movedTo(visit.path.split('/').with(2, lei).join('/'), visit);
}

function noLeiPage(place: SiteAddress, text: string, reason: string): PageAnswer {
  return straySheet(
    place,
    400,
    'This is not an LEI',
    html`<p>“<bdi>${text.slice(0, 100)}</bdi>” does not identify a company. ${reason}</p>`,
  );
}

/** @param detail a sentence on what is wrong with the address */
function mistypedPage(place: SiteAddress, detail: string): PageAnswer {
  return straySheet(place, 400, 'This address is mistyped', html`<p>${detail}</p>`);
}

/** @param known about an LEI that has left the data; null for one that was never in it */
function unknownPage(place: SiteAddress, lei: string, known: Part = null): PageAnswer {
  const title = known === null ? 'No such company' : 'This company was removed from the data';
  return straySheet(place, 404, title, [
    html`<p>No company with the LEI <code>${lei}</code> is in the data that this service has now. The LEI itself is well-formed.</p>`,
    known,
  ]);
}

function straySheet({ basePath }: SiteAddress, status: number, title: string, content: Part): PageAnswer {
  const search = html`<form class="again" role="search" method="get" action="${basePath}/">
<label for="q">Search by name or identifier</label>
<div class="search-line"><input id="q" name="q" type="search" required maxlength="500"> <button type="submit">Search</button></div>
</form>`;
  return {
    status,
    title,
    content: article(title, [content, html`\n`, search]),
    styles: ['company/company.css'],
    noindex: true,
  };
}
