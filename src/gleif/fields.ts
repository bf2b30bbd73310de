/**
 * The fields that lists of GLEIF's API filter and sort by, one row each: their names and labels as GLEIF's own
 * `/fields` gives them, and the kind of values that decides how a filter is read.
 */

import { registrationStatuses } from '../lei/codes.ts';
import { relationNames, relations } from '../lei/gleif-relations.ts';
import type { FieldPath } from '../lei/level-1-fields.ts';
import { xpathOfField } from './xpaths.ts';

/** How the values of a field are read and compared. */
export type FieldKind =
  /** One of a few codes, in capitals. */
  | { readonly is: 'enum'; readonly values: readonly string[]; readonly accepted: readonly string[] }
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
  /** Its place in GLEIF's documents; null if it has none or several. */
  readonly json: string | null;
  /** Its path in the service's own records; null unless it is a single field for which GLEIF's formats have an XPath. */
  readonly path: string | null;
  /** The parts of GLEIF's own pages that offer it. */
  readonly contexts: readonly string[];
}

interface FieldOptions {
  readonly path?: FieldPath | `entity.${string}` | `validation.otherValidationAuthorities.${string}`;
  /** By default the same as the path. */
  readonly json?: string;
  /** By default those of a filter, and of the fields of a record. */
  readonly contexts?: readonly string[];
  /** By default, lists can be filtered by it and not sorted by it. */
  readonly sorts?: boolean;
  readonly filters?: boolean;
}

export function field(
  id: string,
  name: string,
  label: string,
  kind: FieldKind,
  options: FieldOptions = {},
): GleifField {
  const { path = null, sorts = false, filters = true } = options;
  const json = options.json ?? (path === null ? null : jsonPathOf(path));
  const contexts = options.contexts ?? [
    ...(filters ? [filtered] : []),
    ...(path === null ? [] : [inHistory]),
  ];
  return {
    id: `LEIREC_${id}`,
    name,
    label,
    kind,
    isFilter: filters,
    isSortable: sorts,
    json,
    path,
    contexts,
  };
}

const filtered = 'FILTER_LEIREC';
const filteredSimply = 'FILTER_LEIREC_SIMPLE';
const inHistory = 'MODIFICATION_HISTORY';

/** The place of a field in GLEIF's documents: our record has validation apart from registration. */
function jsonPathOf(path: string): string {
  return path
    .replace(/^validation\./, 'registration.')
    .replace(/(successorEntities|otherValidationAuthorities)\./, '$1[*].');
}

export const text: FieldKind = { is: 'text' };
export const identifier: FieldKind = { is: 'identifier' };
export const date: FieldKind = { is: 'date' };
const code = (resource: string): FieldKind => ({ is: 'code', resource });
/** @param others that records may have too, although GLEIF's list of fields does not name them */
export const oneOf = (values: readonly string[], others: readonly string[] = []): FieldKind => ({
  is: 'enum',
  values,
  accepted: [...new Set([...values, ...others])],
});
/** A field of the record under the same name, by which lists are sorted too. */
const sorted = (path: FieldPath): FieldOptions => ({ path, sorts: true });

const otherAuthorities = 'registration.otherValidationAuthorities';

/** As GLEIF writes them where they are not the words of the name. */
const countLabels: Readonly<Record<string, string>> = {
  directChildCount: 'Direct child Count',
  subFundCount: 'Sub-Fund Count',
};

export const recordFields: readonly GleifField[] = [
  field('LEI', 'lei', 'LEI Code', identifier, { path: 'lei' }),
  field('BIC', 'bic', 'BICs', identifier, { json: 'bic' }),
  field('ISIN', 'isin', 'ISIN Code', identifier),
  field('MIC', 'mic', 'MICs', identifier, { json: 'mic' }),
  field('OCID', 'ocid', 'OCID', identifier, { json: 'ocid' }),
  field('QCC', 'qcc', 'QCCs', identifier, { json: 'qcc' }),
  field('GEM', 'gem', 'GEM', identifier, { json: 'gem' }),
  field('SPGLOBAL', 'spglobal', 'S&P Global Company ID', identifier, { json: 'spglobal' }),
  field('FULLTEXT', 'fulltext', 'Find LEIs', text, { contexts: ['FILTER_LEIREC_FULLTEXT'] }),
  field('NAMES', 'entity.names', 'All Names', text),
  field('LEGAL_NAME', 'entity.legalName', '(Primary) Legal Name', text, sorted('entity.legalName.name')),
  field('ADDRESSES', 'entity.addresses', 'Addresses', text),
  field('OWNS', 'owns', 'Who Owns...', identifier, { contexts: ['FILTER_LEIREC_FULLTEXT'] }),
  field('OWNED_BY', 'ownedBy', 'Who is Owned By...', identifier, { contexts: ['FILTER_LEIREC_FULLTEXT'] }),
  field('ADDRESSES_CITY', 'entity.addresses.city', 'City', text, {
    sorts: true,
    json: 'entity.addresses[*].city',
  }),
  field('ADDRESSES_POSTAL_CODE', 'entity.addresses.postalCode', 'Postal Code', text, {
    json: 'entity.addresses[*].postalCode',
  }),
  field('ADDRESSES_COUNTRY', 'entity.addresses.country', 'Country', code('countries'), {
    sorts: true,
    json: 'entity.addresses[*].country',
    contexts: [filtered, filteredSimply],
  }),
  field('ADDRESSES_REGION', 'entity.addresses.region', 'Region', code('regions'), {
    sorts: true,
    json: 'entity.addresses[*].region',
  }),
  field('LEGAL_ADDRESS_COUNTRY', 'entity.legalAddress.country', 'Legal Address Country', code('countries'), {
    sorts: true,
    path: 'entity.legalAddress.country',
    contexts: [inHistory],
  }),
  field('LEGAL_ADDRESS_REGION', 'entity.legalAddress.region', 'Legal Address Region', code('regions'), {
    sorts: true,
    filters: false,
    path: 'entity.legalAddress.region',
    contexts: [inHistory],
  }),
  field('LEGAL_ADDRESS_CITY', 'entity.legalAddress.city', 'Legal Address City', text, {
    sorts: true,
    filters: false,
    path: 'entity.legalAddress.city',
    contexts: [inHistory],
  }),
  field(
    'LEGAL_JURISDICTION',
    'entity.jurisdiction',
    'Jurisdiction of Formation',
    code('gleif-accepted-jurisdictions'),
    sorted('entity.jurisdiction'),
  ),
  field(
    'ENTITY_CATEGORY',
    'entity.category',
    'General Category',
    oneOf([
      'BRANCH',
      'FUND',
      'SOLE_PROPRIETOR',
      'GENERAL',
      'RESIDENT_GOVERNMENT_ENTITY',
      'INTERNATIONAL_ORGANIZATION',
    ]),
    { ...sorted('entity.category'), contexts: [filtered, filteredSimply, inHistory] },
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
  field('ENTITY_LEGAL_FORM_OTHER', 'entity.legalForm.other', 'Entity Legal Form (other)', text, {
    path: 'entity.legalForm.other',
  }),
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
  field('OTHER_REGISTRATION_AUTHORITY_ID', 'entity.registeredAt.other', 'Registered At (other)', text, {
    path: 'entity.registeredAt.other',
  }),
  field('REGISTRATION_AUTHORITY_ENTITY_ID', 'entity.registeredAs', 'Registered As', text, {
    path: 'entity.registeredAs',
  }),
  field('ASSOCIATED_ENTITY', 'entity.associatedEntity', 'Associated Entity', text),
  field('SUCCESSOR_ENTITIES', 'entity.successorEntities', 'Replaced By', text),
  field('SUCCESSOR_ENTITIES_LEI', 'entity.successorEntities.lei', 'Successor Entity LEI', identifier, {
    path: 'entity.successorEntities.lei',
    contexts: [inHistory],
  }),
  field('SUCCESSOR_ENTITIES_NAME', 'entity.successorEntities.name', 'Successor Entity Name', text, {
    path: 'entity.successorEntities.name',
    contexts: [inHistory],
  }),
  field('SUCCESSOR_ENTITIES_LANG', 'entity.successorEntities.lang', 'Successor Entity Lang', text, {
    path: 'entity.successorEntities.language',
    json: 'entity.successorEntities[*].lang',
    contexts: [inHistory],
  }),
  field(
    'REGISTRATION_STATUS',
    'registration.status',
    'Status',
    oneOf(
      [
        'ISSUED',
        'LAPSED',
        'ANNULLED',
        'PENDING_TRANSFER',
        'PENDING_ARCHIVAL',
        'DUPLICATE',
        'RETIRED',
        'MERGED',
      ],
      registrationStatuses,
    ),
    { ...sorted('registration.status'), contexts: [filtered, filteredSimply, inHistory] },
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
    oneOf(['ENTITY_SUPPLIED_ONLY', 'PARTIALLY_CORROBORATED', 'FULLY_CORROBORATED'], ['PENDING']),
    sorted('validation.corroborationLevel'),
  ),
  field('VALIDATED_AT', 'registration.validatedAt', 'Data Validated At', identifier),
  field('VALIDATED_AS', 'registration.validatedAs', 'Data Validated As', text),
  field(
    'OTHER_VALIDATION_AUTHORITIES_AUTHORITY_ID',
    `${otherAuthorities}.validatedAt.id`,
    'Data Validated At (ID)',
    identifier,
    { path: 'validation.otherValidationAuthorities.validatedAt.id' },
  ),
  field(
    'OTHER_VALIDATION_AUTHORITIES_ENTITY_ID',
    `${otherAuthorities}.validatedAs`,
    'Data Validated As',
    text,
    { path: 'validation.otherValidationAuthorities.validatedAs' },
  ),
  field(
    'OTHER_VALIDATION_AUTHORITIES_OTHER_AUTHORITY_ID',
    `${otherAuthorities}.validatedAt.other`,
    'Data Validated At (other)',
    text,
    { path: 'validation.otherValidationAuthorities.validatedAt.other' },
  ),
  field(
    'POLICY_CONFORMITY_FLAG',
    'conformityFlag',
    'Policy Conformity Flag',
    oneOf(['CONFORMING', 'NON_CONFORMING', 'NOT_APPLICABLE']),
    // GLEIF's list has no XPath for it, because the flag does not come from the issuers' data.
    { sorts: true, json: 'conformityFlag', contexts: [filtered] },
  ),
  ...counts(),
];

/** The fields with the number of companies in a relation that a company may have many times. */
function counts(): readonly GleifField[] {
  return relationNames.flatMap((name) => {
    const { count } = relations[name];
    if (count === null) return [];
    const words = count.split(/(?=[A-Z])/);
    const id = words.join('_').toUpperCase();
    const group = name.replaceAll('-', '_').toUpperCase();
    return field(
      id,
      count,
      countLabels[count] ?? words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' '),
      { is: 'number' },
      { contexts: [`${filtered}_${group}`] },
    );
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
  const { name, label, kind, isFilter, isSortable, json, path, contexts } = each;
  const several = kind.is === 'enum' || kind.is === 'code' ? [...matching, 'IN'] : matching;
  return {
    field: name,
    label,
    data_type: dataTypes[kind.is],
    enum: kind.is === 'enum' ? kind.values : null,
    resource: kind.is === 'code' ? kind.resource : null,
    sortable: isSortable,
    operators: isFilter ? (isComparable(each) ? comparing : several) : null,
    contexts,
    jsonPath: json === null ? null : `$.${json}`,
    xpath: path === null ? null : xpathOfField(path),
  };
}
