/** Identifier pairs on their way into the tables by identifier and by company. */
import { collectGarbage, type Memory } from '../../bytes/memory.ts';
import { kindsBySlot, type MappingKind, mappingKinds, mappingTable } from '../../lei/identifier-kinds.ts';
import type { Appendable } from '../../lmdb.ts';
import { keyWidthOf, mappingValues, ocidKeyWidth, putOcidKey } from '../../store/mapping-record.ts';
import type { Meta } from '../../store/meta-schema.ts';
import { groupEntries, shapeOf, writePackedTable } from '../../store/packed-table.ts';
import { textOfRow } from '../../store/stored-companies.ts';
import type { Tables } from '../../store/tables.ts';
import type { Base } from '../base.ts';
import type { CompanyRows } from './company-rows.ts';
import type { Entities } from './entities.ts';
import { changeIsinLists, completeIsinLists } from './isin-lists.ts';
import { groupIndexes } from './number-list.ts';
import { bucketTasks, mappingTasks, mappingTexts, type Packer, type PairsOfKind } from './packer.ts';
import { createPairs, type GrowingPairs, openPairs, type PairColumns } from './pair-list.ts';

/** @param grown the publication whose copy is being changed */
export function createMappings(tables: Tables, entities: Entities, grown: Base | null, packer: Packer) {
  const { memory } = packer;
  const lists = new Map<MappingKind, GrowingPairs>();
  const rewritten: number[] = [];
  const listOf = (kind: MappingKind) => {
    const known = lists.get(kind);
    if (known !== undefined) return known;
    const list = createPairs(mappingTable[kind].width, memory);
    lists.set(kind, list);
    return list;
  };
  const byLei = (a: number, b: number) => (a === b ? 0 : entities.lei(a) < entities.lei(b) ? -1 : 1);
  const writeByEntity = async (rows: CompanyRows) => {
    if (lists.size === 0) return;
    const { last } = entities;
    const kinds = groupedPairs(lists, last, memory);
    if (grown !== null) changeByEntity({ tables, rows, grown, rewritten }, kinds, last);
    else await packer.run(mappingTasks(kinds, last), { tables, mappings: appendTo(rows) });
  };
  const writeTable = async (kind: MappingKind, columns: PairColumns) => {
    const { entities: values } = columns;
    const keys = columns.width === null ? ocidKeys(columns, memory) : columns.bytes;
    const list = { keyWidth: keyWidthOf(kind), count: values.length, keys, values };
    if (grown !== null) return writePackedTable(tables[kind], list, byLei, grown.meta.shapes[kind]);
    const buckets = groupEntries(list, memory);
    const tasks = bucketTasks(kind, buckets, entities.leis());
    return shapeOf(buckets, await packer.run(tasks, { tables, mappings: noRows }));
  };
  return {
    /** Starts a file of this kind: its pairs replace all known ones, even if it has none. */
    begin: (kind: MappingKind) => void listOf(kind),
    /** @param value passes the check of its kind */
    put(kind: MappingKind, lei: string, value: string): void {
      listOf(kind).push(mappingTable[kind].canonical(value), entities.number(lei));
    },
    /** Every BIC of eleven characters and its entity. */
    bics: () => bicsIn(lists.get('bic')),
    /** Writes the rows of companies with identifiers of the kinds that were read, and the lists of ISINs. */
    async writeRows(rows: CompanyRows): Promise<void> {
      if (grown !== null && !lists.has('isin')) completeIsinLists(tables, grown);
      await writeByEntity(rows);
    },
    /** Writes the tables of the kinds that were read, the last use of them; the others keep their rows and shapes. */
    async writeTables(shapes: Meta['shapes']): Promise<Meta['shapes']> {
      const next = { ...shapes };
      if (grown !== null && grown.tables.ocid === null && !lists.has('ocid')) {
        next.ocid = await writeTable('ocid', knownOcids(grown));
      }
      for (const kind of largestFirst) {
        const pairs = lists.get(kind);
        if (pairs === undefined) continue;
        // Free each list before the next is sorted: they are the largest objects of a load.
        collectGarbage(pairs.columns().entities.length);
        next[kind] = await writeTable(kind, pairs.columns());
        lists.delete(kind);
      }
      return next;
    },
    /** True if files of identifiers came, with pairs or without, and their tables are not written yet. */
    isPending: () => lists.size > 0,
    /** Entities of a copy whose row became another one. */
    rewritten,
  };
}

/** Appends mappings to rows of companies. */
function appendTo(rows: CompanyRows): Appendable {
  return { putSync: (entity, bytes) => rows.put(Number(entity), { bytes, length: bytes.length }) };
}

const noRows: Appendable = {
  putSync() {
    throw new Error('Tables of identifiers hold no mappings.');
  },
};

function bicsIn(pairs: GrowingPairs | undefined): { readonly entity: number; readonly bic: string }[] {
  if (pairs === undefined) return [];
  const { entities, identifier } = openPairs(pairs.columns());
  return Array.from(entities, (entity, pair) => ({ entity, bic: identifier(pair) }));
}

function ocidKeys(columns: PairColumns, memory: Memory): Uint8Array {
  const { size, identifier } = openPairs(columns);
  const keys = memory.bytes(size * ocidKeyWidth);
  for (let pair = 0; pair < size; pair++) putOcidKey(identifier(pair), keys, pair * ocidKeyWidth);
  return keys;
}

/** The OpenCorporates ids of a publication of an earlier version, which has no table of them. */
function knownOcids({ companies, meta }: Base): PairColumns {
  const pairs = createPairs(null);
  for (let entity = 1; entity <= meta.lastEntity; entity++) {
    for (const id of mappingValues(textOfRow(companies.mappings(entity)), 'ocid')) pairs.push(id, entity);
  }
  return pairs.columns();
}

function groupedPairs(
  lists: ReadonlyMap<MappingKind, GrowingPairs>,
  lastEntity: number,
  memory: Memory,
): PairsOfKind[] {
  return kindsBySlot.flatMap((kind) => {
    const columns = lists.get(kind)?.columns();
    if (columns === undefined) return [];
    return [{ kind, columns, groups: groupIndexes(columns.entities, lastEntity, memory) }];
  });
}

const largestFirst = mappingKinds.toSorted((a, b) => mappingTable[b].usualCount - mappingTable[a].usualCount);

const entitiesPerTransaction = 250_000;

interface Target {
  readonly tables: Tables;
  readonly rows: CompanyRows;
  readonly grown: Base;
  /** Gets the entities of a copy whose row becomes another one. */
  readonly rewritten: number[];
}

/** Changes the rows by company of a copy. */
function changeByEntity(
  { tables, rows, grown, rewritten }: Target,
  kinds: readonly PairsOfKind[],
  last: number,
): void {
  const isinLists = changeIsinLists(tables, grown);
  const textOf = mappingTexts(kinds, isinLists);
  const changeEntity = (entity: number) => {
    const before = textOfRow(grown.companies.mappings(entity));
    const text = textOf(entity, before);
    if (text === (before ?? null)) return;
    rewritten.push(entity);
    const bytes = Buffer.from(text ?? '');
    rows.put(entity, text === null ? null : { bytes, length: bytes.length });
  };
  for (let from = 1; from <= last; from += entitiesPerTransaction) {
    const end = Math.min(last + 1, from + entitiesPerTransaction);
    tables.isinLists.transactionSync(() => {
      for (let entity = from; entity < end; entity++) changeEntity(entity);
    });
    grown.companies.unmap();
    collectGarbage(end - from);
  }
  if (kinds.some(({ kind }) => kind === 'isin')) tables.isinLists.transactionSync(isinLists.finish);
}
