/**
 * Makes HTML that is safe to send: {@link html} escapes everything that is inserted into a template, unless it is HTML
 * already.
 */

/** Finished HTML. Only {@link html} makes it, and the renderer of our own Markdown. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A value that may be inserted into a template. Null and false leave nothing; the members of a list are joined. */
export type Part = Html | string | number | null | false | readonly Part[];

/** A template: `html\`<p>${name}</p>\`` with texts escaped, both for elements and for attributes in double quotes. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = texts[0] ?? '';
  for (const [index, part] of parts.entries()) text += textOf(part) + (texts[index + 1] ?? '');
  return new Html(text);
}

function textOf(part: Part): string {
  if (part === null || part === false) return '';
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escapeHtml(part);
  if (part instanceof Html) return part.text;
  return part.map(textOf).join('');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
