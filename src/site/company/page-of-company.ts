/**
 * The common part of the pages below `/company/{lei}`: redirects an address in another case, and answers one that names
 * no company.
 */

import { html, type Part } from '../../http/html.ts';
import { checkLei } from '../../lei/identifiers.ts';
import {
  dataPage,
  type PageAnswer,
  type PageDefinition,
  redirect,
  type SiteAddress,
  type Visit,
} from '../definition.ts';
import { article } from '../shared-parts.ts';

/**
 * @param path of the page, including `{lei}`
 * @param units of a visit
 * @param show makes the page of a company whose LEI is well-formed
 */
export function pageOfCompany(
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
  const path = visit.path.split('/').with(2, lei).join('/');
  const search = visit.query.size === 0 ? '' : `?${visit.query.toString()}`;
  return { ...redirect(visit, `${path}${search}`), status: 308 };
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
export function mistypedPage(place: SiteAddress, detail: string): PageAnswer {
  return straySheet(place, 400, 'This address is mistyped', html`<p>${detail}</p>`);
}

/** @param known about an LEI that has left the data; null for one that was never in it */
export function unknownPage(place: SiteAddress, lei: string, known: Part = null): PageAnswer {
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
