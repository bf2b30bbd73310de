/** `/company/{lei}/history`: the whole history of a company, in pages. */
import type { Config } from '../../../config.ts';
import type { PageAnswer, PageDefinition, Visit } from '../definition.ts';
import { html } from '../html.ts';
import { timeLine } from './history.ts';
import { pageLimits } from './limits.ts';
import { pageOfCompany } from './page-of-company.ts';
import type { Place } from './parts.ts';
import { unknownPage } from './stray.ts';

export function historyPage(config: Pick<Config, 'basePath'>): PageDefinition {
  return pageOfCompany(config, '/company/{lei}/history', show);
}

async function show(place: Place, visit: Visit, lei: string): Promise<PageAnswer> {
  const address = `${place.basePath}/company/${lei}`;
  const told = await visit.askPage(
    (after) => ({ kind: 'changes', lei, after, limit: pageLimits.changesOfPage }),
    { cursor: visit.query.get('cursor'), scope: `history ${lei}` },
  );
  if (told.outcome === 'not-found') return unknownPage(place, lei, null);
  if (told.outcome !== 'found') return againPage(address);
  const { data, next } = told;
  return {
    title: `History of ${lei}`,
    canonical: `${place.baseUrl}/company/${lei}/history`,
    styles: ['company/company.css'],
    content: html`<p><a href="${address}">Back to the company</a></p>
<h1 class="small">History of <code>${lei}</code></h1>
<article class="sheet">
${timeLine(place, data)}
${next !== null && html`<nav class="paging" aria-label="Pages"><ul><li><a href="${address}/history?cursor=${next}" rel="next">Earlier</a></li></ul></nav>`}
</article>`,
  };
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
