/** Pages that change only with the limits: for people the problem types, for machines robots.txt and the API catalogue. */
import type { Config } from '../config.ts';
import { gleifBase } from '../gleif/routes.ts';
import { type Html, html } from '../html/html.ts';
import { type ProblemName, problemKinds, problemNames } from '../http/problem-kinds.ts';
import type { FileDefinition, FinishedFile, ShownPage } from './definition.ts';
import type { Site } from './layout.ts';
import { article } from './shared-parts.ts';

type PageConfig = Site & Pick<Config, 'accountDaily' | 'gleifApi' | 'gleifUrl'>;

export function fixedPages(config: PageConfig, baseUrl: () => string): readonly FileDefinition[] {
  return [
    { path: '/robots.txt', make: robotsPage },
    { path: '/.well-known/api-catalog', make: () => apiCatalogPage(baseUrl(), config) },
    { path: '/problems', make: () => problemIndex(config) },
    ...problemNames.map((name) => ({ path: `/problems/${name}`, make: () => problemPage(name, config) })),
  ];
}

/** `/problems/<name>`: explains a problem type to the person who follows its link. */
function problemPage(name: ProblemName, config: PageConfig): ShownPage {
  const { basePath } = config;
  const { status, title, explanation } = problemKinds[name];
  const content = html`<p>Problem type <code>${name}</code>, HTTP status ${status}.</p>
${explanation.map((text) => html`<p>${text}</p>\n`)}${advice(name, config)}<p><a href="${basePath}/problems">All problem types</a> · <a href="${basePath}/docs">API reference</a></p>`;
  return { title, content: article(title, content) };
}

function advice(name: ProblemName, { basePath, signup, accountDaily }: PageConfig): Html | null {
  if (name !== 'rate-limited' || !signup) return null;
  return html`<p>A client without a key gets more with one: a <a href="${basePath}/signup">free account</a> has ${accountDaily} requests a day of its own.</p>\n`;
}

/** `/problems`: lists all types. */
function problemIndex(site: Site): ShownPage {
  const items = Object.entries(problemKinds).map(
    ([name, { status, title }]) =>
      html`<li><a href="${site.basePath}/problems/${name}"><code>${name}</code></a>: ${status}, ${title}</li>\n`,
  );
  const title = 'Problem types';
  return { title, content: article(title, html`<ul>\n${items}</ul>`) };
}

/**
 * Crawlers may read the pages that never change. All others ask the query threads, and crawling three million companies
 * would load the service for weeks (src/decisions/140).
 */
function robotsPage(): FinishedFile {
  const closed = [
    '/api/',
    '/ext/v1/',
    '/gleif/api/',
    '/company/',
    '/suggest',
    '/account',
    '/reconcile',
    '/?',
  ];
  const lines = ['User-agent: *', ...closed.map((path) => `Disallow: ${path}`)];
  return { contentType: 'text/plain; charset=utf-8', body: `${lines.join('\n')}\n` };
}

function gleifLinks(baseUrl: string, gleifUrl: string | null) {
  return {
    anchor: gleifUrl ?? `${baseUrl}${gleifBase}`,
    'service-desc': [{ href: `${baseUrl}/gleif/openapi.json`, type: 'application/json' }],
    status: [{ href: `${baseUrl}/api/v1/status`, type: 'application/json' }],
  };
}

/** RFC 9727: links to the API, its description, its documentation and its status, for machines. */
function apiCatalogPage(baseUrl: string, { basePath, gleifApi, gleifUrl }: PageConfig): FinishedFile {
  const catalog = {
    linkset: [
      {
        anchor: `${baseUrl}/api/v1`,
        'service-desc': [{ href: `${baseUrl}/openapi.json`, type: 'application/json' }],
        'service-doc': [{ href: `${baseUrl}/docs`, type: 'text/html' }],
        status: [{ href: `${baseUrl}/api/v1/status`, type: 'application/json' }],
      },
      {
        anchor: `${baseUrl}/ext/v1`,
        'service-desc': [{ href: `${baseUrl}/ext/openapi.json`, type: 'application/json' }],
        status: [{ href: `${baseUrl}/api/v1/status`, type: 'application/json' }],
      },
      ...(gleifApi ? [gleifLinks(baseUrl, gleifUrl)] : []),
    ],
  };
  return {
    contentType: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    body: `${JSON.stringify(catalog, null, 2)}\n`,
    headers: { Link: `<${basePath}/.well-known/api-catalog>; rel="api-catalog"` },
  };
}
