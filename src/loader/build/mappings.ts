/** Collects identifier pairs and writes them into the tables by identifier and by company. */
import { identifierKinds, kindsBySlot, type MappingKind, mappingTable } from '../../lei/identifier-kinds.ts';
import { appendText } from '../../lmdb.ts';
import { joinMappingSlots, mappingSlots, packMappingSlot } from '../../store/mapping-record.ts';
import type { Meta } from '../../store/meta.ts';
import { writePackedTable } from '../../store/packed-table.ts';
import type { RawPublication } from '../../store/raw-publication.ts';
import type { Tables } from '../../store/tables.ts';
import type { Entities } from './entities.ts';
import { completeIsinLists, createIsinLists } from './isin-lists.ts';
import { collectGarbage } from './memory.ts';
import { groupIndexes } from './number-list.ts';
import { createPairList, distinctIdentifiers, type PairList } from './pair-list.ts';

export interface Mappings {
  /** @returns why the pair can't be used, or null */
  put(kind: MappingKind, lei: string, value: string): string | null;
  /** Starts a file of this kind: its pairs replace all known ones, even if it has none. */
  begin(kind: MappingKind): void;
  /** Every BIC of eleven characters and its entity. */
  bics(): { readonly entity: number; readonly bic: string }[];
  /** Writes the tables of the kinds that were read; the others keep their rows and shapes. */
  write(shapes: Meta['shapes']): Meta['shapes'];
  /** Entities of a copy whose row has changed. */
  readonly rewritten: readonly number[];
}

/** @param grown the publication whose copy is changed */
export function createMappings(tables: Tables, entities: Entities, grown: RawPublication | null): Mappings {
  const lists = new Map<MappingKind, PairList>();
  const rewritten: number[] = [];
  const listOf = (kind: MappingKind) => {
    const known = lists.get(kind);
    if (known !== undefined) return known;
    const list = createPairList(mappingTable[kind].width);
    lists.set(kind, list);
    return list;
  };
  return {
    begin: (kind) => void listOf(kind),
    put(kind, lei, value) {
      const { canonical, width } = mappingTable[kind];
      const stored = canonical(value);
      if (width !== null && stored.length !== width) return `${value} does not have ${width} characters`;
      listOf(kind).push(stored, entities.number(lei));
      return null;
    },
    bics() {
      const read = lists.get('bic');
      if (read === undefined) return [];
      const numbers = read.entities();
      return Array.from(numbers, (entity, pair) => ({ entity, bic: read.identifier(pair) }));
    },
    write(shapes) {
      if (grown !== null && !lists.has('isin')) completeIsinLists(tables, grown);
      writeByEntity({ tables, grown, rewritten }, lists, entities.last);
      const next = { ...shapes };
      for (const kind of largestFirst) {
        const pairs = lists.get(kind);
        if (pairs === undefined) continue;
        // Free each list before the next is sorted: they are the largest objects of a load.
        collectGarbage(pairs.size);
        const keyWidth = mappingTable[kind].width;
        const list = { keyWidth, count: pairs.size, keys: pairs.identifierBytes(), values: pairs.entities() };
        const written = grown === null ? null : grown.meta.shapes[kind];
        next[kind] = writePackedTable(tables[kind], list, entities.compare, written);
        lists.delete(kind);
      }
      return next;
    },
    rewritten,
  };
}

const largestFirst = identifierKinds.toSorted(
  (a, b) => mappingTable[b].usualCount - mappingTable[a].usualCount,
);

const entitiesPerTransaction = 250_000;

interface Target {
  readonly tables: Tables;
  readonly grown: RawPublication | null;
  /** Receives the entities of a copy whose row changes. */
  readonly rewritten: number[];
}

function writeByEntity(
  { tables, grown, rewritten }: Target,
  lists: ReadonlyMap<MappingKind, PairList>,
  lastEntity: number,
): void {
  if (lists.size === 0) return;
  const isinLists = createIsinLists(tables, grown);
  const kinds = kindsBySlot.flatMap((kind) => {
    const pairs = lists.get(kind);
    return pairs === undefined ? [] : [{ kind, pairs, groups: groupIndexes(pairs.entities(), lastEntity) }];
  });
  const textOf = (entity: number, before: string | undefined) => {
    let slots: string[] | null = before === undefined ? null : mappingSlots(before);
    for (const { kind, pairs, groups } of kinds) {
      if (slots === null && groups.count(entity) === 0) continue;
      const shownMax = mappingTable[kind].shownMax ?? Number.POSITIVE_INFINITY;
      const { first, count } = distinctIdentifiers(pairs, groups, entity, shownMax);
      slots ??= mappingSlots(undefined);
      slots[mappingTable[kind].slot] = packMappingSlot(kind, first, count);
      if (kind === 'isin') isinLists.put(pairs, groups, entity, count);
    }
    return slots === null ? null : joinMappingSlots(slots);
  };
  const storeEntity = (entity: number) => {
    const before = grown === null ? undefined : tables.mappings.get(entity);
    const text = textOf(entity, before);
    if (text === (before ?? null)) return;
    if (grown !== null) rewritten.push(entity);
    if (text === null) tables.mappings.removeSync(entity);
    else if (grown !== null) tables.mappings.putSync(entity, text);
    else appendText(tables.mappings, entity, text);
  };
  for (let from = 1; from <= lastEntity; from += entitiesPerTransaction) {
    const end = Math.min(lastEntity + 1, from + entitiesPerTransaction);
    tables.mappings.transactionSync(() => {
      for (let entity = from; entity < end; entity++) storeEntity(entity);
    });
    collectGarbage(end - from);
  }
  if (lists.has('isin')) isinLists.finish();
}
