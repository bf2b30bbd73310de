/** The parameters of requests, identifiers included: how each is read or checked, and how the description shows it. */
import { registrationStatuses } from '../lei/codes.ts';
import { utcDate } from '../lei/dates.ts';
import {
  byKind,
  type IdentifierKind,
  type IdentifierParameter,
  identifierKinds,
  type MappingKind,
  mappingKinds,
  mappingTable,
} from '../lei/identifier-kinds.ts';
import { checkLei, type IdentifierCheck } from '../lei/identifiers.ts';
import type { Json, JsonObject } from '../lei/schema.ts';
import { searchTextMax, searchTextMin } from '../protocol/questions.ts';

export type ParameterName = 'q' | 'country' | 'status' | 'cursor' | 'limit';

/** The query parameters of one request that several endpoints take. */
export interface Parameters {
  /** Trimmed, 2 to 500 code points; null on endpoints without it. */
  readonly q: string | null;
  /** Upper case. */
  readonly country: string | null;
  /** Upper case, a registration status. */
  readonly status: string | null;
  /** As sent, still sealed. */
  readonly cursor: string | null;
  /** 1 to 100. */
  readonly limit: number;
  /** False if `limit` is the default. */
  readonly limitGiven: boolean;
}

const limitDefault = 20;
const limitMax = 100;

/** The parameters of a request without a query string. */
export const noParameters: Parameters = {
  q: null,
  country: null,
  status: null,
  cursor: null,
  limit: limitDefault,
  limitGiven: false,
};

/** Why a value is not allowed: the predicate of a sentence about the parameter. */
export class Refusal {
  readonly detail: string;
  constructor(detail: string) {
    this.detail = detail;
  }
}

export interface QueryParameter<Value, Required extends string | null = string | null> {
  read(text: string): Value | Refusal;
  /** Says why the parameter is required; null if it is optional. */
  readonly required: Required;
  readonly description: string;
  readonly schema: JsonObject;
  /** Whether the value may be several, separated by commas. */
  readonly isList?: true;
  /** Beside the schema, because the page at /docs takes the content of its field from there. */
  readonly example?: Json;
}

/** A parameter that one endpoint alone takes. `Required` is `string` for a required one. */
export interface OwnParameter<Value, Required extends string | null = null>
  extends QueryParameter<Value, Required> {
  /** The canonical text of a value. */
  spell(value: Value): string;
}

export type OwnRules = Readonly<Record<string, OwnParameter<unknown, string | null>>>;

/** The values of an endpoint's own parameters; null for those that were left out. */
export type OwnValues<Own extends OwnRules> = {
  readonly [Name in keyof Own]: Own[Name] extends OwnParameter<infer Value, infer Required>
    ? Value | (Required extends string ? never : null)
    : never;
};

/** For parameters whose value is the canonical text. */
export const asItIs = (text: string): string => text;

const statuses: readonly string[] = registrationStatuses;

const q: QueryParameter<string> = {
  read(value) {
    const text = value.trim();
    const codePoints = text.length > 2 * searchTextMax ? text.length : Array.from(text).length;
    if (codePoints >= searchTextMin && codePoints <= searchTextMax) return text;
    return new Refusal(
      `must have ${searchTextMin} to ${searchTextMax} characters, not counting spaces at its ends`,
    );
  },
  required: 'is required: at least 2 characters of a company name',
  description: `The search text: words of a company name, in any order, with or without accents and legal form; or an LEI, a BIC, an ISIN, an OpenCorporates id or a registration number. ${searchTextMin} to ${searchTextMax} characters, not counting spaces at its ends. Tabs and line ends count as spaces. A text without a letter or digit finds nothing.`,
  schema: { type: 'string', minLength: searchTextMin, maxLength: searchTextMax },
  example: 'deutsche bank',
};

/** Only the publication knows which countries occur, so a query thread checks that. */
const country: QueryParameter<string> = {
  read(value) {
    if (/^[A-Za-z]{2}$/.test(value)) return value.toUpperCase();
    return new Refusal('must be exactly 2 characters: a country code of ISO 3166-1 alpha-2, such as DE');
  },
  required: null,
  description: 'Only companies whose legal address is in this country (ISO 3166-1 alpha-2, in any case).',
  schema: { type: 'string', minLength: 2, maxLength: 2, pattern: '^[A-Za-z]{2}$', examples: ['DE'] },
};

const status: QueryParameter<string> = {
  read(value) {
    // Letters of other scripts may have ASCII capitals too (ı, ſ).
    const upperCased = /^[A-Za-z_]+$/.test(value) ? value.toUpperCase() : value;
    if (statuses.includes(upperCased)) return upperCased;
    return new Refusal(`must be one of the registration statuses: ${statuses.join(', ')}`);
  },
  required: null,
  description: 'Only companies with this registration status (LEI-CDF, in any case).',
  // An enum alone would say that only capitals are accepted.
  schema: {
    type: 'string',
    anyOf: [{ enum: [...statuses] }, { pattern: `^(?:${statuses.map(inAnyCase).join('|')})$` }],
    examples: ['ISSUED'],
  },
};

/** A pattern for a name in capitals and underscores. JSON Schema has no flag for it. */
function inAnyCase(name: string): string {
  return name.replace(/[A-Z]/g, (capital) => `[${capital}${capital.toLowerCase()}]`);
}

const cursor: QueryParameter<string> = {
  read: (value) => value,
  required: null,
  description:
    'The page to read: the value of `links.next` from the previous page, unchanged, with the same other parameters (only `limit` may change).',
  schema: { type: 'string', minLength: 1, pattern: '^[A-Za-z0-9_-]+$' },
};

/** A whole number from 1 to `max`, in decimal digits. */
export function wholeNumber(text: string, max: number): number | Refusal {
  const number = /^[0-9]+$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= max ? number : new Refusal(`must be a whole number from 1 to ${max}`);
}

const limit: QueryParameter<number> = {
  read: (text) => wholeNumber(text, limitMax),
  required: null,
  description: 'The maximum number of items on a page.',
  schema: {
    type: 'integer',
    minimum: 1,
    maximum: limitMax,
    default: limitDefault,
    examples: [limitDefault],
  },
};

export const queryParameters = { q, country, status, cursor, limit } as const;

/** The pattern of a moment, for the description; {@link momentOf} also refuses impossible dates and times. */
export const momentPattern =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2}))?$';

/**
 * A date, or a time with its zone, as a time in UTC; null if the text is neither, such as a 30th of February. A fraction
 * of a second is kept, because times in answers may have one.
 * @param timeOfDay the time for a date alone, such as 23:59:59
 */
export function momentOf(text: string, timeOfDay: string): string | null {
  return utcDate(text.includes('T') ? text : `${text}T${timeOfDay}Z`);
}

/** The kinds of identifiers in paths. */
export type Subject = 'lei' | IdentifierKind;

interface CheckedParameter extends IdentifierParameter {
  check(text: string): IdentifierCheck;
}

/** All kinds of identifiers, as lists in queries take them. */
export const checkedIdentifiers: Readonly<Record<'lei' | MappingKind, CheckedParameter>> = {
  lei: {
    check: checkLei,
    description:
      'Legal Entity Identifier (ISO 17442): 18 letters or digits and two check digits (ISO 7064 MOD 97-10), in any case.',
    pattern: '^[A-Za-z0-9]{18}[0-9]{2}$',
    example: '213800E5Z6QRDSMZMK84',
  },
  ...byKind(mappingKinds, (kind) => ({ ...mappingTable[kind].parameter, check: mappingTable[kind].check })),
};

export const subjects: Readonly<Record<Subject, CheckedParameter>> = byKind(
  ['lei', ...identifierKinds],
  (kind) => checkedIdentifiers[kind],
);

export function isSubject(name: string | undefined): name is Subject {
  return name !== undefined && name in subjects;
}
