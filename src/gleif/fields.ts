/**
 * The fields that lists of GLEIF's API filter and sort by, one row each: their names and labels as GLEIF's own
 * `/fields` gives them, and the kind of values that decides how a filter is read.
 */

import { entityCategories, registrationStatuses } from '../lei/codes.ts';
import { relationNames, relations } from '../lei/gleif-relations.ts';
import type { FieldPath } from '../lei/level-1-fields.ts';
import { xpathOfField } from './xpaths.ts';

/** How the values of a field are read and compared. */
type FieldKind =
  /** One of a few codes, in capitals. */
  | { readonly is: 'enum'; readonly values: readonly string[] }
  /** A code of a list: in any case, and an unknown one matches nothing. */
  | { readonly is: 'code'; readonly resource: string }
  | { readonly is: 'date' }
  | { readonly is: 'number' }
  /** An identifier: in any case. */
  | { readonly is: 'identifier' }
  /** Words that must all be there. */
  | { readonly is: 'text' };

export interface GleifField {
  readonly id: string;
  /** As in `filter[…]` and `sort`. */
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind;
  readonly isFilter: boolean;
  readonly isSortable: boolean;
  /** The field of the record that it is; null if it is none, or several. */
  readonly path: FieldPath | null;
}

interface FieldOptions {
  readonly path?: FieldPath;
  /** By default, lists can be filtered by it and not sorted by it. */
  readonly sorts?: boolean;
  readonly filters?: boolean;
}

function field(
  id: string,
  name: string,
  label: string,
  kind: FieldKind,
  options: FieldOptions = {},
): GleifField {
  const { path = null, sorts = false, filters = true } = options;
  return { id: `LEIREC_${id}`, name, label, kind, isFilter: filters, isSortable: sorts, path };
}

const text: FieldKind = { is: 'text' };
const identifier: FieldKind = { is: 'identifier' };
const date: FieldKind = { is: 'date' };
const code = (resource: string): FieldKind => ({ is: 'code', resource });
const oneOf = (values: readonly string[]): FieldKind => ({ is: 'enum', values });
/** A field of the record under the same name, by which lists are sorted too. */
const sorted = (path: FieldPath): FieldOptions => ({ path, sorts: true });

const otherAuthorities = 'registration.otherValidationAuthorities';

export const recordFields: readonly GleifField[] = [
  field('LEI', 'lei', 'LEI Code', identifier, { path: 'lei' }),
  field('BIC', 'bic', 'BICs', identifier),
  field('ISIN', 'isin', 'ISIN Code', identifier),
  field('MIC', 'mic', 'MICs', identifier),
  field('OCID', 'ocid', 'OCID', identifier),
  field('QCC', 'qcc', 'QCCs', identifier),
  field('GEM', 'gem', 'GEM', identifier),
  field('SPGLOBAL', 'spglobal', 'S&P Global Company ID', identifier),
  field('FULLTEXT', 'fulltext', 'Find LEIs', text),
  field('NAMES', 'entity.names', 'All Names', text),
  field('LEGAL_NAME', 'entity.legalName', '(Primary) Legal Name', text, sorted('entity.legalName.name')),
  field('ADDRESSES', 'entity.addresses', 'Addresses', text),
  field('OWNS', 'owns', 'Who Owns...', identifier),
  field('OWNED_BY', 'ownedBy', 'Who is Owned By...', identifier),
  field('ADDRESSES_CITY', 'entity.addresses.city', 'City', text, { sorts: true }),
  field('ADDRESSES_POSTAL_CODE', 'entity.addresses.postalCode', 'Postal Code', text),
  field('ADDRESSES_COUNTRY', 'entity.addresses.country', 'Country', code('countries'), { sorts: true }),
  field('ADDRESSES_REGION', 'entity.addresses.region', 'Region', code('regions'), { sorts: true }),
  field('LEGAL_ADDRESS_COUNTRY', 'entity.legalAddress.country', 'Legal Address Country', code('countries'), {
    sorts: true,
  }),
  field('LEGAL_ADDRESS_REGION', 'entity.legalAddress.region', 'Legal Address Region', code('regions'), {
    sorts: true,
    filters: false,
  }),
  field('LEGAL_ADDRESS_CITY', 'entity.legalAddress.city', 'Legal Address City', text, {
    sorts: true,
    filters: false,
  }),
  field(
    'LEGAL_JURISDICTION',
    'entity.jurisdiction',
    'Jurisdiction of Formation',
    code('jurisdictions'),
    sorted('entity.jurisdiction'),
  ),
  field(
    'ENTITY_CATEGORY',
    'entity.category',
    'General Category',
    oneOf(entityCategories),
    sorted('entity.category'),
  ),
  field(
    'ENTITY_SUB_CATEGORY',
    'entity.subCategory',
    'Sub Category',
    oneOf(['CENTRAL_GOVERNMENT', 'STATE_GOVERNMENT', 'LOCAL_GOVERNMENT', 'SOCIAL_SECURITY']),
    sorted('entity.subCategory'),
  ),
  field(
    'ENTITY_STATUS',
    'entity.status',
    'Entity Status',
    oneOf(['ACTIVE', 'INACTIVE', 'NULL']),
    sorted('entity.status'),
  ),
  field('LEGAL_FORM', 'entity.legalForm', 'Entity Legal Form', code('entity-legal-forms')),
  field('ENTITY_LEGAL_FORM_OTHER', 'entity.legalForm.other', 'Entity Legal Form (other)', text),
  field(
    'ENTITY_CREATION_DATE',
    'entity.creationDate',
    'Entity Creation Date',
    date,
    sorted('entity.creationDate'),
  ),
  field(
    'ENTITY_EXPIRATION_DATE',
    'entity.expiration.date',
    'Expiration Date',
    date,
    sorted('entity.expiration.date'),
  ),
  field(
    'ENTITY_EXPIRATION_REASON',
    'entity.expiration.reason',
    'Expiration Reason',
    oneOf(['DISSOLVED', 'CORPORATE_ACTION', 'OTHER']),
    sorted('entity.expiration.reason'),
  ),
  field('REGISTERED_AT', 'entity.registeredAt', 'Registered At', code('registration-authorities')),
  field('OTHER_REGISTRATION_AUTHORITY_ID', 'entity.registeredAt.other', 'Registered At (other)', text),
  field('REGISTRATION_AUTHORITY_ENTITY_ID', 'entity.registeredAs', 'Registered As', text),
  field('ASSOCIATED_ENTITY', 'entity.associatedEntity', 'Associated Entity', text),
  field('SUCCESSOR_ENTITIES', 'entity.successorEntities', 'Replaced By', text),
  field('SUCCESSOR_ENTITIES_LEI', 'entity.successorEntities.lei', 'Successor Entity LEI', identifier),
  field('SUCCESSOR_ENTITIES_NAME', 'entity.successorEntities.name', 'Successor Entity Name', text),
  field('SUCCESSOR_ENTITIES_LANG', 'entity.successorEntities.lang', 'Successor Entity Lang', text),
  field(
    'REGISTRATION_STATUS',
    'registration.status',
    'Status',
    oneOf(registrationStatuses),
    sorted('registration.status'),
  ),
  field(
    'INITIAL_REGISTRATION_DATE',
    'registration.initialRegistrationDate',
    'Registration Date',
    date,
    sorted('registration.initialRegistrationDate'),
  ),
  field(
    'LAST_UPDATE_DATE',
    'registration.lastUpdateDate',
    'Last Update',
    date,
    sorted('registration.lastUpdateDate'),
  ),
  field(
    'NEXT_RENEWAL_DATE',
    'registration.nextRenewalDate',
    'Next Renewal',
    date,
    sorted('registration.nextRenewalDate'),
  ),
  field(
    'MANAGING_LOU',
    'registration.managingLou',
    'LEI Issuer',
    code('lei-issuers'),
    sorted('registration.managingLou'),
  ),
  field(
    'VALIDATION_SOURCES',
    'registration.corroborationLevel',
    'Corroboration Level',
    oneOf(['ENTITY_SUPPLIED_ONLY', 'PARTIALLY_CORROBORATED', 'FULLY_CORROBORATED', 'PENDING']),
    sorted('validation.corroborationLevel'),
  ),
  field('VALIDATED_AT', 'registration.validatedAt', 'Data Validated At', code('registration-authorities')),
  field('VALIDATED_AS', 'registration.validatedAs', 'Data Validated As', text),
  field(
    'OTHER_VALIDATION_AUTHORITIES_AUTHORITY_ID',
    `${otherAuthorities}.validatedAt.id`,
    'Data Validated At (ID)',
    text,
  ),
  field(
    'OTHER_VALIDATION_AUTHORITIES_ENTITY_ID',
    `${otherAuthorities}.validatedAs`,
    'Data Validated As',
    text,
  ),
  field(
    'OTHER_VALIDATION_AUTHORITIES_OTHER_AUTHORITY_ID',
    `${otherAuthorities}.validatedAt.other`,
    'Data Validated At (other)',
    text,
  ),
  field(
    'POLICY_CONFORMITY_FLAG',
    'conformityFlag',
    'Policy Conformity Flag',
    oneOf(['CONFORMING', 'NON_CONFORMING', 'NOT_APPLICABLE']),
    sorted('validation.conformityFlag'),
  ),
  ...counts(),
];

/** The fields with the number of companies in a relation that a company may have many times. */
function counts(): readonly GleifField[] {
  return relationNames.flatMap((name) => {
    const { count } = relations[name];
    if (count === null) return [];
    const words = count.split(/(?=[A-Z])/);
    const label = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
    return field(words.join('_').toUpperCase(), count, label, { is: 'number' });
  });
}

/** Fields by the names in filters; GLEIF's documents have one of them under another name too. */
export const filterFields: ReadonlyMap<string, GleifField> = new Map([
  ...recordFields.filter(({ isFilter }) => isFilter).map((each) => [each.name, each] as const),
  ...recordFields
    .filter(({ name }) => name === 'conformityFlag')
    .map((each) => ['conformity_flag', each] as const),
]);

export const sortFields: ReadonlyMap<string, GleifField> = new Map(
  recordFields.filter(({ isSortable }) => isSortable).map((each) => [each.name, each]),
);

const dataTypes = {
  enum: 'ENUM',
  code: 'RESOURCE',
  date: 'DATE',
  number: 'NUMBER',
  identifier: 'STRING',
  text: 'STRING',
} as const;

const matching = ['MATCH', 'NOT_MATCH'];
const comparing = [
  ...matching,
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL',
  'IN_RANGE',
];

/** True for a field that is compared with `<`, `>` and ranges. */
export function isComparable({ kind }: GleifField): boolean {
  return kind.is === 'date' || kind.is === 'number';
}

/** The attributes of a field as a resource. */
export function fieldAttributes(each: GleifField) {
  const { name, label, kind, isFilter, isSortable, path } = each;
  const several = kind.is === 'enum' || kind.is === 'code' ? [...matching, 'IN'] : matching;
  return {
    field: name,
    label,
    data_type: dataTypes[kind.is],
    enum: kind.is === 'enum' ? kind.values : null,
    resource: kind.is === 'code' ? kind.resource : null,
    sortable: isSortable,
    operators: isFilter ? (isComparable(each) ? comparing : several) : null,
    contexts: [...(isFilter ? ['FILTER_LEIREC'] : []), ...(path === null ? [] : ['MODIFICATION_HISTORY'])],
    jsonPath: path === null ? null : `$.${jsonPathOf(path)}`,
    xpath: path === null ? null : xpathOfField(path),
  };
}

/** Where a field stands in GLEIF's documents: our record has validation apart from registration. */
function jsonPathOf(path: FieldPath): string {
  return path
    .replace('validation.conformityFlag', 'conformityFlag')
    .replace(/^validation\./, 'registration.');
}

/** Fields by name, of one of the smaller lists. */
function named(...fields: readonly GleifField[]): ReadonlyMap<string, GleifField> {
  return new Map(fields.map((each) => [each.name, each]));
}
const small = (name: string, kind: FieldKind, sorts = true) => field('', name, '', kind, { sorts });

/** The filters of a record's field modifications. */
export const modificationFilters = named(
  small('recordType', oneOf(['LEI', 'RR', 'REPEX'])),
  small('modificationType', oneOf(['INITIAL', 'INSERT', 'UPDATE', 'DELETE'])),
  small('field', text),
  small('date', date),
  small('modificationDate', date),
);
export const modificationSorts = named(small('date', date), small('modificationDate', date));

/** The fields by which code lists are filtered and sorted. A list has some of them; a filter on another finds nothing. */
export const codeListFilters = named(
  small('code', identifier),
  small('lei', identifier),
  small('name', text),
  small('names', text),
  small('fulltext', text),
  small('country', text),
  small('countryCode', identifier),
  small('jurisdiction', text),
  small('subdivisionCode', identifier),
  small('status', identifier),
  small('elfCode', identifier),
);
export const codeListSorts = named(
  ...['code', 'lei', 'name', 'country', 'countryCode', 'jurisdiction', 'status'].map((name) =>
    small(name, text),
  ),
);
