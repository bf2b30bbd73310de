/** Finds which fields of two records differ, as a ChangeItem lists them. */
import { isDayName } from '../../lei/written-days.ts';
import { JsonBytes } from '../../protocol/json-bytes.ts';
import { companyPlaces, derived, repeating } from '../../store/company-fields.ts';
import { comparableRecord, withProvenance } from '../../store/company-record.ts';
import { same, slotSeparator } from '../../store/packing.ts';
import { companyText, recordTexts } from '../../store/render-company.ts';

export interface FieldChange {
  /** Path as in the payload; a changed list appears as a whole. */
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** Differences in the payload's member order. @param field path of the two values; '' for whole records */
export function fieldChanges(from: unknown, to: unknown, field = ''): FieldChange[] {
  const changes: FieldChange[] = [];
  collect(field, from, to, (change) => changes.push(change));
  return changes;
}

function collect(field: string, from: unknown, to: unknown, report: (change: FieldChange) => void): void {
  // Skip equal members: two records differ in few.
  if (Bun.deepEquals(from, to)) return;
  const before = membersOf(from);
  const after = membersOf(to);
  if (before === null || after === null) {
    if (JSON.stringify(from) !== JSON.stringify(to)) report({ field, from, to });
    return;
  }
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const path = field === '' ? name : `${field}.${name}`;
    collect(path, before.get(name) ?? null, after.get(name) ?? null, report);
  }
}

/** Members of an object; null for a list or a plain value, which are compared whole. */
function membersOf(value: unknown): Map<string, unknown> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return new Map(Object.entries(value));
}

/** Differences of two packed records of a company, without provenance: reads only the slots that differ. */
export function recordChanges(before: string, after: string): FieldChange[] {
  const [from, to] = [slotsOf(before), slotsOf(comparableRecord(before, after))];
  return companyPlaces.flatMap((place, slot) => {
    const [known, now] = [from[slot] ?? '', to[slot] ?? ''];
    if (known === now) return [];
    const parent = place.path.slice(0, -1).join('.');
    return fieldChanges(readSlot(place, known), readSlot(place, now), parent);
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

/** The members that a slot gives: one, or a time and its day. */
function readSlot({ path, put }: (typeof companyPlaces)[number], slot: string): unknown {
  const bytes = Buffer.from(slot);
  json.begin();
  put(json, bytes, 0, bytes.length);
  return JSON.parse(`{"${path.at(-1)}":${json.toString()}}`);
}

/**
 * Of the published members of a company at two times. A field that follows from another is no change of its own, and
 * days are left out, because changes that an earlier version recorded lack them.
 */
export function companyChanges(before: object, after: object): FieldChange[] {
  const changes = fieldChanges(withoutDays(before), withoutDays(after));
  return changes.filter(({ field }) => field !== derivedField);
}

/** The same without members that hold the day of another. */
function withoutDays(members: object): unknown {
  return JSON.parse(JSON.stringify(members), (name, value) => (isDayName(name) ? undefined : value));
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
