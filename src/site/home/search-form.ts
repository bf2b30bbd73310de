/** Renders the search form. It works without scripts; home/suggest.ts of the client adds suggestions. */

import { type Html, html } from '../../http/html.ts';
import { searchTextMax } from '../../protocol/questions.ts';
import type { SiteAddress } from '../definition.ts';
import { type ChosenFilters, chosenInWords, filterNames, pageFilters } from './filters.ts';

export interface TypedSearch {
  readonly q: string;
  readonly chosen: ChosenFilters;
}

export function searchForm({ basePath }: SiteAddress, typed: TypedSearch, fault: Html | null = null): Html {
  const chosen = chosenInWords(typed.chosen);
  return html`<form class="search" role="search" method="get" action="${basePath}/" data-base="${basePath}">
<label for="q">Name, LEI, ISIN, BIC or other identifier</label>
<div class="search-line">
<div class="combobox"><input id="q" name="q" type="search" required maxlength="${searchTextMax}" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="search" value="${typed.q}"${fault !== null && html` aria-invalid="true" aria-describedby="q-fault"`}></div>
<button type="submit">Search</button>
</div>
${fault}
<details${chosen !== '' && html` open`}>
<summary>Filters${chosen && `: ${chosen}`}</summary>
<div class="filters">
${filterNames.map((name) => filter(name, typed.chosen[name]))}</div>
<p class="quiet" id="several">Each takes more than one value: hold Ctrl or ⌘ while you choose.</p>
</details>
</form>`;
}

function filter(name: keyof ChosenFilters, chosen: readonly string[]): Html {
  const { label, all, options } = pageFilters[name];
  const upper = chosen.map((value) => value.toUpperCase());
  return html`<label>${label} <select name="${name}" multiple size="5" aria-describedby="several"><option value="">${all}</option>${options.map(
    ([value, text]) =>
      html`<option value="${value}"${upper.includes(value) && html` selected`}>${text}</option>`,
  )}</select></label>\n`;
}
