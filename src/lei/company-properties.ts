/**
 * Defines the properties of a company that clients of the reconciliation service read (data extension), and those that a
 * query may have.
 */
import type { Company } from './company.ts';
import { countryName } from './places-of-iso.ts';

/** A value as the specification writes it. */
type Value =
  | { readonly str: string }
  | { readonly date: string }
  | { readonly id: string; readonly name: string };

export interface Property {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Empty if the record has no value. */
  values(company: Company): readonly Value[];
}

/** The type of every entity. */
export const legalEntity = { id: 'LegalEntity', name: 'Legal entity' } as const;

function texts(...values: readonly (string | null | undefined)[]): readonly Value[] {
  return values.flatMap((str) => (str === null || str === undefined || str === '' ? [] : [{ str }]));
}

/** A published time. If it was written as another day than in UTC, midnight of that day: OpenRefine reads no bare day. */
function date(time: string | null, writtenDay: string | null): readonly Value[] {
  if (time === null) return [];
  const isSameDay = writtenDay === null || time.startsWith(writtenDay);
  return [{ date: isSameDay ? time : `${writtenDay}T00:00:00Z` }];
}

type CompanyAddress = Company['entity']['legalAddress'];

function oneLine({ addressLines, postalCode, city, region, country }: CompanyAddress): string {
  const place = [postalCode, city].filter((part) => part !== null).join(' ');
  return [...addressLines, place, region, country].filter((part) => part !== null && part !== '').join(', ');
}

function property(
  id: string,
  name: string,
  description: string,
  values: (company: Company) => readonly Value[],
): Property {
  return { id, name, description, values };
}

/** The properties that a query may have, because they distinguish companies. */
const askable = [
  property('country', 'Country', 'Country of the legal address, ISO 3166-1 alpha-2', ({ entity }) =>
    texts(entity.legalAddress.country),
  ),
  property('city', 'City', 'City of the legal address', ({ entity }) => texts(entity.legalAddress.city)),
  property('registrationNumber', 'Registration number', 'Number in its business register', ({ entity }) =>
    texts(entity.registeredAs),
  ),
  property('lei', 'LEI', 'Legal Entity Identifier (ISO 17442)', ({ lei }) => texts(lei)),
];
const askableIds = askable.map(({ id }) => id);

const further = [
  property('status', 'Status', 'ACTIVE or INACTIVE; NULL for an annulled LEI', ({ entity }) =>
    texts(entity.status),
  ),
  property(
    'registrationStatus',
    'Registration status',
    'Status of the LEI, such as ISSUED or LAPSED',
    (company) => texts(company.registration.status),
  ),
  property('countryName', 'Country name', 'English name of the country of the legal address', ({ entity }) =>
    texts(countryName(entity.legalAddress.country)),
  ),
  property('legalName', 'Legal name', 'Legal name as registered', ({ entity }) =>
    texts(entity.legalName.name),
  ),
  property(
    'otherNames',
    'Other names',
    'Trading names, earlier names, names in other scripts',
    ({ entity }) =>
      texts(...[...entity.otherNames, ...entity.transliteratedOtherNames].map(({ name }) => name)),
  ),
  property('jurisdiction', 'Jurisdiction', 'Country or subdivision whose law applies', ({ entity }) =>
    texts(entity.jurisdiction),
  ),
  property('category', 'Category', 'GENERAL, FUND, BRANCH and others', ({ entity }) =>
    texts(entity.category),
  ),
  property('legalForm', 'Legal form', 'Name of the legal form, or its ISO 20275 code', ({ entity }) =>
    texts(entity.legalForm.label ?? entity.legalForm.other ?? entity.legalForm.id),
  ),
  property('registrationAuthority', 'Registration authority', 'Code of its business register', ({ entity }) =>
    texts(entity.registeredAt.id),
  ),
  property('legalAddress', 'Legal address', 'Legal address in one line', ({ entity }) =>
    texts(oneLine(entity.legalAddress)),
  ),
  property(
    'headquartersAddress',
    'Headquarters address',
    'Address of the headquarters in one line',
    (company) => texts(oneLine(company.entity.headquartersAddress)),
  ),
  property('postalCode', 'Postal code', 'Postal code of the legal address', ({ entity }) =>
    texts(entity.legalAddress.postalCode),
  ),
  property('creationDate', 'Creation date', 'Date on which the company was founded', ({ entity }) =>
    date(entity.creationDate, entity.creationDay),
  ),
  property('nextRenewalDate', 'Next renewal', 'Date by which the LEI must be renewed', ({ registration }) =>
    date(registration.nextRenewalDate, registration.nextRenewalDay),
  ),
  property('lastUpdateDate', 'Last update', 'Date of the last update of the record', ({ registration }) =>
    date(registration.lastUpdateDate, registration.lastUpdateDay),
  ),
  property('successor', 'Successor', 'The companies that continue or replace it', ({ entity }) =>
    entity.successorEntities.flatMap(({ lei, name }) =>
      lei === null ? texts(name) : [{ id: lei, name: name ?? lei }],
    ),
  ),
];

/** Every property, in the order of proposals. */
export const properties: readonly Property[] = [...askable, ...further];

const byId: ReadonlyMap<string, Property> = new Map(properties.map((property) => [property.id, property]));

export function propertyOf(id: string): Property | null {
  return byId.get(id) ?? null;
}

/**
 * The properties that a query names, by id and name in small letters: the id under which it is asked; null for a property
 * that says nothing about which company is meant.
 */
const inQueries: ReadonlyMap<string, string | null> = new Map(
  properties.flatMap(({ id, name }) => {
    const asked = id === 'countryName' ? 'country' : askableIds.includes(id) ? id : null;
    return [id, name].map((text) => [text.toLowerCase(), asked] as const);
  }),
);

/**
 * The id of a property that a query may have; null for a property that is ignored, undefined if there is no such one.
 * @param text an id, or what a user types in its place: OpenRefine sends that as the id
 */
export function propertyInQuery(text: string): string | null | undefined {
  return inQueries.get(text.trim().toLowerCase());
}

/** The names of the properties that a query may have, for messages. */
export const askableList = askableIds.join(', ');
