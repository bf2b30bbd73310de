/** `/docs`, the API reference: Swagger UI, served completely from its npm package. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import { type Html, html } from '../http/html.ts';
import type { FileDefinition, FixedPage } from './definition.ts';
import { guides } from './guides/guides.ts';
import { fixedPage, type Site } from './layout.ts';
import { referenceScript } from './reference-script.ts';
import { referenceStyle } from './reference-style.ts';

type DocsSite = Site & Pick<Config, 'gleifApi'>;

const assetTypes = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const;

/** Addresses are relative, so that the reference works behind a proxy that adds a path too. */
const swaggerSheets = html`<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/reference.css">
`;

/**
 * The page itself: the common frame around Swagger UI's own style.
 * @param baseUrl appears in the examples until the script replaces it by the page's own address
 */
function docsPage(baseUrl: string, site: DocsSite): FixedPage {
  const { gleifApi } = site;
  const content = html`<section class="reference-head" aria-labelledby="title">
<h1 id="title">API reference</h1>
<p>You need no key to begin. <a href="docs/ext">Reference of <code>/ext/v1</code></a>${gleifApi && html` · <a href="docs/gleif">of GLEIF’s API</a>`} · <a href="openapi.json">OpenAPI description</a> · <a href="ext/openapi.json">OpenAPI description of <code>/ext/v1</code></a>${gleifApi && html` · <a href="gleif/openapi.json">of GLEIF’s API at <code>/gleif/api/v1</code></a>`} · <a href="problems">Problem types</a></p>
<p>Guides: ${guideLine}</p>
</section>
${firstCallHtml(baseUrl)}
<div id="reference" data-base-url="${baseUrl}"></div>
<noscript><p>The list of operations needs JavaScript. The OpenAPI description does not: see <a href="openapi.json">openapi.json</a>.</p></noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>`;
  const page = { title: 'API reference', content, wide: true };
  return fixedPage(page, '/docs', site, { 'img-src': "'self' data:" }, swaggerSheets);
}

/** Links to the guides, relative as all addresses of this page. */
const guideLine = guides.map(
  ({ slug, title }, index) => html`${index > 0 && ' · '}<a href="docs/${slug}">${title}</a>`,
);

const firstCallPath = '/api/v1/lei/529900K9B0N5BT694847';

/** Each program prints the name and the city of a company. */
function firstCalls(baseUrl: string) {
  return {
    curl: `curl ${baseUrl}${firstCallPath}`,
    JavaScript: `const answer = await fetch('${baseUrl}${firstCallPath}');
const { data } = await answer.json();
console.log(data.entity.legalName.name, data.entity.legalAddress.city);`,
    Python: `import json
from urllib.request import urlopen

with urlopen("${baseUrl}${firstCallPath}") as answer:
    data = json.load(answer)["data"]
print(data["entity"]["legalName"]["name"], data["entity"]["legalAddress"]["city"])`,
  } as const;
}

/** A first call in three languages, above the operations. docs/use-the-api.md has more of them. */
function firstCallHtml(baseUrl: string): Html {
  const examples = Object.entries(firstCalls(baseUrl)).map(
    ([language, program]) =>
      html`<h3>${language}</h3>\n<pre tabindex="0" aria-label="First call in ${language}"><code>${program}</code></pre>\n`,
  );
  return html`<section class="first-call" aria-labelledby="first-call">
<h2 id="first-call">First call</h2>
${examples}</section>`;
}

/** The page and the files that it loads. */
export function docsFiles(site: DocsSite, baseUrl: () => string): readonly FileDefinition[] {
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  const asset = (path: string, name: keyof typeof assetTypes): FileDefinition => ({
    path,
    make: () => ({
      contentType: assetTypes[name],
      body: new Uint8Array(readFileSync(join(folder, name))),
    }),
  });
  return [
    { path: '/docs', make: () => docsPage(baseUrl(), site) },
    asset('/docs/swagger-ui.css', 'swagger-ui.css'),
    asset('/docs/swagger-ui-bundle.js', 'swagger-ui-bundle.js'),
    asset('/docs/favicon-32x32.png', 'favicon-32x32.png'),
    // Browsers request this one by themselves.
    asset('/favicon.ico', 'favicon-32x32.png'),
    {
      path: '/docs/reference.css',
      make: () => ({ contentType: assetTypes['swagger-ui.css'], body: referenceStyle }),
    },
    {
      path: '/docs/start.js',
      make: () => ({ contentType: 'text/javascript; charset=utf-8', body: referenceScript }),
    },
  ];
}
