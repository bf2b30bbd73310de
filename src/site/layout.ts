/** The frame that all pages share: head, navigation, footer, and the security headers. */
import type { Config } from '../config.ts';
import { type Html, html } from '../html/html.ts';
import { assetAddress } from './assets.ts';
import type { ShownPage } from './definition.ts';

/** The settings that every page shows. */
export type Site = Pick<Config, 'basePath' | 'contact' | 'signup'>;

export const siteName = 'Legal entity data';

/**
 * A complete page.
 * @param path of the page below the base path
 */
export function layout(page: ShownPage, path: string, site: Site): string {
  const { title, content, scripts = [], styles = [], ownSheets, noindex = false } = page;
  const { basePath } = site;
  const address = (name: string) => `${basePath}${assetAddress(name)}`;
  const sheets = ['frame.css', ...(ownSheets === undefined ? ['style.css'] : []), ...styles];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${noindex && html`<meta name="robots" content="noindex">\n`}<title>${title}</title>${page.canonical !== undefined && html`\n<link rel="canonical" href="${page.canonical}">`}
${sheets.map((name) => html`<link rel="stylesheet" href="${address(name)}">\n`)}${ownSheets ?? null}<link rel="icon" type="image/svg+xml" href="${address('icon.svg')}">
${scripts.map((name) => html`<script type="module" src="${address(name)}"></script>\n`)}</head>
<body>
${header(site, page.entry ?? path, page.signedIn ?? false)}
<main id="content">
${content}
</main>
${footer(site)}
</body>
</html>
`.text;
}

/** The navigation. A reader who is signed in has signed up already. @param entry path of the page's entry */
function header({ basePath, signup }: Site, entry: string, signedIn: boolean): Html {
  const entries = [
    ['/', 'Search'],
    ['/match', 'Match'],
    ['/docs', 'API'],
    ['/account', 'Account'],
    ...(signup && !signedIn ? [['/signup', 'Sign up']] : []),
  ] as const;
  const items = entries.map(
    ([path, text]) =>
      html`<li><a href="${basePath}${path}"${path === entry && html` aria-current="page"`}>${text}</a></li>`,
  );
  return html`<a class="skip" href="#content">Skip to content</a>
<header class="site"><div>
<a class="brand" href="${basePath}/">${siteName}</a>
<nav aria-label="Site"><ul>${items}</ul></nav>
</div></header>`;
}

function footer({ basePath, contact }: Site): Html {
  return html`<footer class="site"><div>
<p>Data published by GLEIF under CC0 1.0.</p>
<ul>
<li><a href="${basePath}/docs">API reference</a></li>
<li><a href="${basePath}/openapi.json">OpenAPI</a></li>
<li><a href="${basePath}/api/v1/status">Status</a></li>
<li><a href="${basePath}/problems">Problem types</a></li>${contactItem(contact)}
</ul>
</div></footer>`;
}

/** A link to the operator; empty without LEI_CONTACT. */
function contactItem(contact: Config['contact']): Html | null {
  if (contact === null) return null;
  return html`\n<li>Contact: <a href="${contact}">${contact.replace(/^mailto:/, '')}</a></li>`;
}

export const htmlContentType = 'text/html; charset=utf-8';

/** Everything comes from the service itself, and nothing is inline. */
const directives: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
};

/**
 * The security headers of a page.
 * @param own directives of the page, which replace the common ones of the same name
 */
export function htmlHeaders(own: Readonly<Record<string, string>> = {}): Record<string, string> {
  const policy = Object.entries({ ...directives, ...own }).map(([name, value]) => `${name} ${value}`);
  return {
    'Content-Security-Policy': policy.join('; '),
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
}
