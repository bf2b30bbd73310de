/** The shape of a page: finished bytes with their type. `front/http` sends it. */
import type { Config } from '../../config.ts';

/** What every page shows of the settings. */
export type Site = Pick<Config, 'basePath' | 'contact'>;

export interface Page {
  readonly contentType: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** For pages that have no scripts and no forms and load nothing from other sites. */
const plainPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const pageStyle = `:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; }
code { font-family: ui-monospace, monospace; }
`;

/** A small human page. `title` is text; `content` is HTML. */
export function htmlPage(title: string, content: string, { basePath, contact }: Site): Page {
  return {
    contentType: 'text/html; charset=utf-8',
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${basePath}/page.css">
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${content}${contactHtml(contact)}
</body>
</html>
`,
    headers: { 'Content-Security-Policy': plainPolicy },
  };
}

/** A line that leads to the operator; nothing where the setting is empty. */
export function contactHtml(contact: Config['contact']): string {
  if (contact === null) return '';
  const shown = escapeHtml(contact.replace(/^mailto:/, ''));
  return `\n<p>Contact: <a href="${escapeHtml(contact)}">${shown}</a></p>`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
