/** The home page, robots.txt and the API catalogue. */
import { htmlPage, type Page, type Site } from './page.ts';

/** @param signup whether accounts can be made on `/signup` */
export function homePage(site: Site, signup: boolean): Page {
  const { basePath } = site;
  const signupItem = signup
    ? `\n<li><a href="${basePath}/signup">Get an API key</a> for more requests a day</li>`
    : '';
  return htmlPage(
    'Legal entity data',
    `<p>Look up companies by Legal Entity Identifier (LEI), search them by name, and see who owns whom. The data is published by GLEIF.</p>
<ul>
<li><a href="${basePath}/docs">API reference</a>: every operation, to read and to try</li>
<li><a href="${basePath}/openapi.json">OpenAPI</a> description (3.1, JSON)</li>
<li><a href="${basePath}/api/v1/status">Status</a>: the data that is served now</li>${signupItem}
</ul>`,
    site,
  );
}

/** Crawlers may read the pages. Crawling three million companies would use up their quota. */
export function robotsPage(): Page {
  return { contentType: 'text/plain; charset=utf-8', body: 'User-agent: *\nDisallow: /api/\n' };
}

/** RFC 9727: leads machines to the API, its description, its documentation and its status. */
export function apiCatalogPage(baseUrl: string, basePath: string): Page {
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
    ],
  };
  return {
    contentType: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    body: `${JSON.stringify(catalog, null, 2)}\n`,
    headers: { Link: `<${basePath}/.well-known/api-catalog>; rel="api-catalog"` },
  };
}
