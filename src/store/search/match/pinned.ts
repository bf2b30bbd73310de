/** Finds the companies that have the question as an identifier or whole name. They come before all other hits. */
import { foldedWords } from '../../../lei/names/fold.ts';
import { isForm, nameKey } from '../../../lei/names/name-terms.ts';
import { typedIdentifiers } from '../../../lei/names/typed-identifiers.ts';
import { identifierNameIndex } from '../format.ts';
import { findKey } from '../index/keys.ts';
import { searchLimits } from '../limits.ts';
import type { IndexParts } from '../parts.ts';
import type { Union } from '../sets/document-list.ts';
import { sortedKeys } from '../sets/sorted.ts';

/** Document → index of the name that equals the question; -1 for an identifier. */
export type PinnedDocuments = ReadonlyMap<number, number>;

/** @param terms the terms of `q` */
export function pinnedDocuments(
  { tables, shape }: IndexParts,
  q: string,
  terms: readonly string[],
): PinnedDocuments {
  const pinned = new Map<number, number>();
  const pin = (kind: 'name' | 'identifier', key: string) => {
    if (key === '') return;
    const hits = findKey(tables, shape.keyBuckets, kind, key, searchLimits.pinnedDocumentsMax);
    for (const { document, nameIndex } of hits) {
      if (pinned.size >= searchLimits.pinnedDocumentsMax || pinned.has(document)) continue;
      pinned.set(document, nameIndex === identifierNameIndex ? -1 : nameIndex);
    }
  };
  for (const identifier of typedIdentifiers(q)) pin('identifier', identifier);
  // A legal form may be part of the name, such as the UAB of UAB Bank Limited. Its few companies go first: those named Bank
  // may be too many.
  if (terms.some(isForm)) pin('name', nameKey(foldedWords(q)));
  pin('name', nameKey(terms));
  return pinned;
}

/** Those of the pinned companies that pass the filters. */
export function passing(
  { sets }: IndexParts,
  pinned: PinnedDocuments,
  filters: readonly Union[],
): PinnedDocuments {
  if (filters.length === 0 || pinned.size === 0) return pinned;
  const documents = sets.members(filters, sortedKeys(pinned));
  return new Map(Array.from(documents, (document) => [document, pinned.get(document) ?? -1]));
}
