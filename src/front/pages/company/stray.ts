/** Pages for addresses that name no company: a text that is not an LEI, and an LEI that nobody has. */
import { checkLei } from '../../../lei/identifiers.ts';
import { type DataOf, type PageAnswer, redirect, type Visit } from '../definition.ts';
import { html, type Part } from '../html.ts';
import { timeLine } from './history.ts';
import type { Place } from './parts.ts';

/** The LEI that an address names, or the page that says what is wrong with it. */
type LeiReading = { readonly lei: string } | { readonly answer: PageAnswer };

/** Companies have one address: in upper case. */
export function readLei({ basePath }: Place, { places, request }: Visit): LeiReading {
  const text = places['lei'] ?? '';
  const check = checkLei(text);
  if (!check.ok) return { answer: noLeiPage(basePath, text, check.reason) };
  if (check.value === text) return { lei: text };
  // Without a usable Host header, the request's address is the path alone.
  const { pathname, search } = new URL(request.url, 'http://localhost');
  const path = pathname.split('/').with(2, check.value).join('/');
  return { answer: { ...redirect(basePath, `${path}${search}`), status: 308 } };
}

function noLeiPage(basePath: string, text: string, reason: string): PageAnswer {
  return straySheet(basePath, 400, 'This is not an LEI', [
    html`<p>“<bdi>${text.slice(0, 100)}</bdi>” does not identify a company. ${reason}</p>`,
  ]);
}

/** @param changes of an LEI that has left the data; null for one that was never in it */
export function unknownPage(place: Place, lei: string, changes: DataOf['changes'] | null): PageAnswer {
  return straySheet(
    place.basePath,
    404,
    changes === null ? 'No such company' : 'This company was removed from the data',
    [
      html`<p>No company with the LEI <code>${lei}</code> is in the data that this service has now. The LEI itself is well-formed.</p>`,
      changes !== null && html`<h2>What is known about it</h2>\n${timeLine(place, changes)}`,
    ],
  );
}

function straySheet(basePath: string, status: number, title: string, content: Part): PageAnswer {
  return {
    status,
    title,
    content: html`<article class="sheet">
<h1>${title}</h1>
${content}
<form class="again" role="search" method="get" action="${basePath}/">
<label for="q">Search by name or identifier</label>
<div class="search-line"><input id="q" name="q" type="search" required maxlength="500"> <button type="submit">Search</button></div>
</form>
</article>`,
    styles: ['company/company.css'],
    noindex: true,
  };
}
