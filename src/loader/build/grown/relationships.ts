/**
 * Manages the relationships of a copy that a delta changes: those of the base keep their numbers and are looked up
 * there.
 */
import type { BytesTable } from '../../../lmdb.ts';
import {
  kindOfRelationship,
  packRelationshipLists,
  splitEnds,
  unpackRelationshipLists,
} from '../../../store/relationship-record.ts';
import type { Tables } from '../../../store/tables.ts';
import { type Base, relationshipBetween } from '../../base.ts';
import { createPut, isParental, type Relationships } from '../relationships.ts';
import type { GrownEntities } from './entities.ts';

/** A relationship that this load brought or deleted. */
interface TouchedRelationship {
  readonly number: number;
  readonly start: number;
  readonly end: number;
  readonly type: string;
  /** Whether the base has it. */
  readonly existed: boolean;
  /** Whether the start named the end as its direct parent. */
  readonly wasParental: boolean;
  exists: boolean;
  isParental: boolean;
}

export function createGrownRelationships(tables: Tables, entities: GrownEntities, base: Base): Relationships {
  const byKey = new Map<string, TouchedRelationship>();
  const byNumber = new Map<number, TouchedRelationship>();
  let last = base.meta.lastRelationship;
  const touched = (number: number): TouchedRelationship => {
    const one = byNumber.get(number);
    if (one === undefined) throw new Error(`Relationship ${number} was not touched by this load.`);
    return one;
  };
  const { put, stored, flush } = createPut(tables, entities, {
    number(start, end, type) {
      const key = `${start} ${end} ${type}`;
      const known = byKey.get(key);
      if (known !== undefined) return { number: known.number, isFirst: false };
      const inBase = asInBase(base, start, end, type);
      const one = { ...inBase, number: inBase.number ?? ++last };
      byKey.set(key, one);
      byNumber.set(one.number, one);
      return { number: one.number, isFirst: true };
    },
    set(number, values) {
      const one = touched(number);
      one.exists = values !== null;
      one.isParental = values !== null && isParental(values);
    },
  });
  return {
    put,
    get last() {
      return last;
    },
    touched: () => [...byNumber.keys()].sort((a, b) => a - b),
    exists: (number) => touched(number).exists,
    start: (number) => touched(number).start,
    end: (number) => touched(number).end,
    type: (number) => touched(number).type,
    stored,
    directChildren: () => {
      throw new Error('A delta counts the children of those that changed.');
    },
    otherParents: () => otherParents(byNumber.values()),
    write() {
      flush();
      const changed = [...byNumber.values()].filter(({ existed, exists }) => existed !== exists);
      writeLists(tables.relationshipsOf, changed);
      const more = changed.reduce((sum, { exists }) => sum + (exists ? 1 : -1), 0);
      const { relationships } = base.meta.counts;
      const resolvable = base.meta.resolvableRelationships + moreResolvable(tables, entities, byNumber);
      return { count: relationships + more, resolvable };
    },
  };
}

function otherParents(touched: Iterable<TouchedRelationship>): number[] {
  return [...touched].flatMap(({ end, wasParental, isParental }) => (wasParental === isParental ? [] : end));
}

/** A relationship as it is in the base; without a number if the base has none with this start, end and type. */
function asInBase(base: Base, start: number, end: number, type: string) {
  const isKnown = start <= base.meta.lastEntity && end <= base.meta.lastEntity;
  const found = isKnown ? relationshipBetween(base, start, end, type) : null;
  const wasParental = found !== null && isParental(kindOfRelationship(splitEnds(found.stored).record));
  const existed = found !== null;
  const states = { existed, wasParental, exists: existed, isParental: wasParental };
  return { number: found?.number ?? null, start, end, type, ...states };
}

/** Adds new ones to the lists of both ends and removes deleted ones. Numbers in lists ascend. */
function writeLists(table: BytesTable, changed: readonly TouchedRelationship[]): void {
  const ends = new Set(changed.flatMap(({ start, end }) => [start, end]));
  const lists = new Map(
    Array.from(ends, (entity) => {
      const { asStart, asEnd } = unpackRelationshipLists(table.get(entity));
      return [entity, { asStart: new Set(asStart), asEnd: new Set(asEnd) }] as const;
    }),
  );
  for (const { number, start, end, exists } of changed) {
    const [ofStart, ofEnd] = [lists.get(start)?.asStart, lists.get(end)?.asEnd];
    for (const list of [ofStart, ofEnd]) {
      if (exists) list?.add(number);
      else list?.delete(number);
    }
  }
  table.transactionSync(() => {
    for (const [entity, { asStart, asEnd }] of lists) {
      if (asStart.size + asEnd.size === 0) table.removeSync(entity);
      else
        table.putSync(
          entity,
          packRelationshipLists({ asStart: ascending(asStart), asEnd: ascending(asEnd) }),
        );
    }
  });
}

function ascending(numbers: ReadonlySet<number>): Uint32Array {
  return Uint32Array.from(numbers).sort();
}

/**
 * How many more relationships have records at both ends than before: counted over the changed ones, and those of
 * companies that got a record.
 */
function moreResolvable(
  tables: Tables,
  entities: GrownEntities,
  touched: ReadonlyMap<number, TouchedRelationship>,
): number {
  const had = (entity: number) => entities.inBase(entity)?.hasRecord === true;
  const has = entities.hasRecord;
  let more = 0;
  for (const { start, end, existed, exists } of touched.values()) {
    more += Number(exists && has(start) && has(end)) - Number(existed && had(start) && had(end));
  }
  const seen = new Set(touched.keys());
  for (const entity of entities.newlyRecorded()) {
    const { asStart, asEnd } = unpackRelationshipLists(tables.relationshipsOf.get(entity));
    for (const number of [...asStart, ...asEnd]) {
      if (seen.has(number)) continue;
      seen.add(number);
      const { start, end } = splitEnds(tables.relationships.get(number) ?? '');
      more += Number(has(start) && has(end)) - Number(had(start) && had(end));
    }
  }
  return more;
}
