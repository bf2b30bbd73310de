/** `/`: finds a company, and shows which data is served; and the suggestions for its search form. */
import type { Config } from '../../config.ts';
import { type Html, html } from '../../html/html.ts';
import { facts } from '../../html/parts.ts';
import { count } from '../../html/words.ts';
import type { HeldPublication, Publications } from '../../http/publication-texts.ts';
import type { SiteAddress } from '../../protocol/ext-questions.ts';
import { dataPage, json, type PageDefinition, type ShownPage, type Visit } from '../definition.ts';
import { siteName } from '../layout.ts';
import { namesMax } from '../match/names.ts';
import { answerSearch, asksData, hasRightLength, textOf } from './results.ts';
import { chosenIn, searchForm } from './search-form.ts';

interface HomeParts {
  readonly config: Config;
  readonly publications: Pick<Publications, 'active'>;
}

export function homePage(parts: HomeParts): PageDefinition {
  return {
    ...dataPage,
    path: '/',
    units: ({ query }) => (asksData(textOf(query)) ? 1 : 0),
    answer: (visit) =>
      textOf(visit.query) === '' ? start(parts, visit) : answerSearch(visit, textOf(visit.query)),
  };
}

/** Two names and a BIC that every set of the data has. */
const exampleTexts = ['Deutsche Bank', 'Allianz SE', 'DEUTDEFF'];

function examples({ basePath }: SiteAddress): Html[] {
  return exampleTexts.map(
    (text) => html` <a href="${basePath}/?${new URLSearchParams({ q: text }).toString()}">${text}</a>`,
  );
}

/** The page without a search. It asks no query thread, so it is quick however busy the service is. */
function start({ config, publications }: HomeParts, visit: Visit): ShownPage {
  return {
    title: siteName,
    content: html`<div class="hero">
<h1>Find a company</h1>
<p class="lead">Search companies worldwide by name or identifier, see who owns whom, and use the same data in your programs.</p>
${searchForm(visit, { q: '', chosen: chosenIn(visit.query) })}
<p class="examples">For example:${examples(visit)}</p>
<p class="examples">A whole list? <a href="${visit.basePath}/match">Match up to ${namesMax} names</a></p>
</div>
${servedData(config, publications.active(), visit)}`,
    scripts: ['home/suggest.js'],
  };
}

/** The data that the service has, and its addresses for programs. */
function servedData(
  config: Config,
  active: HeldPublication | null,
  { baseUrl }: Pick<Visit, 'baseUrl'>,
): Html {
  return html`<div class="columns">
<section class="sheet" aria-labelledby="data">
<h2 id="data">The data</h2>
${active === null ? html`<p>No data is loaded yet. Please come back in a few minutes.</p>` : publication(config, active)}
</section>
<section class="sheet" aria-labelledby="programs">
<h2 id="programs">For programs</h2>
<p>Everything on these pages is also available as JSON. You need no key to begin:</p>
<pre class="wrapped"><code>curl '${baseUrl}/api/v1/search?q=deutsche+bank'</code></pre>
<ul class="links">
${links(config)}
</ul>
</section>
</div>`;
}

function publication(config: Config, { manifest }: HeldPublication): Html {
  const { counts, sourcePublishedAt } = manifest;
  const { entities, relationships, isin, bic } = counts;
  return html`${manifest.sample && html`<p class="note"><strong>This is a small sample</strong> of the data. The operator of this service can load all of it.</p>\n`}${facts(
    [
      ['Companies', counted(entities)],
      ['Relationships', counted(relationships)],
      ['ISINs', counted(isin)],
      ['BICs', counted(bic)],
      ['Published', html`<time datetime="${sourcePublishedAt}">${day(sourcePublishedAt)}</time>`],
      ['Dataset version', html`<code>${manifest.id}</code>`],
    ],
  )}
<p class="quiet">${config.licenseNotice} <a href="${config.sourceUrl}">Source of the data</a></p>`;
}

/** Kinds without any are left out. */
function counted(number: number): string | null {
  return number > 0 ? count(number) : null;
}

function links({ basePath, signup }: Config): Html {
  return html`<li><a href="${basePath}/docs">API reference</a>: every operation, with a form to try it</li>
<li><a href="${basePath}/docs#guides">Guides</a>: recipes, bulk, OpenRefine, assistants</li>
<li><a href="${basePath}/openapi.json">OpenAPI</a> description (3.1, JSON)</li>
<li><a href="${basePath}/api/v1/status">Status</a>: the data that the service serves now</li>
<li><a href="${basePath}/account">Your account</a>: keys, limits and usage</li>
${signup && html`<li><a href="${basePath}/signup">Get an API key</a> for more requests a day</li>\n`}`;
}

/** `5 May 2024, 00:00 UTC`. */
function day(moment: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(new Date(moment)).replace(' at ', ', ')} UTC`;
}

/**
 * `/suggest?q=…`: companies for a text while it is typed, for the search form's script. The API's /ext/v1/suggest asks
 * the same question.
 */
export const suggestions: PageDefinition = {
  ...dataPage,
  path: '/suggest',
  async answer({ query, ask }) {
    const q = textOf(query);
    if (!hasRightLength(q)) return json({ items: [] });
    const told = await ask({ kind: 'suggest', q });
    return json(told.outcome === 'found' ? told.data : { items: [] });
  },
};
