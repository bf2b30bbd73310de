/** Chooses among the relationships of a company, and orders the companies at their other ends. */
import { currentStatus } from '../lei/relationship.ts';
import type { StoredRelationship } from '../store/publication-reader.ts';

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

/** A company at the other end of a relationship. */
export interface RelatedCompany {
  readonly lei: string;
  /** Null if it has no record here. */
  readonly name: string | null;
}

/** By name in code unit order, companies without a name last, then by LEI. */
export function byName(a: RelatedCompany, b: RelatedCompany): number {
  if (a.name === b.name) return compare(a.lei, b.lei);
  if (a.name === null) return 1;
  if (b.name === null) return -1;
  return compare(a.name, b.name);
}

/** By code unit. */
export function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
