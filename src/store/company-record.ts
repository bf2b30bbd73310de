/** Packs a company for storage: its values in slots, then its provenance. */
import type { LegalEntityRecord } from '../lei/company.ts';
import { isShown } from '../lei/fields.ts';
import { level1Fields } from '../lei/level-1-fields.ts';
import type { Glimpse } from '../lmdb.ts';
import { JsonBytes } from '../protocol/json-bytes.ts';
import { addressField, companyPlaces, packFields, repeating, slotCount, slotOf } from './company-fields.ts';
import { fieldEndFrom, fieldFrom, findSlots } from './packed-json.ts';
import { hasTimes } from './packed-time.ts';
import { comparableWith, packRows, same, slotSeparator, unpack, unpackRows } from './packing.ts';
import type { NameText } from './publication-reader.ts';
import type { SearchDocument } from './search/search-reader.ts';

/**
 * The file that brought a company, and the versions that first had it and last changed it: indexes into the lists of
 * the meta table.
 */
export interface Provenance {
  readonly file: number;
  readonly firstSeen: number;
  readonly lastChanged: number;
}

/** A source file as the provenance of a company names it. */
export interface ProvenanceFile {
  /** Such as "GLEIF golden copy, level 1". */
  readonly source: string;
  readonly name: string;
  readonly publishedAt: string;
}

/** Packs a record without provenance. Equal records give equal texts. */
export function packCompany(record: LegalEntityRecord): string {
  const slots = packFields(record);
  for (const { slot, repeated } of repeating) {
    if (slots[slot] !== '' && slots[slot] === slots[repeated]) slots[slot] = same;
  }
  return slots.join(slotSeparator);
}

/** Whether a packed record is the same as a known one, as far as that goes ({@link comparableRecord}). */
export function isSameRecord(known: string, record: string): boolean {
  return known === comparableRecord(known, record);
}

/** True if the service's own answers show a packed company as they show a known one. */
export function isSameCompany(known: string, record: string): boolean {
  return isSameRecord(known, record) || shownOf(known) === shownOf(comparableRecord(known, record));
}

const shownOfSuccessor = Object.values(level1Fields.entity.successorEntities.members).filter(isShown).length;

/** A packed company without hidden fields. Earlier versions did not store them. */
function shownOf(record: string): string {
  const packed = record.split(slotSeparator);
  const rows = unpackRows(packed[slots.successors] ?? '');
  packed[slots.successors] = packRows(rows, (row) => row.slice(0, shownOfSuccessor));
  return packed.join(slotSeparator);
}

/** A packed record as another one can be compared with it: as the version packed it that packed the other. */
export function comparableRecord(other: string, record: string): string {
  return hasTimes(other) ? record : comparableWith(other, withEventsAsJson(record));
}

const json = new JsonBytes();

/** The record with its events as earlier versions stored them. */
function withEventsAsJson(record: string): string {
  const packed = record.split(slotSeparator);
  const events = Buffer.from(packed[slots.events] ?? '');
  if (events.length === 0) return record;
  json.begin();
  companyPlaces[slots.events]?.put(json, events, 0, events.length);
  packed[slots.events] = json.toString();
  return packed.join(slotSeparator);
}

export function withProvenance(record: string, provenance: Provenance): string {
  return record + provenanceText(provenance);
}

/** The rest of a stored text after its record. */
export function provenanceText({ file, firstSeen, lastChanged }: Provenance): string {
  return `${slotSeparator}${file},${firstSeen},${lastChanged}`;
}

/** Splits a stored text into record and provenance; null for an LEI without a record. */
export function splitProvenance(stored: string): { record: string; provenance: Provenance } | null {
  const end = stored.lastIndexOf(slotSeparator);
  if (end === -1) return null;
  return { record: stored.slice(0, end), provenance: readProvenance(stored.slice(end + 1)) };
}

/** The same for a stored text as bytes: the end of its record, and the provenance. */
export function splitStored({
  bytes,
  length,
}: Glimpse): { readonly end: number; readonly provenance: Provenance } | null {
  const end = bytes.lastIndexOf(slotSeparator, length - 1, 'latin1');
  if (end === -1) return null;
  return { end, provenance: readProvenance(bytes.toString('latin1', end + 1, length)) };
}

function readProvenance(text: string): Provenance {
  const [file, firstSeen, lastChanged] = text.split(',');
  return { file: Number(file), firstSeen: Number(firstSeen), lastChanged: Number(lastChanged) };
}

const slots = {
  lei: slotOf('lei'),
  legalName: slotOf('entity.legalName.name'),
  otherNames: slotOf('entity.otherNames'),
  transliteratedOtherNames: slotOf('entity.transliteratedOtherNames'),
  legalAddress: slotOf('entity.legalAddress'),
  registeredAs: slotOf('entity.registeredAs'),
  status: slotOf('entity.status'),
  successors: slotOf('entity.successorEntities'),
  events: slotOf('entity.eventGroups'),
  registrationStatus: slotOf('registration.status'),
  lastUpdateDate: slotOf('registration.lastUpdateDate'),
};

/** Legal name first, then other and transliterated names in record order. @param packed the text of a slot */
function namesIn(packed: (slot: number) => string): NameText[] {
  const names: NameText[] = [{ name: unpack(packed(slots.legalName)) ?? '', type: 'LEGAL_NAME' }];
  for (const list of [slots.otherNames, slots.transliteratedOtherNames]) {
    for (const [name = '', , type = ''] of unpackRows(packed(list))) {
      names.push({ name: unpack(name) ?? '', type: unpack(type) ?? '' });
    }
  }
  return names;
}

const starts = new Int32Array(slotCount + 1);

/** The facts about a company that the search index takes from its record. Only their own bytes become strings. */
export function searchFactsOf({ bytes, length }: Glimpse): Omit<SearchDocument, 'entity'> {
  findSlots(starts, bytes, length);
  const from = (slot: number) => starts[slot] ?? 0;
  const to = (slot: number) => (starts[slot + 1] ?? 1) - 1;
  const packed = (slot: number) => bytes.toString('utf8', from(slot), to(slot));
  const addressEnd = to(slots.legalAddress);
  const country = fieldFrom(bytes, from(slots.legalAddress), addressEnd, addressField.country);
  return {
    lei: packed(slots.lei),
    names: namesIn(packed),
    country: unpack(bytes.toString('utf8', country, fieldEndFrom(bytes, country, addressEnd))),
    entityStatus: unpack(packed(slots.status)),
    registrationStatus: unpack(packed(slots.registrationStatus)),
    registeredAs: unpack(packed(slots.registeredAs)),
  };
}

/** UTC time of the record's last update, '' if it has none. */
export function lastUpdateOf(stored: string): string {
  return unpack(stored.split(slotSeparator)[slots.lastUpdateDate] ?? '') ?? '';
}
