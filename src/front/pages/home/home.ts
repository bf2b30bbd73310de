/** `/`: finds a company, and tells what data is served. */
import type { Config } from '../../../config.ts';
import type { Publications } from '../../contracts.ts';
import { type PageDefinition, readingMethods, type Shown, type Visit } from '../definition.ts';
import { html } from '../html.ts';
import { siteName } from '../layout.ts';
import { answerSearch } from './results.ts';
import { searchForm } from './search-form.ts';
import { servedData } from './served-data.ts';

export interface HomeParts {
  readonly config: Config;
  readonly publications: Pick<Publications, 'active'>;
}

export function homePage(parts: HomeParts): PageDefinition {
  return {
    path: '/',
    methods: readingMethods,
    counted: ({ url }) => textOf(new URL(url, 'http://x').searchParams) !== '',
    personal: false,
    answer: (visit) =>
      textOf(visit.query) === ''
        ? start(parts, visit)
        : answerSearch(parts.config, visit, textOf(visit.query)),
  };
}

/** What is looked for, trimmed; '' for nothing. */
function textOf(query: URLSearchParams): string {
  return (query.get('q') ?? '').trim();
}

/** The page before anything is looked for. It asks nothing, so that it comes at once however busy the service is. */
function start({ config, publications }: HomeParts, { query }: Visit): Shown {
  return {
    title: siteName,
    content: html`<div class="hero">
<h1>Find a company</h1>
<p class="lead">Search companies worldwide by name or identifier, see who owns whom, and use the same data in your programs.</p>
${searchForm(config, { q: '', country: query.get('country'), status: query.get('status') })}
</div>
${servedData(config, publications.active())}`,
    scripts: ['home/suggest.js'],
  };
}
