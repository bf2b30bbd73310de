/** A company as the environment holds it: its values packed into slots, then its provenance. */
import type { Address, LegalEntityRecord, TypedName } from '../lei/company.ts';
import {
  fieldSeparator,
  pack,
  packCode,
  packElements,
  packRows,
  packTime,
  rowSeparator,
  same,
  slotSeparator,
  unpack,
  unpackRows,
} from './packing.ts';
import type { NameText } from './publication-reader.ts';
import type { SearchDocument } from './search/search-reader.ts';

/** Where a slot stands. The order is the format: changing it needs a new format version. */
export const slot = {
  lei: 0,
  legalName: 1,
  language: 2,
  otherNames: 3,
  transliteratedOtherNames: 4,
  legalAddress: 5,
  headquartersAddress: 6,
  otherAddresses: 7,
  transliteratedOtherAddresses: 8,
  registeredAt: 9,
  registeredAtOther: 10,
  registeredAs: 11,
  jurisdiction: 12,
  category: 13,
  subCategory: 14,
  legalForm: 15,
  legalFormOther: 16,
  associatedEntity: 17,
  status: 18,
  creationDate: 19,
  expirationDate: 20,
  expirationReason: 21,
  successorEntities: 22,
  eventGroups: 23,
  registrationStatus: 24,
  initialRegistrationDate: 25,
  lastUpdateDate: 26,
  nextRenewalDate: 27,
  managingLou: 28,
  corroborationLevel: 29,
  validatedAt: 30,
  validatedAtOther: 31,
  validatedAs: 32,
  otherValidationAuthorities: 33,
  conformityFlag: 34,
  provenance: 35,
} as const;
export const slotCount = slot.provenance + 1;

/** Which file a company came from and since when it is known: indexes into the lists of the meta table. */
export interface Provenance {
  readonly file: number;
  readonly firstSeen: number;
  readonly lastChanged: number;
}

/** A file as provenance tells it. */
export interface ProvenanceFile {
  /** As "GLEIF golden copy, level 1". */
  readonly source: string;
  readonly name: string;
  readonly publishedAt: string;
}

/** The record's slots without provenance: equal texts are equal records. */
export function packCompany({ lei, entity, registration, validation }: LegalEntityRecord): string {
  const legalAddress = packAddress(entity.legalAddress);
  const headquarters = packAddress(entity.headquartersAddress);
  const registeredAt = pack(entity.registeredAt.id);
  const registeredAs = pack(entity.registeredAs);
  const validatedAt = pack(validation.validatedAt.id);
  const validatedAs = pack(validation.validatedAs);
  const associated = entity.associatedEntity;
  return [
    lei,
    pack(entity.legalName.name),
    pack(entity.legalName.language),
    packRows(entity.otherNames, packName),
    packRows(entity.transliteratedOtherNames, packName),
    legalAddress,
    headquarters === legalAddress ? same : headquarters,
    packTypedAddresses(entity.otherAddresses),
    packTypedAddresses(entity.transliteratedOtherAddresses),
    registeredAt,
    pack(entity.registeredAt.other),
    registeredAs,
    pack(entity.jurisdiction),
    packCode(entity.category),
    pack(entity.subCategory),
    pack(entity.legalForm.id),
    pack(entity.legalForm.other),
    associated === null
      ? ''
      : [associated.type, associated.lei, associated.name].map(pack).join(fieldSeparator),
    packCode(entity.status),
    packTime(entity.creationDate),
    packTime(entity.expiration.date),
    pack(entity.expiration.reason),
    packRows(entity.successorEntities, (successor) => [pack(successor.lei), pack(successor.name)]),
    entity.eventGroups.length === 0 ? '' : JSON.stringify(entity.eventGroups),
    packCode(registration.status),
    packTime(registration.initialRegistrationDate),
    packTime(registration.lastUpdateDate),
    packTime(registration.nextRenewalDate),
    pack(registration.managingLou),
    packCode(validation.corroborationLevel),
    shortened(validatedAt, registeredAt),
    pack(validation.validatedAt.other),
    shortened(validatedAs, registeredAs),
    packRows(validation.otherValidationAuthorities, (authority) => [
      pack(authority.validatedAt.id),
      pack(authority.validatedAt.other),
      pack(authority.validatedAs),
    ]),
    packCode(validation.conformityFlag),
  ].join(slotSeparator);
}

function packName({ name, language, type }: TypedName): string[] {
  return [pack(name), pack(language), packCode(type)];
}

function shortened(value: string, usual: string): string {
  return value !== '' && value === usual ? same : value;
}

function packAddress(address: Address): string {
  return [
    pack(address.language),
    packElements(address.addressLines),
    pack(address.addressNumber),
    pack(address.addressNumberWithinBuilding),
    pack(address.mailRouting),
    pack(address.city),
    pack(address.region),
    pack(address.country),
    pack(address.postalCode),
  ].join(fieldSeparator);
}
export const addressField = { city: 5, country: 7 } as const;

/** Addresses nest a list of lines, so their type goes in front of the packed address. */
function packTypedAddresses(addresses: readonly (Address & { readonly type: string | null })[]): string {
  if (addresses.length === 0) return '';
  return addresses
    .map((address) => `${pack(address.type)}${fieldSeparator}${packAddress(address)}`)
    .join(rowSeparator);
}

export function withProvenance(record: string, { file, firstSeen, lastChanged }: Provenance): string {
  return `${record}${slotSeparator}${file},${firstSeen},${lastChanged}`;
}

/** Takes a stored text apart; null where the LEI is only mentioned. */
export function splitProvenance(stored: string): { record: string; provenance: Provenance } | null {
  const end = stored.lastIndexOf(slotSeparator);
  if (end === -1) return null;
  const [file, firstSeen, lastChanged] = stored.slice(end + 1).split(',');
  return {
    record: stored.slice(0, end),
    provenance: { file: Number(file), firstSeen: Number(firstSeen), lastChanged: Number(lastChanged) },
  };
}

/** Whether a stored text holds a record; those only mentioned hold their LEI alone. */
export function isRecord(stored: { readonly length: number }): boolean {
  return stored.length > leiLength;
}
export const leiLength = 20;

/** Legal name first, then other and transliterated names in record order. */
function namesIn(slots: readonly string[]): NameText[] {
  const names: NameText[] = [{ name: unpack(slots[slot.legalName] ?? '') ?? '', type: 'LEGAL_NAME' }];
  for (const list of [slots[slot.otherNames], slots[slot.transliteratedOtherNames]]) {
    for (const [name = '', , type = ''] of unpackRows(list ?? '')) {
      names.push({ name: unpack(name) ?? '', type: unpack(type) ?? '' });
    }
  }
  return names;
}

/** What the search index is told of a company's own record. */
export function searchFactsOf(stored: string): SearchFacts {
  const slots = stored.split(slotSeparator);
  const value = (index: number) => unpack(slots[index] ?? '');
  const address = slots[slot.legalAddress] ?? '';
  return {
    lei: slots[slot.lei] ?? '',
    names: namesIn(slots),
    country: unpack(address.split(fieldSeparator)[addressField.country] ?? ''),
    entityStatus: value(slot.status),
    registrationStatus: value(slot.registrationStatus),
    registeredAs: value(slot.registeredAs),
  };
}
export type SearchFacts = Omit<SearchDocument, 'entity'>;

/** UTC time of the record's last update, '' where it has none. */
export function lastUpdateOf(stored: string): string {
  return unpack(stored.split(slotSeparator)[slot.lastUpdateDate] ?? '') ?? '';
}
