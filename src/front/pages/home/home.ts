/** `/`: finds a company, and shows which data is served. */
import type { Config } from '../../../config.ts';
import type { Publications } from '../../contracts.ts';
import { dataPage, type PageDefinition, type Shown, type Visit } from '../definition.ts';
import { type Html, html } from '../html.ts';
import { siteName } from '../layout.ts';
import { answerSearch, asksData, textOf } from './results.ts';
import { searchForm } from './search-form.ts';
import { servedData } from './served-data.ts';

interface HomeParts {
  readonly config: Config;
  readonly publications: Pick<Publications, 'active'>;
}

export function homePage(parts: HomeParts): PageDefinition {
  return {
    ...dataPage,
    path: '/',
    counted: ({ url }) => asksData(textOf(new URL(url, 'http://x').searchParams)),
    answer: (visit) =>
      textOf(visit.query) === ''
        ? start(parts, visit)
        : answerSearch(parts.config, visit, textOf(visit.query)),
  };
}

/** Two names and a BIC that every set of the data has. */
const exampleTexts = ['Deutsche Bank', 'Allianz SE', 'DEUTDEFF'];

function examples({ basePath }: Config): Html[] {
  return exampleTexts.map(
    (text, index) =>
      html`${index > 0 && ' · '}<a href="${basePath}/?${new URLSearchParams({ q: text }).toString()}">${text}</a>`,
  );
}

/** The page without a search. It asks no query thread, so it is quick however busy the service is. */
function start({ config, publications }: HomeParts, { query, baseUrl }: Visit): Shown {
  return {
    title: siteName,
    content: html`<div class="hero">
<h1>Find a company</h1>
<p class="lead">Search companies worldwide by name or identifier, see who owns whom, and use the same data in your programs.</p>
${searchForm(config, { q: '', country: query.get('country'), status: query.get('status') })}
<p class="examples">For example: ${examples(config)}</p>
</div>
${servedData(config, publications.active(), baseUrl)}`,
    scripts: ['home/suggest.js'],
  };
}
