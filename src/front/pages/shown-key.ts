/** A new key on the one page that shows it: to copy, and to try. */
import { type Html, html } from './html.ts';

/** The page needs `copy.js`. @param baseUrl the service's public address */
export function shownKey(secret: string, baseUrl: string): Html {
  const line = `curl -H 'Authorization: Bearer ${secret}' '${baseUrl}/api/v1/search?q=bank'`;
  return html`<div class="copying">
<div class="copy"><code class="key" id="key">${secret}</code>
<button type="button" id="copy" data-copy="key" data-told="The key is copied." hidden>Copy the key</button></div>
<p role="status"></p>
</div>
<p><strong>Copy it now.</strong> We keep only a digest of the key and cannot show it again, even if you reload this page.</p>
<h2>Try it</h2>
<pre id="try" tabindex="0">${line}</pre>`;
}
