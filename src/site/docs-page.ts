/** `/docs`, the API reference: Swagger UI, served completely from its npm package, in the layout of all pages. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import { type Html, html } from '../html/html.ts';
import type { FileDefinition, ShownPage } from './definition.ts';
import { guideLinks } from './guides/guides.ts';
import { codeBlock } from './guides/markdown.ts';
import type { Site } from './layout.ts';
import { referenceScript } from './reference-script.ts';
import { referenceStyle } from './reference-style.ts';

type DocsSite = Site & Pick<Config, 'gleifApi'>;

const assetTypes = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const;

/** Addresses are relative, so that the reference works behind a proxy that adds a path too. */
const ownSheets = html`<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/reference.css">
`;

/**
 * The first call and the operations come first; what applies to all of them follows.
 * @param baseUrl appears in the examples until the script replaces it by the page's own address
 */
function docsPage(baseUrl: string, site: DocsSite): ShownPage {
  const content = html`<h1>API reference</h1>
<p class="lead">Every operation, with a form to try it. You need no key to begin. Below are <a href="#references">more references</a> and <a href="#guides">the guides</a>.</p>
${firstCallHtml(baseUrl)}
<div id="reference" data-base-url="${baseUrl}"><noscript><p class="note">The forms need JavaScript. The <a href="docs/api">readable reference</a> shows the same operations without it.</p></noscript></div>
${otherReferences(site)}
${guideLinks(site, null)}
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>`;
  return { title: 'API reference', content, scripts: ['copy.js'], ownSheets };
}

function otherReferences({ gleifApi }: DocsSite): Html {
  return html`<section class="sheet" aria-labelledby="references">
<h2 id="references">References</h2>
<ul class="links">
<li><code>/api/v1</code>: <a href="docs/api">to read, without forms</a> · <a href="openapi.json">OpenAPI description</a></li>
<li><code>/ext/v1</code>, many companies at once: <a href="docs/ext">reference of <code>/ext/v1</code></a> · <a href="ext/openapi.json">OpenAPI description of <code>/ext/v1</code></a></li>
${gleifApi && html`<li><code>/gleif/api/v1</code>, as GLEIF’s own API: <a href="docs/gleif">reference of GLEIF’s API</a> · <a href="gleif/openapi.json">OpenAPI description of <code>/gleif/api/v1</code></a></li>\n`}<li>Errors: <a href="problems">problem types</a></li>
</ul>
</section>`;
}

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
  const { curl, JavaScript, Python } = firstCalls(baseUrl);
  return html`<section class="first-call" aria-label="First call">
${codeBlock(curl, 'sh', 'call-curl')}<details><summary>The same in JavaScript</summary>
${codeBlock(JavaScript, 'js', 'call-js')}</details>
<details><summary>The same in Python</summary>
${codeBlock(Python, 'python', 'call-python')}</details>
</section>`;
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
    { path: '/docs', policy: { 'img-src': "'self' data:" }, make: () => docsPage(baseUrl(), site) },
    asset('/docs/swagger-ui.css', 'swagger-ui.css'),
    asset('/docs/swagger-ui-bundle.js', 'swagger-ui-bundle.js'),
    asset('/docs/favicon-32x32.png', 'favicon-32x32.png'),
    // Browsers request this one by themselves.
    asset('/favicon.ico', 'favicon-32x32.png'),
    {
      path: '/docs/reference.css',
      make: () => ({ contentType: assetTypes['swagger-ui.css'], body: referenceStyle() }),
    },
    {
      path: '/docs/start.js',
      make: () => ({ contentType: 'text/javascript; charset=utf-8', body: referenceScript }),
    },
  ];
}
