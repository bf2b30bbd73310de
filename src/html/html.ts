/**
 * Makes HTML that is safe to send: {@link html} escapes everything that is inserted into a template, unless it is HTML
 * already.
 */

/** Finished HTML. Only {@link html}, the renderer of our own Markdown and the reader of made pages make it. */
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
  let index = 0;
  for (const part of parts) text += textOf(part) + (texts[++index] ?? '');
  return new Html(text);
}

function textOf(part: Part): string {
  if (part === null || part === false) return '';
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escapeHtml(part);
  if (part instanceof Html) return part.text;
  return part.map(textOf).join('');
}

/** Most texts have nothing to escape, and looking for it is cheaper than four replacements. */
function escapeHtml(text: string): string {
  if (!special.test(text)) return text;
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const special = /[&<>"]/;
