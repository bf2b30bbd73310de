/** `/docs`, the API reference: Swagger UI, served whole from its npm package. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from './page.ts';

const assetTypes = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const;

/** Addresses are relative, so that the page also works behind a proxy that adds a path. */
const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference: legal entity data</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. The OpenAPI description is at <a href="openapi.json">openapi.json</a>.</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/**
 * Starts Swagger UI. The page talks to this service only and stores nothing: no validator badge, no persisted keys. Its
 * requests go to the address that the page came from, because a browser may be unable to reach the base URL
 * (http://0.0.0.0:3000).
 */
const start = `const description = new URL('openapi.json', location.href).href;
const server = { url: new URL('.', location.href).href.replace(/\\/$/, ''), description: 'This service' };
SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  responseInterceptor(response) {
    if (response.url === description)
      response.text = JSON.stringify({ ...JSON.parse(response.text), servers: [server] });
    return response;
  },
});
`;

/** The page itself. */
export function docsPage(): Page {
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
    body: html,
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
    ['/docs/start.js', () => ({ contentType: 'text/javascript; charset=utf-8', body: start })],
  ]);
}
