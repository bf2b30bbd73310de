/** The filters of lists as options of a command, by the names that they have in addresses. */
import { queryParameters, Refusal } from '../http/parameters.ts';
import { readCountry } from '../lei/countries.ts';
import {
  exclusion,
  type ListFilterName,
  listFilterNames,
  listFilters,
  misplacedExclusion,
  type ReadFilter,
  reversedRanges,
  valuesIn,
} from '../protocol/list-filters.ts';
import type { ListQuery } from '../protocol/list-questions.ts';
import { allListed } from '../query/list.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { atOnce } from '../store/steps.ts';
import { quoted } from '../terminal-text.ts';
import { CommandFailure, type Options } from './frame.ts';
import { textIn } from './options.ts';

type CompanyFilter = Pick<ListQuery, 'conditions' | 'q'>;

/** Each option with its description. */
export const filterOptions: readonly (readonly [flags: string, description: string])[] = [
  ...listFilterNames.map((name) => {
    const { what, example, isList } = listFilters[name];
    return [`--${name} <${isList ? 'values' : 'time'}>`, `filter: ${what}, such as ${example}`] as const;
  }),
  ['--q <text>', 'filter: a search for this text finds the company'],
];

/** @throws CommandFailure naming the option */
export function filterIn(options: Options): CompanyFilter {
  const found: Partial<Record<ListFilterName, ReadFilter>> = {};
  for (const name of listFilterNames) {
    const text = textIn(options, name);
    if (text !== null) found[name] = readFilter(name, text);
  }
  for (const { name, refused } of reversedRanges(found)) throw badFilter(name, refused);
  const conditions = listFilterNames.flatMap((name) => found[name]?.condition ?? []);
  return { conditions, q: searchTextIn(options) };
}

function readFilter(name: ListFilterName, text: string): ReadFilter {
  const found = listFilters[name].read(name === 'country' ? countryCodesIn(text) : text);
  if ('refused' in found) throw badFilter(name, found.refused);
  return found;
}

/**
 * The countries by their codes, however each is written. A name may have a comma itself, as in "Korea, Republic of":
 * the whole text is then one country.
 */
function countryCodesIn(text: string): string {
  const { given, mark } = valuesIn(text);
  return mark + (readCountry(given.join()) ?? given.map(countryCode).join());
}

function countryCode(text: string): string {
  const country = readCountry(text);
  if (country !== null) return country;
  if (text.startsWith(exclusion)) throw badFilter('country', misplacedExclusion);
  const allowed = 'must hold countries, each by a code such as DE or DEU or by its name';
  throw badFilter('country', `${allowed}; ${quoted(text)} is not`);
}

function searchTextIn(options: Options): string | null {
  const text = textIn(options, 'q');
  const read = text === null ? null : queryParameters.q.read(text);
  if (read instanceof Refusal) throw badFilter('q', read.detail);
  return read;
}

/** The companies that pass, by number. @throws CommandFailure for a code that is in no list and no company has */
export function companiesChosen(publication: PublicationReader, filter: CompanyFilter): Uint32Array {
  const listed = atOnce(allListed(publication, filter));
  if (listed instanceof Uint32Array) return listed;
  if ('parameter' in listed) throw badFilter(listed.parameter, listed.detail);
  throw new CommandFailure('timeout', 'The search for --q took too long.');
}

/** @param refused the predicate of a sentence about the option */
function badFilter(name: string, refused: string): CommandFailure {
  return new CommandFailure('bad-option', `--${name} ${refused}.`);
}
