/** Files for machines: robots.txt and the API catalogue. */
import type { Page } from './definition.ts';

/**
 * Crawlers may read the pages that never change. All others ask the query threads, and crawling three million companies
 * would load the service for weeks (src/decisions/140).
 */
export function robotsPage(): Page {
  const closed = ['/api/', '/ext/v1/', '/company/', '/suggest', '/account', '/reconcile', '/?'];
  const lines = ['User-agent: *', ...closed.map((path) => `Disallow: ${path}`)];
  return { contentType: 'text/plain; charset=utf-8', body: `${lines.join('\n')}\n` };
}

/** RFC 9727: links to the API, its description, its documentation and its status, for machines. */
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
