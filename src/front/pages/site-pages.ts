/** The front page, robots.txt and the API catalogue. */
import { htmlPage, type Page } from './page.ts';

/** @param signup whether accounts can be made on `/signup` */
export function frontPage(basePath: string, signup: boolean): Page {
  const signupItem = signup
    ? `\n<li><a href="${basePath}/signup">A key of your own</a>, for more requests a day</li>`
    : '';
  return htmlPage(
    'Legal entity data',
    `<p>Who is who and who owns whom: companies by Legal Entity Identifier, from GLEIF's public data.</p>
<ul>
<li><a href="${basePath}/docs">The interface, to read and to try</a></li>
<li><a href="${basePath}/openapi.json">Its description for machines</a> (OpenAPI 3.1)</li>
<li><a href="${basePath}/api/v1/status">What data is served</a></li>${signupItem}
</ul>`,
    basePath,
  );
}

/** Crawlers may read the pages; crawling three million companies would only use up quotas. */
export function robotsPage(): Page {
  return { contentType: 'text/plain; charset=utf-8', body: 'User-agent: *\nDisallow: /api/\n' };
}

/** RFC 9727: where a machine finds the API, its description, its documentation and its status. */
export function apiCatalogPage(baseUrl: string): Page {
  const catalog = {
    linkset: [
      {
        anchor: `${baseUrl}/api/v1`,
        'service-desc': [{ href: `${baseUrl}/openapi.json`, type: 'application/json' }],
        'service-doc': [{ href: `${baseUrl}/docs`, type: 'text/html' }],
        status: [{ href: `${baseUrl}/api/v1/status`, type: 'application/json' }],
      },
    ],
  };
  return {
    contentType: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    body: `${JSON.stringify(catalog, null, 2)}\n`,
    headers: { Link: '</.well-known/api-catalog>; rel="api-catalog"' },
  };
}
