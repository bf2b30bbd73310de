/** Derives the entries of one company: the terms of its names, its filters, and the keys that find it as a whole. */
import { shortBic } from '../../../lei/identifier-kinds.ts';
import { identifierKey, nameKey, nameTerms } from '../../../lei/names/name-terms.ts';
import { identifierNameIndex, type keySeeds, nameKinds } from '../format.ts';
import { searchLimits } from '../limits.ts';
import type { SearchDocument } from '../search-reader.ts';

export interface IndexedName {
  /** One of {@link nameKinds}. */
  readonly kind: number;
  readonly terms: readonly string[];
}

export function indexedNames({ names }: Pick<SearchDocument, 'names'>): IndexedName[] {
  return names.slice(0, searchLimits.namesPerDocumentMax).map(({ name, type }, nameIndex) => ({
    kind: kindOfName(type, nameIndex),
    terms: nameTerms(name).slice(0, searchLimits.termsPerNameMax),
  }));
}

function kindOfName(type: string, nameIndex: number): number {
  if (nameIndex === 0) return nameKinds.legal;
  return type.startsWith('PREVIOUS') ? nameKinds.previous : nameKinds.other;
}

/** A text that finds a company as a whole. */
export interface WholeKey {
  readonly key: string;
  readonly kind: keyof typeof keySeeds;
  readonly nameIndex: number;
}

/** Names that differ only in their connectors are found by the first of them. */
export function nameKeys(names: readonly IndexedName[]): WholeKey[] {
  const first = new Map<string, number>();
  for (const [nameIndex, { terms }] of names.entries()) {
    const key = nameKey(terms);
    if (key !== '' && !first.has(key)) first.set(key, nameIndex);
  }
  return Array.from(first, ([key, nameIndex]) => ({ key, kind: 'name', nameIndex }));
}

/** LEI and number in the register. */
export function identifierKeys({
  lei,
  registeredAs,
}: Pick<SearchDocument, 'lei' | 'registeredAs'>): WholeKey[] {
  const keys = new Set([identifierKey(lei), identifierKey(registeredAs ?? '')]);
  keys.delete('');
  return Array.from(keys, identifierOf);
}

export function bicKeys(bic: string): WholeKey[] {
  // Eight characters mean the head office, like the same eight with XXX.
  const short = shortBic(bic);
  const whole = identifierKey(bic) || bic;
  return (short === null ? [whole] : [whole, short]).map(identifierOf);
}

function identifierOf(key: string): WholeKey {
  return { key, kind: 'identifier', nameIndex: identifierNameIndex };
}

/**
 * UTF-16 units of a country or status. A question's values are shorter, but records may contain anything. A term has
 * room for 127 units: these, two of its mark, and those that capitals add.
 */
const filterUnitsMax = 40;

/** The term by which companies are filtered; null if the value is empty. */
export function filterOf(value: string | null, termOf: (value: string) => string): string | null {
  if (value === null || value === '' || value.length > filterUnitsMax) return null;
  return termOf(value.toUpperCase());
}
