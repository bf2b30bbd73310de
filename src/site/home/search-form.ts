/**
 * The search form and its filters, which are those of lists; each takes several values. The form works without scripts;
 * home/suggest.ts of the client adds suggestions.
 */
import { type Html, html } from '../../http/html.ts';
import { countryCodes, entityCategories, entityStatuses, registrationStatuses } from '../../lei/codes.ts';
import { readCountryCode } from '../../lei/countries.ts';
import { byKind } from '../../lei/identifier-kinds.ts';
import { listFilters } from '../../protocol/list-filters.ts';
import type { FieldCondition } from '../../protocol/list-questions.ts';
import { searchTextMax } from '../../protocol/questions.ts';
import type { SiteAddress } from '../definition.ts';
import { countryName, inWords } from '../words.ts';

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
  const { label, all, texts } = pageFilters[name];
  const upper = new Set(chosen.map((value) => value.toUpperCase()));
  return html`<label>${label} <select name="${name}" multiple size="5" aria-describedby="several"><option value="">${all}</option>${Array.from(
    texts,
    ([value, text]) => html`<option value="${value}"${upper.has(value) && html` selected`}>${text}</option>`,
  )}</select></label>\n`;
}

export const filterNames = ['country', 'status', 'entityStatus', 'category'] as const;
type FilterName = (typeof filterNames)[number];

/** The values of each filter, as in the address; none for all companies. */
type ChosenFilters = Readonly<Record<FilterName, readonly string[]>>;

interface PageFilter {
  readonly label: string;
  /** Its name in a sentence. */
  readonly inSentence: string;
  /** The option that clears the filter. */
  readonly all: string;
  /** The text of each value. An address may hold thousands of values, so none is sought among all texts. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Records also use XK, which ISO 3166-1 does not have. */
const countries = new Map(
  [...countryCodes, 'XK']
    .map((code) => [code, countryName(code)] as const)
    .sort(([, a], [, b]) => a.localeCompare(b, 'en')),
);

const pageFilters: Readonly<Record<FilterName, PageFilter>> = {
  country: { label: 'Country', inSentence: 'country', all: 'All countries', texts: countries },
  status: {
    label: 'Registration',
    inSentence: 'status',
    all: 'Any registration',
    texts: worded(registrationStatuses),
  },
  entityStatus: {
    label: 'Entity status',
    inSentence: 'entity status',
    all: 'Any entity status',
    texts: worded(entityStatuses),
  },
  category: {
    label: 'Category',
    inSentence: 'category',
    all: 'All categories',
    texts: worded(entityCategories),
  },
};

function worded(codes: readonly string[]): PageFilter['texts'] {
  return new Map(codes.map((code) => [code, inWords(code)]));
}

/**
 * A value may be repeated, as the form sends several, or hold several separated by commas. Empty ones count as none.
 * Countries may have three letters; names would take a front a quarter of a second to read.
 */
export function chosenIn(query: URLSearchParams): ChosenFilters {
  return byKind(filterNames, (name) => {
    const values = query.getAll(name).flatMap((text) => text.split(','));
    const given = values.map((value) => value.trim()).filter((value) => value !== '');
    return name === 'country' ? given.map((value) => readCountryCode(value) ?? value) : given;
  });
}

/** The chosen values in words: `Germany, France · Fund`; '' for none. */
export function chosenInWords(chosen: ChosenFilters): string {
  const texts = filterNames.map((name) =>
    chosen[name].map((value) => textOf(pageFilters[name], value)).join(', '),
  );
  return texts.filter((text) => text !== '').join(' · ');
}

function textOf({ texts }: PageFilter, value: string): string {
  return texts.get(value.toUpperCase()) ?? value;
}

/** @returns the conditions, or the sentence that refuses a value */
export function conditionsOf(chosen: ChosenFilters): readonly FieldCondition[] | string {
  const conditions: FieldCondition[] = [];
  for (const name of filterNames) {
    if (chosen[name].length === 0) continue;
    const found = listFilters[name].read(chosen[name].join());
    if ('refused' in found) return `The ${pageFilters[name].inSentence} ${found.refused}.`;
    conditions.push(found.condition);
  }
  return conditions;
}
