/** Shows which data the service has, and where programs get it. */
import type { Config } from '../../../config.ts';
import type { Manifest } from '../../../publication/manifest.ts';
import type { HeldPublication } from '../../contracts.ts';
import { type Html, html } from '../html.ts';
import { count } from '../words.ts';

const example = 'deutsche+bank';

/** @param baseUrl the service's public address */
export function servedData(config: Config, active: HeldPublication | null, baseUrl: string): Html {
  return html`<div class="columns">
<section class="sheet" aria-labelledby="data">
<h2 id="data">The data</h2>
${active === null ? html`<p>No data is loaded yet. Please come back in a few minutes.</p>` : publication(config, active)}
</section>
<section class="sheet" aria-labelledby="programs">
<h2 id="programs">For programs</h2>
<p>Everything on these pages is also available as JSON. You need no key to begin:</p>
<pre class="wrapped"><code>curl '${baseUrl}/api/v1/search?q=${example}'</code></pre>
<ul class="links">
${links(config)}
</ul>
</section>
</div>`;
}

function publication(config: Config, { manifest }: HeldPublication): Html {
  return html`${manifest.sample && html`<p class="note"><strong>This is a small sample</strong> of the data. The operator of this service can load all of it.</p>\n`}<dl class="facts">
${counts(manifest).map(([name, number]) => html`<div><dt>${name}</dt><dd>${count(number)}</dd></div>\n`)}<div><dt>Published</dt><dd><time datetime="${manifest.sourcePublishedAt}">${day(manifest.sourcePublishedAt)}</time></dd></div>
<div><dt>Dataset version</dt><dd><code>${manifest.id}</code></dd></div>
</dl>
<p class="quiet">${config.licenseNotice} <a href="${config.sourceUrl}">Source of the data</a></p>`;
}

function counts({ counts: { entities, relationships, isin, bic } }: Manifest): [string, number][] {
  const all: [string, number][] = [
    ['Companies', entities],
    ['Relationships', relationships],
    ['ISINs', isin],
    ['BICs', bic],
  ];
  return all.filter(([, number]) => number > 0);
}

function links({ basePath, signup }: Config): Html[] {
  return [
    html`<li><a href="${basePath}/docs">API reference</a>: every operation, with a form to try it</li>\n`,
    html`<li><a href="${basePath}/openapi.json">OpenAPI</a> description (3.1, JSON)</li>\n`,
    html`<li><a href="${basePath}/api/v1/status">Status</a>: the data that the service serves now</li>\n`,
    html`<li><a href="${basePath}/account">Your account</a>: keys, limits and usage</li>\n`,
    ...(signup
      ? [html`<li><a href="${basePath}/signup">Get an API key</a> for more requests a day</li>\n`]
      : []),
  ];
}

/** `5 May 2024, 00:00 UTC`. */
function day(moment: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(new Date(moment)).replace(' at ', ', ')} UTC`;
}
