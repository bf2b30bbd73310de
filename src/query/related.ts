/** Chooses among the relationships of a company, and orders the companies at their other ends. */
import { currentStatus } from '../lei/relationship-codes.ts';
import type { StoredRelationship } from '../store/publication-reader.ts';
import { shown } from './answers.ts';

/** Whether a relationship is current and of one of the types. */
export function isCurrent({ type, status }: StoredRelationship, types: readonly string[]): boolean {
  return status === currentStatus && types.includes(type);
}

/** How many relationships are current and of one of the types. */
export function countOf(relationships: readonly StoredRelationship[], types: readonly string[]): number {
  let count = 0;
  for (const stored of relationships) if (isCurrent(stored, types)) count += 1;
  return count;
}

/** When a relationship was updated, as a text that sorts like the time; '' for a published value that is not a time. */
export function updateOf({ lastUpdateDate }: StoredRelationship): string {
  // A fraction of a second is later than the full second, but 'Z' sorts after '.'.
  return /^\d{4}-\d\d-\d\dT/.test(lastUpdateDate) ? lastUpdateDate.replace('Z', '') : '';
}

/** A company at the other end of a relationship. */
export interface RelatedCompany {
  readonly lei: string;
  /** Null if it has no record here. */
  readonly name: string | null;
}

/** Members of the company at the other end, for the API. */
export const nameMembers = [shown('"lei":', 'lei'), shown(',"name":', 'name')];
/** The same for pages, which also say where it is and whether it still exists. */
export const factMembers = [
  ...nameMembers,
  shown(',"country":', 'country'),
  shown(',"entityStatus":', 'entityStatus'),
  shown(',"registrationStatus":', 'registrationStatus'),
];

/** Sorts by name in code unit order, companies without a name last, then by LEI. */
export function byName(a: RelatedCompany, b: RelatedCompany): number {
  if (a.name === b.name) return compare(a.lei, b.lei);
  if (a.name === null) return 1;
  if (b.name === null) return -1;
  return compare(a.name, b.name);
}

/** Compares by code unit. */
export function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
