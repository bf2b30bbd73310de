/** Pieces of HTML that several pages share: sheets, faults of a form, and a new key to copy. */

import { type Html, html, type Part } from '../html/html.ts';
import type { SiteAddress } from '../protocol/ext-questions.ts';
import type { ShownPage } from './definition.ts';

/** The one part of a short page. */
export function article(title: string, content: Part): Html {
  return html`<article class="sheet">\n<h1>${title}</h1>\n${content}\n</article>`;
}

/** The same for a page with a form. */
export function narrowSheet(title: string, content: Part): Html {
  return html`<div class="sheet narrow">\n<h1>${title}</h1>\n${content}\n</div>`;
}

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
    { basePath }: Pick<SiteAddress, 'basePath'>,
    status: number,
    title: string,
    sentences: readonly string[],
  ): ShownPage => {
    const content = html`${sentences.map((sentence) => html`<p>${sentence}</p>\n`)}<p><a href="${basePath}${path}">${back}</a></p>`;
    return { status, title, content: narrowSheet(title, content), noindex: true };
  };
}

/** Scripts of the page that shows a key. */
export const keyScripts = ['copy.js', 'shown-once.js'] as const;

/**
 * A new key on the one page that shows it: to copy, and to try. The page needs the {@link keyScripts}.
 * @param baseUrl the service's public address
 */
export function shownKey(secret: string, baseUrl: string): Html {
  const line = `curl -H 'Authorization: Bearer ${secret}' '${baseUrl}/api/v1/search?q=bank'`;
  return html`${toCopy(secret, 'key')}
<h2>Try it</h2>
<div class="copying">
<pre id="try" tabindex="0" data-once>${line}</pre>
<p><button type="button" class="second small" data-copy="try" data-told="The command is copied." hidden>Copy the command</button> <span role="status"></span></p>
</div>`;
}

/** Shows a token for /reconcile in the same way, as the address that OpenRefine asks for. */
export function shownToken(secret: string, baseUrl: string): Html {
  return html`<p>Add this address to OpenRefine as a reconciliation service. Anyone who has the address can reconcile within the quotas of your account, but can do nothing else.</p>
${toCopy(`${baseUrl}/reconcile/${secret}`, 'address')}`;
}

/** @param what a word for the shown value */
function toCopy(text: string, what: string): Html {
  return html`<div class="copying">
<div class="copy"><code class="key" id="key" data-once>${text}</code>
<button type="button" id="copy" data-copy="key" data-told="The ${what} is copied." hidden>Copy the ${what}</button></div>
<p role="status"></p>
</div>
<p><strong>Copy it now.</strong> We keep only a digest of the ${what === 'key' ? 'key' : 'token'} and cannot show it again, even if you reload this page.</p>`;
}
