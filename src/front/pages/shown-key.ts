/** Shows a new key on the one page that shows it: to copy, and to try. */
import { type Html, html } from './html.ts';

/** Scripts of the page that shows a key. */
export const keyScripts = ['copy.js', 'shown-once.js'] as const;

/** The page needs the {@link keyScripts}. @param baseUrl the service's public address */
export function shownKey(secret: string, baseUrl: string): Html {
  const line = `curl -H 'Authorization: Bearer ${secret}' '${baseUrl}/api/v1/search?q=bank'`;
  return html`${toCopy(secret, 'key')}
<h2>Try it</h2>
<pre id="try" tabindex="0" data-once>${line}</pre>`;
}

/** Shows a token for /reconcile in the same way, as the address that OpenRefine asks for. */
export function shownToken(secret: string, baseUrl: string): Html {
  return html`<p>Add this address to OpenRefine as a reconciliation service. Anyone who has the address can reconcile within the quotas of your account, but can do nothing else.</p>
${toCopy(`${baseUrl}/reconcile/${secret}`, 'address')}`;
}

/** @param what names what is shown, in a word */
function toCopy(text: string, what: string): Html {
  return html`<div class="copying">
<div class="copy"><code class="key" id="key" data-once>${text}</code>
<button type="button" id="copy" data-copy="key" data-told="The ${what} is copied." hidden>Copy the ${what}</button></div>
<p role="status"></p>
</div>
<p><strong>Copy it now.</strong> We keep only a digest of the ${what === 'key' ? 'key' : 'token'} and cannot show it again, even if you reload this page.</p>`;
}
