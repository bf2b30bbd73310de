/** Chooses among the relationships of a company, and orders the companies at their other ends. */
import { currentStatus } from '../lei/relationship-codes.ts';
import type { PublicationReader, StoredRelationship } from '../store/publication-reader.ts';
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

/**
 * Of the relationships of a company as start node, the current one of one of the types; null if there is none. Of several, the
 * one updated last, then that to the lowest LEI, so that every load gives the same answer.
 */
export function currentParent(
  publication: PublicationReader,
  asStart: readonly StoredRelationship[],
  types: readonly string[],
): StoredRelationship | null {
  const leiOf = ({ end }: StoredRelationship) => publication.summary(end).lei;
  const order = (a: StoredRelationship, b: StoredRelationship) =>
    compare(updateOf(b), updateOf(a)) || compare(leiOf(a), leiOf(b));
  let chosen: StoredRelationship | null = null;
  for (const stored of asStart) {
    if (isCurrent(stored, types) && (chosen === null || order(stored, chosen) < 0)) chosen = stored;
  }
  return chosen;
}

/** When a relationship was updated, as a text that sorts like the time; '' for a published value that is not a time. */
function updateOf({ lastUpdateDate }: StoredRelationship): string {
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
