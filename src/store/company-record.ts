/**
 * A company as the environment holds it: the values of a Company without their skeleton, about a sixth of the
 * JSON. Rendering joins constants and slots and parses nothing but the event groups' absence.
 *
 *     LEI \n legal name \n … \n conformity flag \n file,firstSeen,lastChanged
 *
 * An LEI that is only mentioned (by a relationship or a mapping) has the LEI alone.
 */
import { legalFormLabel } from '../lei/codes.ts';
import type { Address, LegalEntityRecord } from '../lei/company.ts';
import {
  elementsToJson,
  fieldSeparator,
  pack,
  packElements,
  packedToJson,
  packFields,
  packRows,
  rowsToJson,
  slotSeparator,
  unpack,
  unpackRows,
} from './packing.ts';
import type { EntitySummary, NameText } from './publication-reader.ts';
import type { SearchDocument } from './search/search-reader.ts';

/** Where a slot stands. The order is the format: changing it needs a new format version. */
const slot = {
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

/**
 * "The same as the slot it usually repeats." A packed value never begins with a quote that other text follows,
 * so this is no value of its own.
 */
const same = '"=';

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

/** What the indexes in a record point to, as JSON texts made once. */
export interface ProvenanceTexts {
  readonly files: readonly string[];
  readonly versions: readonly string[];
}

export function provenanceTexts(
  files: readonly ProvenanceFile[],
  versions: readonly string[],
): ProvenanceTexts {
  return {
    files: files.map(
      ({ source, name, publishedAt }) =>
        `"source":${JSON.stringify(source)},"file":${JSON.stringify(name)},"publishedAt":${JSON.stringify(publishedAt)}`,
    ),
    versions: versions.map((version) => JSON.stringify(version)),
  };
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
    packRows(entity.otherNames, (name) => [name.name, name.language, name.type]),
    packRows(entity.transliteratedOtherNames, (name) => [name.name, name.language, name.type]),
    legalAddress,
    headquarters === legalAddress ? same : headquarters,
    packTypedAddresses(entity.otherAddresses),
    packTypedAddresses(entity.transliteratedOtherAddresses),
    registeredAt,
    pack(entity.registeredAt.other),
    registeredAs,
    pack(entity.jurisdiction),
    pack(entity.category),
    pack(entity.subCategory),
    pack(entity.legalForm.id),
    pack(entity.legalForm.other),
    associated === null ? '' : packFields([associated.type, associated.lei, associated.name]),
    pack(entity.status),
    pack(entity.creationDate),
    pack(entity.expiration.date),
    pack(entity.expiration.reason),
    packRows(entity.successorEntities, (successor) => [successor.lei, successor.name]),
    entity.eventGroups.length === 0 ? '' : JSON.stringify(entity.eventGroups),
    pack(registration.status),
    pack(registration.initialRegistrationDate),
    pack(registration.lastUpdateDate),
    pack(registration.nextRenewalDate),
    pack(registration.managingLou),
    pack(validation.corroborationLevel),
    shortened(validatedAt, registeredAt),
    pack(validation.validatedAt.other),
    shortened(validatedAs, registeredAs),
    packRows(validation.otherValidationAuthorities, (authority) => [
      authority.validatedAt.id,
      authority.validatedAt.other,
      authority.validatedAs,
    ]),
    pack(validation.conformityFlag),
  ].join(slotSeparator);
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
const addressField = { city: 5, country: 7 } as const;

/** Addresses nest a list of lines, so their type goes in front of the packed address. */
function packTypedAddresses(addresses: readonly (Address & { readonly type: string })[]): string {
  if (addresses.length === 0) return '';
  return addresses.map((address) => `${pack(address.type)}\t${packAddress(address)}`).join('\u001e');
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
export function isRecord(stored: string): boolean {
  return stored.length > leiLength;
}
export const leiLength = 20;

/** Finished JSON of a whole Company. `mappings` is the JSON of its mappings. */
export function renderCompany(stored: string, texts: ProvenanceTexts, mappings: string): string {
  const slots = stored.split(slotSeparator);
  const at = (index: number) => slots[index] ?? '';
  const json = (index: number) => packedToJson(at(index));
  const lei = at(slot.lei);
  const legalAddress = renderAddress(at(slot.legalAddress));
  const headquarters = at(slot.headquartersAddress);
  const managingLou = at(slot.managingLou);
  const successors = at(slot.successorEntities);
  const validatedAt = at(slot.validatedAt);
  const validatedAs = at(slot.validatedAs);
  return `{"lei":"${lei}","entity":{"legalName":{"name":${json(slot.legalName)},"language":${json(slot.language)}},"otherNames":${renderNames(at(slot.otherNames))},"transliteratedOtherNames":${renderNames(at(slot.transliteratedOtherNames))},"legalAddress":${legalAddress},"headquartersAddress":${headquarters === same ? legalAddress : renderAddress(headquarters)},"otherAddresses":${renderTypedAddresses(at(slot.otherAddresses))},"transliteratedOtherAddresses":${renderTypedAddresses(at(slot.transliteratedOtherAddresses))},"registeredAt":{"id":${json(slot.registeredAt)},"other":${json(slot.registeredAtOther)}},"registeredAs":${json(slot.registeredAs)},"jurisdiction":${json(slot.jurisdiction)},"category":${json(slot.category)},"subCategory":${json(slot.subCategory)},"legalForm":{"id":${json(slot.legalForm)},"other":${json(slot.legalFormOther)},"label":${labelJson(at(slot.legalForm))}},"associatedEntity":${renderAssociated(at(slot.associatedEntity))},"status":${json(slot.status)},"creationDate":${json(slot.creationDate)},"expiration":{"date":${json(slot.expirationDate)},"reason":${json(slot.expirationReason)}},"successorEntities":${renderSuccessors(successors)},"eventGroups":${at(slot.eventGroups) || '[]'}},"registration":{"status":${json(slot.registrationStatus)},"initialRegistrationDate":${json(slot.initialRegistrationDate)},"lastUpdateDate":${json(slot.lastUpdateDate)},"nextRenewalDate":${json(slot.nextRenewalDate)},"managingLou":${packedToJson(managingLou)}},"validation":{"corroborationLevel":${json(slot.corroborationLevel)},"validatedAt":{"id":${validatedAt === same ? json(slot.registeredAt) : packedToJson(validatedAt)},"other":${json(slot.validatedAtOther)}},"validatedAs":${validatedAs === same ? json(slot.registeredAs) : packedToJson(validatedAs)},"otherValidationAuthorities":${rowsToJson(at(slot.otherValidationAuthorities), renderAuthority)},"conformityFlag":${json(slot.conformityFlag)}},"provenance":${renderProvenance(at(slot.provenance), texts)},"mappings":${mappings},"links":{"self":"${companyPath}${lei}","relationships":"${companyPath}${lei}/relationships","changes":"${companyPath}${lei}/changes","managingLou":${managingLou === '' ? 'null' : `"${companyPath}${managingLou}"`},"successors":${renderSuccessorLinks(successors)}}}`;
}
const companyPath = '/api/v1/lei/';

function renderAddress(packed: string): string {
  return renderAddressFields(packed.split(fieldSeparator), 0);
}

function renderAddressFields(fields: readonly string[], from: number): string {
  const json = (index: number) => packedToJson(fields[from + index] ?? '');
  return `{${from === 0 ? '' : `"type":${packedToJson(fields[0] ?? '')},`}"language":${json(0)},"addressLines":${elementsToJson(fields[from + 1] ?? '')},"addressNumber":${json(2)},"addressNumberWithinBuilding":${json(3)},"mailRouting":${json(4)},"city":${json(5)},"region":${json(6)},"country":${json(7)},"postalCode":${json(8)}}`;
}

function renderTypedAddresses(packed: string): string {
  return rowsToJson(packed, (fields) => renderAddressFields(fields, 1));
}

function renderNames(packed: string): string {
  return rowsToJson(
    packed,
    ([name = '', language = '', type = '']) =>
      `{"name":${packedToJson(name)},"language":${packedToJson(language)},"type":${packedToJson(type)}}`,
  );
}

function renderAssociated(packed: string): string {
  if (packed === '') return 'null';
  const [type = '', lei = '', name = ''] = packed.split(fieldSeparator);
  return `{"type":${packedToJson(type)},"lei":${packedToJson(lei)},"name":${packedToJson(name)}}`;
}

function renderSuccessors(packed: string): string {
  return rowsToJson(
    packed,
    ([lei = '', name = '']) => `{"lei":${packedToJson(lei)},"name":${packedToJson(name)}}`,
  );
}

function renderSuccessorLinks(packed: string): string {
  if (packed === '') return '[]';
  const leis = unpackRows(packed).flatMap(([lei = '']) => (lei === '' ? [] : [`"${companyPath}${lei}"`]));
  return `[${leis.join(',')}]`;
}

function renderAuthority([id = '', other = '', as = '']: readonly string[]): string {
  return `{"validatedAt":{"id":${packedToJson(id)},"other":${packedToJson(other)}},"validatedAs":${packedToJson(as)}}`;
}

function renderProvenance(packed: string, texts: ProvenanceTexts): string {
  const [file = '', firstSeen = '', lastChanged = ''] = packed.split(',');
  return `{${texts.files[Number(file)] ?? ''},"firstSeen":${texts.versions[Number(firstSeen)] ?? 'null'},"lastChanged":${texts.versions[Number(lastChanged)] ?? 'null'}}`;
}

const labels = new Map<string, string>();

/** JSON text of a legal form's name. Codes number a few thousand, so each label is made once. */
function labelJson(packedCode: string): string {
  let label = labels.get(packedCode);
  if (label === undefined) {
    const code = unpack(packedCode);
    label = JSON.stringify(code === null ? null : legalFormLabel(code));
    if (labels.size < labelsMax) labels.set(packedCode, label);
  }
  return label;
}
/** Codes are kept as published, so a broken file could hold any number of them. */
const labelsMax = 20_000;

/** The few fields that other answers show. */
export function summarizeCompany(stored: string): EntitySummary {
  const slots = stored.split(slotSeparator);
  const address = (slots[slot.legalAddress] ?? '').split(fieldSeparator);
  const value = (index: number) => unpack(slots[index] ?? '');
  return {
    lei: slots[slot.lei] ?? '',
    name: value(slot.legalName),
    country: unpack(address[addressField.country] ?? ''),
    jurisdiction: value(slot.jurisdiction),
    city: unpack(address[addressField.city] ?? ''),
    entityStatus: value(slot.status),
    registrationStatus: value(slot.registrationStatus),
  };
}

/** Legal name first, then other and transliterated names in record order. */
export function namesOfCompany(stored: string): NameText[] {
  return namesIn(stored.split(slotSeparator));
}

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
    legalForm: value(slot.legalForm),
  };
}
export type SearchFacts = Omit<SearchDocument, 'entity' | 'bics' | 'directChildren'>;

/** UTC time of the record's last update, '' where it has none. */
export function lastUpdateOf(stored: string): string {
  return stored.split(slotSeparator)[slot.lastUpdateDate] ?? '';
}
