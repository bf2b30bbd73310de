/**
 * Lists the fields of a level 1 record, each once: its place in the JSON, its type, and its place in GLEIF's files.
 * Reading, packing, rendering and comparing follow from this table. The compiler demands every member of a {@link
 * LegalEntityRecord} and refuses any other.
 *
 * A value is named by its elements, from the record or the item of a list down, with `@` before an attribute, as in XML
 * and JSON. The CSV column has the same name, with a dot for the `@`, unless another name is given.
 */
import type { LegalEntityRecord } from './company.ts';
import type {
  Address,
  Authority,
  EventGroup,
  LegalEntityEvent,
  TypedAddress,
  TypedName,
} from './company-parts.ts';

interface InFiles {
  /** Elements and attribute; a value inside an item begins with a dot or `@`, and the text of the item itself is ''. */
  readonly at: string;
  /** Name of the CSV column if it differs. */
  readonly column?: string | undefined;
}

/** A string or null. A code is one of a few values, a time is a date with its time of day. */
export interface TextField extends InFiles {
  readonly is: 'text' | 'code' | 'time';
  /** The value if a file lacks the text; null by default. */
  readonly missing?: string | undefined;
}
/** A position from 1, or null. */
export interface PositionField extends InFiles {
  readonly is: 'position';
}
/** The first and the additional lines of an address, as one list. */
export interface LinesField {
  readonly is: 'lines';
  readonly first: string;
  readonly additional: string;
}
/** An element that repeats. */
export interface ListField<Members = AnyFields> extends InFiles {
  /** The items of `events` are joined into groups. */
  readonly is: 'list' | 'events';
  readonly members: Members;
  /** CSV columns of an item that are not part of the record. */
  readonly unused?: readonly string[] | undefined;
}
/** An object that is stored as one. */
export interface WholeField<Members = AnyFields> {
  /** An `optional` one is null if files have nothing of it. */
  readonly is: 'whole' | 'optional';
  readonly members: Members;
  readonly unused?: readonly string[] | undefined;
}

export type Field = TextField | PositionField | LinesField | ListField | WholeField;
/** The members of an object, some of which are objects whose members are stored each by itself. */
export interface AnyFields {
  readonly [name: string]: Field | AnyFields;
}
export function isField(member: Field | AnyFields): member is Field {
  return typeof member.is === 'string';
}

/** An event as files list it: with its group. */
export interface PublishedEvent {
  readonly groupType: string | null;
  readonly groupId: string | null;
  readonly event: LegalEntityEvent;
}

type FieldsOf<Thing> = { readonly [Name in keyof Thing]: FieldOf<Thing[Name]> };
type FieldOf<Value> = [Value] extends [string | null]
  ? TextField
  : [Value] extends [number | null]
    ? PositionField
    : [Value] extends [readonly string[]]
      ? LinesField
      : [Value] extends [readonly EventGroup[]]
        ? ListField<FieldsOf<PublishedEvent>>
        : [Value] extends [readonly (infer Item)[]]
          ? ListField<FieldsOf<Item>>
          : null extends Value
            ? WholeField<FieldsOf<NonNullable<Value>>> & { readonly is: 'optional' }
            : FieldsOf<Value> | (WholeField<FieldsOf<Value>> & { readonly is: 'whole' });

const text = (at: string, column?: string): TextField => ({ is: 'text', at, column });
const code = (at: string, column?: string): TextField => ({ is: 'code', at, column });
const time = (at: string): TextField => ({ is: 'time', at });

const name = (at: string): FieldsOf<Pick<TypedName, 'name' | 'language'>> => ({
  name: text(at),
  language: text(`${at}@xml:lang`),
});
const address = (at: string): FieldsOf<Address> => ({
  language: text(`${at}@xml:lang`),
  addressLines: {
    is: 'lines',
    first: `${at}.FirstAddressLine`,
    additional: `${at}.AdditionalAddressLine`,
  },
  addressNumber: text(`${at}.AddressNumber`),
  addressNumberWithinBuilding: text(`${at}.AddressNumberWithinBuilding`),
  mailRouting: text(`${at}.MailRouting`),
  city: text(`${at}.City`),
  region: text(`${at}.Region`),
  country: text(`${at}.Country`),
  postalCode: text(`${at}.PostalCode`),
});
const authority = (at: string): FieldsOf<Authority> => ({
  id: text(`${at}.ValidationAuthorityID`),
  other: text(`${at}.OtherValidationAuthorityID`),
});
const wholeAddress = (at: string) => ({ is: 'whole', members: address(at) }) as const;

/** Members of the items of lists. */
const typedName: FieldsOf<TypedName> = { ...name(''), type: code('@type') };
const typedAddress: FieldsOf<TypedAddress> = { type: text('@type'), ...address('') };
const successor: FieldsOf<LegalEntityRecord['entity']['successorEntities'][number]> = {
  lei: text('.SuccessorLEI'),
  name: text('.SuccessorEntityName'),
};
const affectedField: FieldsOf<LegalEntityEvent['affectedFields'][number]> = {
  xpath: text('@field_xpath'),
  value: text('', '.AffectedField'),
};
const publishedEvent = {
  groupType: text('@group_type'),
  groupId: text('@group_id'),
  event: {
    type: text('.LegalEntityEventType'),
    status: text('@event_status'),
    sequence: { is: 'position', at: '@group_sequence_no' },
    effectiveDate: time('.LegalEntityEventEffectiveDate'),
    recordedDate: time('.LegalEntityEventRecordedDate'),
    validationDocuments: text('.ValidationDocuments'),
    validationReference: text('.ValidationReference'),
    affectedFields: {
      is: 'list',
      at: '.AffectedFields.AffectedField',
      column: '.AffectedFields',
      members: affectedField,
    },
  },
} as const satisfies FieldsOf<PublishedEvent>;
const otherAuthority: FieldsOf<LegalEntityRecord['validation']['otherValidationAuthorities'][number]> = {
  validatedAt: authority(''),
  validatedAs: text('.ValidationAuthorityEntityID'),
};

function list<Members>(at: string, members: Members, unused?: readonly string[]): ListField<Members> {
  return { is: 'list', at, members, unused };
}

const transliterated = 'Entity.TransliteratedOther';
const register = 'Entity.RegistrationAuthority';
const validator = 'Registration.ValidationAuthority';

/** Their order is that of the JSON and of storage, and part of the format: another needs a new format version. */
export const level1Fields = {
  lei: text('LEI'),
  entity: {
    legalName: { ...name('Entity.LegalName'), name: { ...text('Entity.LegalName'), missing: '' } },
    otherNames: list('Entity.OtherEntityNames.OtherEntityName', typedName),
    transliteratedOtherNames: list(`${transliterated}EntityNames.TransliteratedOtherEntityName`, typedName),
    legalAddress: wholeAddress('Entity.LegalAddress'),
    headquartersAddress: wholeAddress('Entity.HeadquartersAddress'),
    otherAddresses: list('Entity.OtherAddresses.OtherAddress', typedAddress),
    transliteratedOtherAddresses: list(`${transliterated}Addresses.TransliteratedOtherAddress`, typedAddress),
    registeredAt: {
      id: text(`${register}.RegistrationAuthorityID`),
      other: text(`${register}.OtherRegistrationAuthorityID`),
    },
    registeredAs: text(`${register}.RegistrationAuthorityEntityID`),
    jurisdiction: text('Entity.LegalJurisdiction'),
    category: code('Entity.EntityCategory'),
    subCategory: text('Entity.EntitySubCategory'),
    legalForm: {
      id: text('Entity.LegalForm.EntityLegalFormCode'),
      other: text('Entity.LegalForm.OtherLegalForm'),
    },
    associatedEntity: {
      is: 'optional',
      members: {
        type: text('Entity.AssociatedEntity@type'),
        lei: text('Entity.AssociatedEntity.AssociatedLEI'),
        name: text('Entity.AssociatedEntity.AssociatedEntityName'),
      },
      // The associated entity is given by LEI and name alone.
      unused: ['Entity.AssociatedEntity.AssociatedEntityName.xmllang'],
    },
    status: code('Entity.EntityStatus'),
    creationDate: time('Entity.EntityCreationDate'),
    expiration: {
      date: time('Entity.EntityExpirationDate'),
      reason: text('Entity.EntityExpirationReason'),
    },
    successorEntities: list('Entity.SuccessorEntity', successor, ['.SuccessorEntity.xmllang']),
    eventGroups: {
      is: 'events',
      at: 'Entity.LegalEntityEvents.LegalEntityEvent',
      members: publishedEvent,
    },
  },
  registration: {
    status: code('Registration.RegistrationStatus'),
    initialRegistrationDate: time('Registration.InitialRegistrationDate'),
    lastUpdateDate: time('Registration.LastUpdateDate'),
    nextRenewalDate: time('Registration.NextRenewalDate'),
    managingLou: text('Registration.ManagingLOU'),
  },
  validation: {
    corroborationLevel: code('Registration.ValidationSources'),
    validatedAt: authority(validator),
    validatedAs: text(`${validator}.ValidationAuthorityEntityID`),
    otherValidationAuthorities: list(
      'Registration.OtherValidationAuthorities.OtherValidationAuthority',
      otherAuthority,
    ),
    conformityFlag: code('Extension.gleif:conformity.gleif:conformityflag', 'ConformityFlag'),
  },
} as const satisfies FieldsOf<LegalEntityRecord>;

/** Paths of the fields that are stored each by itself, as `entity.legalName.name`. */
type PathsIn<Fields, Prefix extends string = ''> = {
  [Name in keyof Fields & string]: Fields[Name] extends { readonly is: string }
    ? `${Prefix}${Name}`
    : PathsIn<Fields[Name], `${Prefix}${Name}.`>;
}[keyof Fields & string];
export type FieldPath = PathsIn<typeof level1Fields>;

/** Name of the CSV column of a field; of a list, what the columns of its items begin with. */
export function columnOf(field: InFiles, prefix = ''): string {
  return prefix + (field.column ?? field.at.replace('@xml:lang', '.xmllang').replace('@', '.'));
}
