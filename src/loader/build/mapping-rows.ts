/**
 * Packs the rows by company of all kinds of identifiers, for a range of companies, so that several threads can share
 * the work.
 */
import { type MappingKind, mappingTable } from '../../lei/identifier-kinds.ts';
import { type Appendable, appendText } from '../../lmdb.ts';
import type { Grouped } from '../../store/buckets.ts';
import { joinMappingSlots, mappingSlots, packMappingSlot } from '../../store/mapping-record.ts';
import { appendIsinLists, type IsinLists } from './isin-lists.ts';
import { groupsOf } from './number-list.ts';
import { distinctIdentifiers, openPairs, type PairColumns } from './pair-list.ts';

/** The pairs of one kind, grouped by entity, as plain data. */
export interface PairsOfKind {
  readonly kind: MappingKind;
  readonly columns: PairColumns;
  readonly groups: Grouped;
}

/**
 * @param kinds in the order of their slots; the slots of others stay as they are
 * @returns a function that makes the text of an entity from its previous one, null for none, and adds its ISINs to the
 * lists
 */
export function mappingTexts(
  kinds: readonly PairsOfKind[],
  isinLists: IsinLists,
): (entity: number, before: string | undefined) => string | null {
  const opened = kinds.map(({ kind, columns, groups }) => ({
    kind,
    pairs: openPairs(columns),
    groups: groupsOf(groups),
    shownMax: mappingTable[kind].shownMax ?? Number.POSITIVE_INFINITY,
  }));
  return (entity, before) => {
    let slots: string[] | null = before === undefined ? null : mappingSlots(before);
    for (const { kind, pairs, groups, shownMax } of opened) {
      if (slots === null && groups.count(entity) === 0) continue;
      const { first, count } = distinctIdentifiers(pairs, groups, entity, shownMax);
      slots ??= mappingSlots(undefined);
      slots[mappingTable[kind].slot] = packMappingSlot(kind, first, count);
      if (kind === 'isin') isinLists.put(pairs, groups, entity, count);
    }
    return slots === null ? null : joinMappingSlots(slots);
  };
}

/** Appends the rows of the entities from the first to the last (exclusive). */
export function appendMappings(
  tables: { readonly mappings: Appendable; readonly isinLists: Appendable },
  kinds: readonly PairsOfKind[],
  { first, last }: { readonly first: number; readonly last: number },
): void {
  const textOf = mappingTexts(kinds, appendIsinLists(tables.isinLists));
  for (let entity = first; entity < last; entity++) {
    const text = textOf(entity, undefined);
    if (text !== null) appendText(tables.mappings, entity, text);
  }
}
