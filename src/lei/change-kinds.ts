import { isMappingKind, type MappingKind } from './identifier-kinds.ts';

/**
 * The kinds of changes from one publication to the next. Publications store a kind by its index in this list. Snapshots
 * show earlier times and are not changes.
 */
export const changeKinds = [
  'change',
  'relationship-change',
  'relationship-removed',
  'created',
  'removed',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

const ofMappings = 'mappings.';

/** The field of a change of a company's identifiers of a kind: the removed and the added ones, not the whole list. */
export function mappingField(kind: MappingKind): string {
  return `${ofMappings}${kind}`;
}

/** The kind of identifiers of a {@link mappingField}; null for a field of the record. */
export function kindOfMappingField(field: string): MappingKind | null {
  const kind = field.startsWith(ofMappings) ? field.slice(ofMappings.length) : '';
  return isMappingKind(kind) ? kind : null;
}
