/**
 * Schemas of the parts of a level 1 record: names, addresses, authorities and events. Meanings after GLEIF's LEI-CDF
 * 3.1.
 */
import { type Static, Type } from '@sinclair/typebox';
import {
  listOf,
  nullable,
  object,
  PublishedLeiSchema,
  publishedTime,
  said,
  text,
  textOrNull,
  writtenDay,
} from './schema.ts';
import type { AsPublished } from './written-days.ts';

const language = textOrNull('Language of the text, a tag of RFC 5646 as published.', 'en');

export const LegalNameSchema = object({
  name: text('The legal name; the empty string where a file has none, though LEI-CDF requires it.'),
  language,
});

export const TypedNameSchema = object({
  name: textOrNull('The name.'),
  language,
  type: textOrNull(
    'What kind of name: `ALTERNATIVE_LANGUAGE_LEGAL_NAME` (registered, in another language), `PREVIOUS_LEGAL_NAME` (used earlier), `TRADING_OR_OPERATING_NAME` (used beside the legal one), or for a transliteration `PREFERRED_ASCII_TRANSLITERATED_LEGAL_NAME` (made by the entity) or `AUTO_ASCII_TRANSLITERATED_LEGAL_NAME` (made by the LEI issuer).',
    'PREVIOUS_LEGAL_NAME',
  ),
});

const addressMembers = {
  language,
  addressLines: listOf(Type.String(), 'The first address line and up to three more, in order.'),
  addressNumber: textOrNull('The house number, or a range of them, repeated from an address line.', '221B'),
  addressNumberWithinBuilding: textOrNull(
    'The number of a floor, suite or flat within the building, repeated from an address line.',
  ),
  mailRouting: textOrNull('How mail is routed; where present, the address is a “care of” address.'),
  city: textOrNull('The city.', 'LONDON'),
  region: textOrNull('The region, a code of ISO 3166-2.', 'US-DE'),
  country: textOrNull('The country, a code of ISO 3166-1 alpha-2.', 'GB'),
  postalCode: textOrNull('The postal code, as the local postal service writes it.', 'EC4M 7RD'),
};
export const AddressSchema = object(addressMembers);

export const TypedAddressSchema = object({
  type: textOrNull(
    'What kind of address: the legal or the headquarters address, in another language (`ALTERNATIVE_LANGUAGE_…`) or transliterated to ASCII by the entity (`PREFERRED_ASCII_TRANSLITERATED_…`) or by the LEI issuer (`AUTO_ASCII_TRANSLITERATED_…`).',
    'ALTERNATIVE_LANGUAGE_LEGAL_ADDRESS',
  ),
  ...addressMembers,
});

export const AuthoritySchema = object({
  id: textOrNull(
    'The authority’s code in GLEIF’s Registration Authorities List. `RA888888` and `RA999999` mean that the list has no entry for it.',
    'RA000585',
  ),
  other: textOrNull('The authority in words or by an older code, as long as the list does not have it.'),
});

export const OtherValidationAuthoritySchema = object({
  validatedAt: said(AuthoritySchema, 'Another authority that the record was validated against.'),
  validatedAs: textOrNull('The entity’s number at that authority.'),
});

export const AssociatedEntitySchema = object({
  type: textOrNull(
    'The kind of association. `FUND_FAMILY`: the other entity manages this fund.',
    'FUND_FAMILY',
  ),
  lei: nullable(PublishedLeiSchema, 'The LEI of the other entity, if it has one.'),
  name: textOrNull('The name of the other entity, if no LEI is given.'),
});

export const SuccessorEntitySchema = object({
  lei: nullable(PublishedLeiSchema, 'The LEI of the successor, if it has one.'),
  name: textOrNull('The name of the successor, if no LEI is given.'),
});

const AffectedFieldSchema = object({
  xpath: textOrNull('Which field of the record is expected to change, as an XPath of LEI-CDF.'),
  value: textOrNull('The value that the field is expected to have.'),
});

export const EventSchema = object({
  type: textOrNull(
    'The kind of event, a code of LEI-CDF 3.1, such as `CHANGE_LEGAL_NAME`, `MERGERS_AND_ACQUISITIONS`, `ABSORPTION`, `BANKRUPTCY`, `LIQUIDATION` or `DISSOLUTION`.',
    'CHANGE_LEGAL_NAME',
  ),
  status: textOrNull(
    'The progress of the event: `IN_PROGRESS`, `COMPLETED`, or `WITHDRAWN_CANCELLED` (it will not happen).',
    'COMPLETED',
  ),
  sequence: nullable(Type.Integer(), 'The position within its group, from 1.'),
  effectiveDate: publishedTime('When it becomes legally effective.'),
  effectiveDay: writtenDay('effectiveDate'),
  recordedDate: publishedTime('When it was recorded in the Global LEI System.'),
  recordedDay: writtenDay('recordedDate'),
  validationDocuments: textOrNull(
    'The kind of document that it was validated with: `ACCOUNTS_FILING`, `REGULATORY_FILING`, `SUPPORTING_DOCUMENTS`, `CONTRACTS` or `OTHER_OFFICIAL_DOCUMENTS`.',
    'SUPPORTING_DOCUMENTS',
  ),
  validationReference: textOrNull('The document or other source that it was validated with.'),
  affectedFields: listOf(AffectedFieldSchema, 'The fields of the record that it is expected to change.'),
});

export const EventGroupSchema = object({
  groupType: textOrNull(
    'Whether the events belong together: `STANDALONE` (a single event), `REVERSE_TAKEOVER`, `CHANGE_LEGAL_FORM_AND_NAME` or `COMPLEX_CHANGE_LEGAL_FORM`.',
    'STANDALONE',
  ),
  groupId: textOrNull('The identifier that links the events of a group.'),
  events: listOf(EventSchema, 'The events of the group.'),
});

export type TypedName = Static<typeof TypedNameSchema>;
export type Address = Static<typeof AddressSchema>;
export type TypedAddress = Static<typeof TypedAddressSchema>;
export type Authority = Static<typeof AuthoritySchema>;
/** As in a source file: times may have an offset. */
export type LegalEntityEvent = AsPublished<Static<typeof EventSchema>>;
export type EventGroup = AsPublished<Static<typeof EventGroupSchema>>;
