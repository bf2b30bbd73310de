/** Renders what pages with forms say about a form: its faults, and why nothing was done. */
import type { Config } from '../../config.ts';
import type { Shown } from './definition.ts';
import { type Html, html } from './html.ts';

interface Fault {
  /** Id of the field. */
  readonly field: string;
  /** A sentence. */
  readonly detail: string;
}

/** The box above a form that lists its faults. */
export function problemSummary(faults: readonly Fault[]): Html {
  const items = faults.map(({ field, detail }) => html`<li><a href="#${field}">${detail}</a></li>`);
  return html`<div class="summary" role="alert"><p><strong>There is a problem</strong></p><ul>${items}</ul></div>\n`;
}

/**
 * @param path of the form, below the base path
 * @param back the text of the link to it
 * @returns a function that makes pages which explain in sentences why something was not done
 */
export function notesOf(path: string, back: string) {
  return (
    { basePath }: Pick<Config, 'basePath'>,
    status: number,
    title: string,
    sentences: readonly string[],
  ): Shown => {
    const content = html`<div class="sheet narrow">
<h1>${title}</h1>
${sentences.map((sentence) => html`<p>${sentence}</p>\n`)}<p><a href="${basePath}${path}">${back}</a></p>
</div>`;
    return { status, title, content, noindex: true };
  };
}
