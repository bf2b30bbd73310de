/** Shows how programs get the page's data: each operation with its JSON and its curl command. */

import type { Company } from '../lei/company.ts';
import type { ParentsAnswer } from '../lei/page-answers.ts';
import { childKinds } from '../lei/relationship-codes.ts';
import type { SiteAddress } from '../protocol/ext-questions.ts';
import { type Html, html } from './html.ts';
import { childTitles } from './ownership.ts';
import { copyable, section } from './parts.ts';

/** The parts of the page, each with the operation that has the same data. */
function operations(
  { lei, mappings }: Company,
  { children }: ParentsAnswer,
): readonly (readonly [what: string, path: string])[] {
  const kinds = childKinds.filter((kind) => children[kind] > 0);
  return [
    ['The record', `/api/v1/lei/${lei}`],
    ['Parents and children', `/api/v1/lei/${lei}/relationships`],
    ...kinds.map(
      (kind) =>
        [`${childTitles[kind]}, in pages`, `/ext/v1/lei/${lei}/children?kind=${kind}&limit=20`] as const,
    ),
    ['The ownership as a graph', `/ext/v1/lei/${lei}/ownership?direction=up,down&depth=3`],
    ['The history', `/api/v1/lei/${lei}/changes`],
    ...(hasIsins(mappings) ? [['All ISINs, in pages', `/ext/v1/lei/${lei}/isins`] as const] : []),
  ];
}

/** The record contains a few ISINs; all of them have their own operation. */
function hasIsins({ isin }: Company['mappings']): boolean {
  return Array.isArray(isin) ? isin.length > 0 : isin.count > 0;
}

export function programs({ basePath, baseUrl }: SiteAddress, company: Company, parents: ParentsAnswer): Html {
  const items = operations(company, parents).map(
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
