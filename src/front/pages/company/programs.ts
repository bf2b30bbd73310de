/** How programs get what the page shows: each operation with its JSON and its curl. */
import type { DataOf } from '../definition.ts';
import { type Html, html } from '../html.ts';
import { copyable, type Place, section } from './parts.ts';

/** What the page shows, and the operation that answers the same. */
function operations(lei: string): readonly (readonly [what: string, path: string])[] {
  return [
    ['The record', `/api/v1/lei/${lei}`],
    ['Parents and children', `/api/v1/lei/${lei}/relationships`],
    ['Children in pages', `/ext/v1/lei/${lei}/children?kind=direct&limit=20`],
    ['Funds in pages', `/ext/v1/lei/${lei}/children?kind=fund&limit=20`],
    ['Branches in pages', `/ext/v1/lei/${lei}/children?kind=branch&limit=20`],
    ['The ownership as a graph', `/ext/v1/lei/${lei}/ownership?direction=up,down&depth=3`],
    ['The history', `/api/v1/lei/${lei}/changes`],
    ['All ISINs in pages', `/ext/v1/lei/${lei}/isins`],
  ];
}

export function programs({ basePath, baseUrl }: Place, company: DataOf['company']): Html {
  const items = operations(company.lei).map(
    ([what, path], index) => html`<li><p><a href="${basePath}${path}">${what}</a></p>
${copyable(`curl-${index}`, `curl '${baseUrl}${path}'`, `the curl of: ${what.toLowerCase()}`)}</li>\n`,
  );
  return section(
    'programs',
    'For programs',
    null,
    html`<p>Each operation answers JSON. You need no key to begin; the <a href="${basePath}/docs">API reference</a> has the details.</p>
<ul class="operations">${items}</ul>
<details class="copying">
<summary>The record as JSON</summary>
<p><button type="button" class="second small" data-copy="record-json" data-told="The JSON is copied." hidden>Copy the JSON</button> <span role="status" class="told"></span></p>
<pre tabindex="0" role="region" aria-label="The record as JSON"><code id="record-json">${JSON.stringify(company, null, 2)}</code></pre>
</details>`,
  );
}
