/** Reads the filters of lists as callers write them: in requests, and on the command line. */
import { entityCategories, entityStatuses, registrationStatuses } from '../lei/codes.ts';
import { secondsOf } from '../lei/dates.ts';
import { checkLei } from '../lei/identifiers.ts';
import type { FoldedField, TimeField, ValueField } from '../lei/list-fields.ts';
import { quoted } from '../terminal-text.ts';
import type { FieldCondition } from './list-questions.ts';

/** Values of one filter. */
export const filterValuesMax = 50;
const separator = ',';
export const exclusion = '!';
/** Folded texts have no signs: without this refusal `Berlin,!Paris` would find the companies in Paris too. */
export const misplacedExclusion = `may have one ${exclusion} only, in front of all values`;

/** A filter as it was read: its condition, and its canonical text. */
export interface ReadFilter {
  readonly condition: FieldCondition;
  readonly text: string;
}

/** Why a filter is refused: the predicate of a sentence about it. */
interface RefusedFilter {
  readonly refused: string;
}

interface ListFilter {
  /** Says what its values are, for descriptions. */
  readonly what: string;
  readonly example: string;
  /** Whether it takes several values, separated by commas. */
  readonly isList: boolean;
  read(text: string): ReadFilter | RefusedFilter;
}

/** Reads one value into its canonical form; null if it is not a value of the field. */
type ReadOneValue = (text: string) => string | null;

interface ReadValues {
  readonly values: readonly string[];
  readonly isExcluded: boolean;
  readonly text: string;
}

/** The values of a filter as they were written, and the mark before them by which they are left out; '' without it. */
export function valuesIn(text: string): { readonly given: readonly string[]; readonly mark: string } {
  const mark = text.startsWith(exclusion) ? exclusion : '';
  return { given: text.slice(mark.length).split(separator), mark };
}

function valuesOf(text: string, allowed: string, read: ReadOneValue): ReadValues | RefusedFilter {
  const { given, mark } = valuesIn(text);
  if (given.length > filterValuesMax)
    return { refused: `must hold at most ${filterValuesMax} values; it holds ${given.length}` };
  if (given.some((each) => each.trim().startsWith(exclusion))) return { refused: misplacedExclusion };
  const values = new Set<string>();
  for (const each of given) {
    const value = read(each);
    if (value === null) return { refused: `must hold ${allowed}; ${quoted(each)} is not` };
    values.add(value);
  }
  return { values: [...values], isExcluded: mark !== '', text: mark + [...values].join(separator) };
}

function ofValues(
  field: ValueField,
  { what, allowed, example, read }: { what: string; allowed: string; example: string; read: ReadOneValue },
): ListFilter {
  return {
    what,
    example,
    isList: true,
    read(text) {
      const found = valuesOf(text, allowed, read);
      if ('refused' in found) return found;
      const { values, isExcluded } = found;
      return { condition: { is: 'value', field, values, isExcluded }, text: found.text };
    },
  };
}

function ofTexts(field: FoldedField, what: string, example: string): ListFilter {
  return {
    what,
    example,
    isList: true,
    read(text) {
      const found = valuesOf(text, 'values separated by commas', (each) => each.trim() || null);
      if ('refused' in found) return found;
      const { values, isExcluded } = found;
      return { condition: { is: 'text', field, values, isExcluded }, text: found.text };
    },
  };
}

/** One end of a range. A day as an end counts whole. */
function ofTime(field: TimeField, end: 'from' | 'to', what: string): ListFilter {
  return {
    what: `${what} at this time or ${end === 'from' ? 'later' : 'earlier'}`,
    example: '2026-01-31',
    isList: false,
    read(text) {
      const span = secondsOf(text);
      if (span === null)
        return { refused: 'must be a day such as 2026-01-31, or a time in UTC such as 2026-01-31T16:00:00Z' };
      const range = end === 'from' ? { from: span.from, to: null } : { from: null, to: span.to };
      return { condition: { is: 'time', field, ...range }, text };
    },
  };
}

/** Letters of other scripts may have ASCII capitals too (ı, ſ). */
function upperCased(text: string): string {
  return /^[A-Za-z0-9_-]+$/.test(text) ? text.toUpperCase() : text;
}

function oneOf(list: readonly string[]): ReadOneValue {
  return (text) => list.find((each) => each === upperCased(text)) ?? null;
}

function matching(pattern: RegExp): ReadOneValue {
  return (text) => (pattern.test(upperCased(text)) ? upperCased(text) : null);
}

function listed(list: readonly string[]): string {
  return `of ${list.join(', ')}`;
}

/** In the order of descriptions. The service also checks codes against its lists and the data. */
export const listFilters = {
  country: ofValues('country', {
    what: 'the country of the legal address, a code of ISO 3166-1 alpha-2',
    allowed: 'country codes of ISO 3166-1 alpha-2 with exactly 2 characters, such as DE',
    example: 'DE,AT',
    read: matching(/^[A-Z]{2}$/),
  }),
  jurisdiction: ofValues('jurisdiction', {
    what: 'the legal jurisdiction, a code of ISO 3166-1 or ISO 3166-2',
    allowed: 'codes of a country or of a part of one (ISO 3166), such as US or US-DE',
    example: 'US-DE',
    read: matching(/^[A-Z]{2}(-[A-Z0-9]{1,3})?$/),
  }),
  entityStatus: ofValues('entityStatus', {
    what: 'the status of the entity',
    allowed: `one or more ${listed(entityStatuses)}`,
    example: 'ACTIVE',
    read: oneOf(entityStatuses),
  }),
  status: ofValues('registrationStatus', {
    what: 'the status of the registration',
    allowed: `one or more ${listed(registrationStatuses)}`,
    example: 'ISSUED,LAPSED',
    read: oneOf(registrationStatuses),
  }),
  category: ofValues('category', {
    what: 'the category of the entity',
    allowed: `one or more ${listed(entityCategories)}`,
    example: '!FUND',
    read: oneOf(entityCategories),
  }),
  legalForm: ofValues('legalForm', {
    what: 'the code of the legal form (ISO 20275)',
    allowed: 'codes of legal forms (ISO 20275) with 4 letters and digits, such as 2HBR',
    example: '2HBR',
    read: matching(/^[A-Z0-9]{4}$/),
  }),
  managingLou: ofValues('managingLou', {
    what: 'the LEI of the issuer that manages the record',
    allowed: 'LEIs of issuers',
    example: '529900T8BM49AURSDO55',
    read: (text) => {
      const check = checkLei(text);
      return check.ok ? check.value : null;
    },
  }),
  registeredAt: ofValues('registeredAt', {
    what: 'the code of the business register, of GLEIF’s list of registration authorities',
    allowed: 'codes of registration authorities, such as RA000242',
    example: 'RA000242',
    read: matching(/^RA[0-9]{6}$/),
  }),
  registeredAs: ofTexts(
    'registeredAs',
    'the whole number in the business register, with or without separators',
    'HRB 30000',
  ),
  city: ofTexts('city', 'the whole name of the city of the legal address', 'Frankfurt am Main'),
  postalCode: ofTexts(
    'postalCode',
    'the whole postal code of the legal address, with or without separators',
    '60325',
  ),
  updatedFrom: ofTime('updated', 'from', 'the record was last updated'),
  updatedTo: ofTime('updated', 'to', 'the record was last updated'),
  registeredFrom: ofTime('registered', 'from', 'the LEI was first registered'),
  registeredTo: ofTime('registered', 'to', 'the LEI was first registered'),
  renewalFrom: ofTime('renewal', 'from', 'the next renewal is due'),
  renewalTo: ofTime('renewal', 'to', 'the next renewal is due'),
} as const satisfies Readonly<Record<string, ListFilter>>;

export type ListFilterName = keyof typeof listFilters;
export const listFilterNames = Object.keys(listFilters).filter(
  (name): name is ListFilterName => name in listFilters,
);

/** Ranges: the names of their filters. */
const ranges = [
  ['updatedFrom', 'updatedTo'],
  ['registeredFrom', 'registeredTo'],
  ['renewalFrom', 'renewalTo'],
] as const;

/** Ranges that end before they begin. @param found the filters that were given */
export function reversedRanges(
  found: Readonly<Partial<Record<ListFilterName, ReadFilter | null>>>,
): readonly { readonly name: ListFilterName; readonly refused: string }[] {
  return ranges.flatMap(([from, to]) => {
    const [first, last] = [found[from]?.condition, found[to]?.condition];
    const isReversed =
      first?.is === 'time' && last?.is === 'time' && (first.from ?? 0) > (last.to ?? Infinity);
    return isReversed ? [{ name: to, refused: `must not be earlier than ${from}` }] : [];
  });
}
