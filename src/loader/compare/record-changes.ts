/** Compares two records of a company. */
import { JsonBytes } from '../../protocol/json-bytes.ts';
import { companyPlaces, derived, repeating } from '../../store/company-fields.ts';
import { withProvenance } from '../../store/company-record.ts';
import { same, slotSeparator } from '../../store/packing.ts';
import { companyText, recordTexts } from '../../store/render-company.ts';
import { type FieldChange, fieldChanges } from './field-changes.ts';

/** Of two packed records without provenance: reads only the slots that differ. */
export function recordChanges(before: string, after: string): FieldChange[] {
  const [from, to] = [slotsOf(before), slotsOf(after)];
  return companyPlaces.flatMap((place, slot) => {
    const [known, now] = [from[slot] ?? '', to[slot] ?? ''];
    if (known === now) return [];
    return fieldChanges(readSlot(place, known), readSlot(place, now), place.path.join('.'));
  });
}

/** The text of each slot; a slot that repeats another has the other's text. */
function slotsOf(record: string): string[] {
  const slots = record.split(slotSeparator);
  for (const { slot, repeated } of repeating) {
    if (slots[slot] === same) slots[slot] = slots[repeated] ?? '';
  }
  return slots;
}

const json = new JsonBytes();

function readSlot({ put }: (typeof companyPlaces)[number], slot: string): unknown {
  const bytes = Buffer.from(slot);
  json.begin();
  put(json, bytes, 0, bytes.length);
  return JSON.parse(Buffer.from(json.bytes()).toString());
}

/** Of the published members of a company at two times. A field that follows from another is no change of its own. */
export function companyChanges(before: object, after: object): FieldChange[] {
  return fieldChanges(before, after).filter(({ field }) => field !== derivedField);
}

const derivedField = derived.path.join('.');
/** Provenance is no part of the comparison; the renderer is given a blank one. */
const blank = recordTexts([{ source: '', name: '', publishedAt: '' }], ['']);

/** @param record packed, without provenance */
export function publishedMembers(record: string): Record<string, unknown> {
  const text = withProvenance(record, { file: 0, firstSeen: 0, lastChanged: 0 });
  const { entity, registration, validation } = JSON.parse(companyText(text, blank));
  return { entity, registration, validation };
}
