/** `/docs`, the API reference: Swagger UI, served whole from its npm package. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { firstCallHtml } from './first-call.ts';
import { contactHtml, escapeHtml, type Page, type Site } from './page.ts';
import { referenceScript } from './reference-script.ts';
import { referenceStyle } from './reference-style.ts';

const assetTypes = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const;

/**
 * Addresses are relative, so that the page also works behind a proxy that adds a path.
 * @param baseUrl stands in the examples until the script puts the page's own address there
 */
function html(baseUrl: string, { contact }: Site): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference: legal entity data</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/reference.css">
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
</head>
<body>
<header>
<h1>API reference</h1>
<p>You need no key to begin. <a href="openapi.json">OpenAPI description</a> · <a href="problems">Problem types</a></p>${contactHtml(contact)}
</header>
${firstCallHtml(baseUrl)}
<div id="reference" data-base-url="${escapeHtml(baseUrl)}"></div>
<noscript><p>The list of operations needs JavaScript. The OpenAPI description is at <a href="openapi.json">openapi.json</a>.</p></noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;
}

/** The page itself. */
export function docsPage(baseUrl: string, site: Site): Page {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return {
    contentType: 'text/html; charset=utf-8',
    body: html(baseUrl, site),
    headers: { 'Content-Security-Policy': policy },
  };
}

/** The files that the page loads: path → how to read it. */
export function docsAssets(): ReadonlyMap<string, () => Page> {
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  const asset = (name: keyof typeof assetTypes) => () => ({
    contentType: assetTypes[name],
    body: new Uint8Array(readFileSync(join(folder, name))),
  });
  return new Map<string, () => Page>([
    ['/docs/swagger-ui.css', asset('swagger-ui.css')],
    ['/docs/swagger-ui-bundle.js', asset('swagger-ui-bundle.js')],
    ['/docs/favicon-32x32.png', asset('favicon-32x32.png')],
    // Browsers request this one unasked.
    ['/favicon.ico', asset('favicon-32x32.png')],
    ['/docs/reference.css', () => ({ contentType: assetTypes['swagger-ui.css'], body: referenceStyle })],
    ['/docs/start.js', () => ({ contentType: 'text/javascript; charset=utf-8', body: referenceScript })],
  ]);
}
