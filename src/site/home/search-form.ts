/**
 * The search form and its filters, which are those of lists; each takes several values. The form works without scripts;
 * home/suggest.ts of the client adds suggestions.
 */
import { type Html, html } from '../../html/html.ts';
import { countryName, entityStatus, inWords, registrationStatus } from '../../html/words.ts';
import { countryCodes, entityCategories, entityStatuses, registrationStatuses } from '../../lei/codes.ts';
import { readCountryCode } from '../../lei/countries.ts';
import { byKind } from '../../lei/identifier-kinds.ts';
import type { SiteAddress } from '../../protocol/ext-questions.ts';
import { listFilters } from '../../protocol/list-filters.ts';
import type { FieldCondition } from '../../protocol/list-questions.ts';
import { searchTextMax } from '../../protocol/questions.ts';

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
<details>
<summary>Filters${chosen && `: ${chosen}`}</summary>
<div class="filters">
${filterNames.map((name) => filter(name, typed.chosen[name]))}</div>
</details>
</form>`;
}

/** A folded list of boxes to tick. The ticked ones come first, and the summary names them. */
function filter(name: FilterName, chosen: readonly string[]): Html {
  const { label, texts, choices } = pageFilters[name];
  const ticked = new Map(chosen.flatMap((value) => entryOf(texts, value.toUpperCase())));
  const first = Array.from(ticked, ([value, text]) => choice(name, value, text, true));
  const others = Array.from(choices, ([value, box]) => (ticked.has(value) ? null : box));
  return html`<details>
<summary>${label}${ticked.size > 0 && html`: <strong>${[...ticked.values()].join(', ')}</strong>`}</summary>
<fieldset class="choices"><legend class="unseen">${label}</legend>
${first}${others}</fieldset>
</details>
`;
}

function entryOf(texts: PageFilter['texts'], value: string): readonly (readonly [string, string])[] {
  const text = texts.get(value);
  return text === undefined ? [] : [[value, text]];
}

function choice(name: FilterName, value: string, text: string, isTicked: boolean): Html {
  return html`<label><input type="checkbox" name="${name}" value="${value}"${isTicked && html` checked`}> ${text}</label>\n`;
}

export const filterNames = ['country', 'status', 'entityStatus', 'category'] as const;
type FilterName = (typeof filterNames)[number];

/** The values of each filter, as in the address; none for all companies. */
type ChosenFilters = Readonly<Record<FilterName, readonly string[]>>;

interface PageFilter {
  readonly label: string;
  /** Its name in a sentence. */
  readonly inSentence: string;
  /** The text of each value. An address may hold thousands of values, so none is sought among all texts. */
  readonly texts: ReadonlyMap<string, string>;
  /** The box of each value, not ticked. */
  readonly choices: ReadonlyMap<string, Html>;
}

/** Records also use XK, which ISO 3166-1 does not have. */
const countries = [...countryCodes, 'XK']
  .map((code) => [code, countryName(code)] as const)
  .sort(([, a], [, b]) => a.localeCompare(b, 'en'));

const pageFilters: Readonly<Record<FilterName, PageFilter>> = {
  country: pageFilter('country', 'Country', 'country', countries),
  status: pageFilter(
    'status',
    'LEI registration',
    'status',
    registrationStatuses.map((code) => [code, registrationStatus(code).name]),
  ),
  entityStatus: pageFilter(
    'entityStatus',
    'Entity status',
    'entity status',
    entityStatuses.map((code) => [code, entityStatus(code)?.name ?? 'Not applicable']),
  ),
  category: pageFilter(
    'category',
    'Category',
    'category',
    entityCategories.map((code) => [code, inWords(code)]),
  ),
};

function pageFilter(
  name: FilterName,
  label: string,
  inSentence: string,
  texts: readonly (readonly [value: string, text: string])[],
): PageFilter {
  const choices = new Map(texts.map(([value, text]) => [value, choice(name, value, text, false)]));
  return { label, inSentence, texts: new Map(texts), choices };
}

/**
 * A value may be repeated, as the form sends several, or hold several separated by commas. Empty ones count as none.
 * Countries may have three letters; names would take a front a quarter of a second to read.
 */
export function chosenIn(query: URLSearchParams): ChosenFilters {
  return byKind(filterNames, (name) => {
    const values = query.getAll(name).flatMap((text) => text.split(','));
    const given = values.map((value) => value.trim()).filter((value) => value !== '');
    const read = name === 'country' ? given.map((value) => readCountryCode(value) ?? value) : given;
    return [...new Set(read)];
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
    // A box can't show that its value is excluded, so the next search from this form would find the opposite.
    if (chosen[name].some((value) => value.startsWith('!')))
      return `The ${pageFilters[name].inSentence} must not begin with !: only /ext/v1/list leaves out values.`;
    const found = listFilters[name].read(chosen[name].join());
    if ('refused' in found) return `The ${pageFilters[name].inSentence} ${found.refused}.`;
    conditions.push(found.condition);
  }
  return conditions;
}
