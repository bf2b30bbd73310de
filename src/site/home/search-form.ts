/** Renders the search form. It works without scripts; home/suggest.ts of the client adds suggestions. */

import { type Html, html } from '../../http/html.ts';
import { countryCodes, registrationStatuses } from '../../lei/codes.ts';
import { searchTextMax } from '../../protocol/questions.ts';
import type { SiteAddress } from '../definition.ts';
import { countryName, inWords } from '../words.ts';

export interface TypedSearch {
  readonly q: string;
  /** As in the address; null for all. */
  readonly country: string | null;
  readonly status: string | null;
}

/** Records also use XK, which ISO 3166-1 does not have. */
const countries = [...countryCodes, 'XK']
  .map((code) => [code, countryName(code)] as const)
  .sort(([, a], [, b]) => a.localeCompare(b, 'en'));
const statuses = registrationStatuses.map((status) => [status, inWords(status)] as const);

export function searchForm({ basePath }: SiteAddress, typed: TypedSearch, fault: Html | null = null): Html {
  return html`<form class="search" role="search" method="get" action="${basePath}/" data-base="${basePath}">
<label for="q">Name, LEI, ISIN, BIC or other identifier</label>
<div class="search-line">
<div class="combobox"><input id="q" name="q" type="search" required maxlength="${searchTextMax}" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="search" value="${typed.q}"${fault !== null && html` aria-invalid="true" aria-describedby="q-fault"`}></div>
<button type="submit">Search</button>
</div>
${fault}
<div class="filters">
${filter('country', 'Country', 'All countries', countries, typed.country)}
${filter('status', 'Registration', 'Any status', statuses, typed.status)}
</div>
</form>`;
}

function filter(
  name: string,
  label: string,
  all: string,
  options: readonly (readonly [string, string])[],
  chosen: string | null,
): Html {
  const upper = chosen?.toUpperCase();
  return html`<label>${label} <select name="${name}"><option value="">${all}</option>${options.map(
    ([value, text]) => html`<option value="${value}"${value === upper && html` selected`}>${text}</option>`,
  )}</select></label>`;
}
