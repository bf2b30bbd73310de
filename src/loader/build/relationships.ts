/** Writes relationship records into their tables. Their key is (start, end, type). */

import { collectGarbage } from '../../bytes/memory.ts';
import { isOutdated, shownTime } from '../../lei/dates.ts';
import type { Relationship, RelationshipRecord } from '../../lei/relationship.ts';
import { currentStatus, parentTypes } from '../../lei/relationship-codes.ts';
import { append, type BytesTable, type TextTable } from '../../lmdb.ts';
import {
  packRelationship,
  packRelationshipLists,
  renderRelationship,
  withEnds,
} from '../../store/relationship-record.ts';
import type { Tables } from '../../store/tables.ts';
import type { Entities } from './entities.ts';
import { createKeyIndex } from './key-index.ts';
import { createNumberList, type Groups, groupNumbers } from './number-list.ts';

export interface Relationships {
  put(record: RelationshipRecord, deletedAt: string | null): 'stored' | 'replaced' | 'superseded' | 'deleted';
  /** The greatest number given; numbers run from 1. */
  readonly last: number;
  /** Those that this load brought or deleted. */
  touched(): Iterable<number>;
  /** False once deleted. */
  exists(relationship: number): boolean;
  start(relationship: number): number;
  end(relationship: number): number;
  type(relationship: number): string;
  /** The stored text; undefined if it was deleted. */
  stored(relationship: number): string | undefined;
  /** How many companies name each entity as direct parent, by entity number. */
  directChildren(): Uint32Array;
  /** The entities that are named as direct parent by other companies than in the base. */
  otherParents(): Iterable<number>;
  /** Writes what is pending and the lists by entity; returns how many there are and how many have both records. */
  write(): { count: number; resolvable: number };
}

/** Numbers relationships by their key, and remembers which of them exist. */
interface Numbering {
  /** @returns the number of the key, and whether this load brings it for the first time */
  number(start: number, end: number, type: string): { readonly number: number; readonly isFirst: boolean };
  /** @param values null for a deleted one */
  set(relationship: number, values: Relationship | null): void;
}

/** Puts the records of a load into the table of relationships. */
export function createPut(tables: Tables, entities: Entities, numbering: Numbering) {
  const texts = createWrittenTexts(tables.relationships);
  const put: Relationships['put'] = ({ start, end, relationship: values }, deletedAt) => {
    const from = entities.number(start);
    const to = entities.number(end);
    const { number, isFirst } = numbering.number(from, to, values.type);
    const moment = deletedAt ?? shownTime(values.registration.lastUpdateDate ?? '').time;
    if (!isFirst && isOutdated(moment, texts.momentOf(number))) return 'superseded';
    numbering.set(number, deletedAt === null ? values : null);
    if (deletedAt !== null) {
      texts.remove(number, deletedAt);
      return 'deleted';
    }
    texts.set(number, withEnds(packRelationship(values), from, to));
    return isFirst ? 'stored' : 'replaced';
  };
  return { put, stored: texts.get, flush: texts.flush };
}

/** The states of a relationship that has a number. */
const relationshipState = { gone: 0, plain: 1, parental: 2 } as const;

function stateOf(values: Relationship | null): number {
  if (values === null) return relationshipState.gone;
  return isParental(values) ? relationshipState.parental : relationshipState.plain;
}

export function createRelationships(tables: Tables, entities: Entities): Relationships {
  const numbered = createNumbered();
  const { starts, ends } = numbered;
  const states = createNumberList();
  const { put, stored, flush } = createPut(tables, entities, {
    number: numbered.add,
    set: (relationship, values) => states.set(relationship, stateOf(values)),
  });
  const exists = (relationship: number) => states.get(relationship) !== relationshipState.gone;
  const isResolvable = (relationship: number) =>
    entities.hasRecord(starts.get(relationship)) && entities.hasRecord(ends.get(relationship));
  const all = () => Uint32Array.from({ length: numbered.last }, (_, index) => index + 1);
  return {
    put,
    get last() {
      return numbered.last;
    },
    touched: all,
    exists,
    start: starts.get,
    end: ends.get,
    type: numbered.type,
    stored,
    directChildren: () => countByParent(states.values(), ends.values(), entities.last),
    otherParents: () => {
      throw new Error('A full set counts the children of all companies.');
    },
    write() {
      flush();
      const kept = all().filter(exists);
      const { last } = entities;
      const asStart = groupNumbers(kept, starts.values(), last);
      writeLists(tables.relationshipsOf, asStart, groupNumbers(kept, ends.values(), last), last);
      return { count: kept.length, resolvable: kept.filter(isResolvable).length };
    },
  };
}

/** Start and end number and type code. */
const keyWidth = 9;

/** Numbers relationships by their key, in order of arrival from 1. */
function createNumbered() {
  const keys = createKeyIndex(keyWidth);
  const starts = createNumberList();
  const ends = createNumberList();
  const types = createNumberList();
  const typeNames: string[] = [];
  return {
    starts,
    ends,
    get last() {
      return keys.size;
    },
    type: (relationship: number) => typeNames[types.get(relationship)] ?? '',
    add(start: number, end: number, type: string) {
      if (!typeNames.includes(type)) typeNames.push(type);
      const code = typeNames.indexOf(type);
      const known = keys.size;
      const number = keys.add(packKey(start, end, code));
      types.set(number, code);
      starts.set(number, start);
      ends.set(number, end);
      return { number, isFirst: number > known };
    },
  };
}

function packKey(start: number, end: number, type: number): string {
  if (type > 255)
    throw new Error('There are more than 256 types of relationships, which no version of RR-CDF has.');
  const bytes = Buffer.allocUnsafe(keyWidth);
  bytes.writeUInt32LE(start, 0);
  bytes.writeUInt32LE(end, 4);
  bytes[8] = type;
  return bytes.toString('latin1');
}

const rowsPerFlush = 20_000;

/** The table of relationships, written many rows at a time. */
function createWrittenTexts(table: TextTable) {
  const pending = new Map<number, string>();
  /** Deleted by this load, and when; some have to be removed from the table. */
  const deletions = new Map<number, string>();
  const leaving = new Set<number>();
  const get = (number: number) =>
    pending.get(number) ?? (leaving.has(number) ? undefined : table.get(number));
  const flush = () => {
    // Use one transaction, so that each touched page is written once.
    table.transactionSync(() => {
      for (const number of leaving) if (!pending.has(number)) table.removeSync(number);
      for (const [number, text] of pending) table.putSync(number, text);
    });
    pending.clear();
    leaving.clear();
  };
  const flushMany = () => {
    if (pending.size + leaving.size >= rowsPerFlush) flush();
  };
  return {
    get,
    /** When it was last brought or deleted; only for one that this load brought or deleted. */
    momentOf(number: number): string {
      const text = get(number);
      return text === undefined ? (deletions.get(number) ?? '') : renderRelationship(text).lastUpdateDate;
    },
    set(number: number, text: string) {
      pending.set(number, text);
      flushMany();
    },
    remove(number: number, at: string) {
      deletions.set(number, at);
      pending.delete(number);
      // Remove the row even if a text is pending: the table may contain the text that the pending one replaces.
      leaving.add(number);
      flushMany();
    },
    flush,
  };
}

/** Whether the start names the end as its direct parent. */
export function isParental({ type, status }: Pick<Relationship, 'type' | 'status'>): boolean {
  return type === parentTypes.direct && status === currentStatus;
}

/** How many parental relationships end at each entity. */
function countByParent(states: Uint32Array, ends: Uint32Array, lastEntity: number): Uint32Array {
  const children = new Uint32Array(lastEntity + 1);
  states.forEach((state, relationship) => {
    const parent = ends[relationship] ?? 0;
    children[parent] = (children[parent] ?? 0) + Number(state === relationshipState.parental);
  });
  return children;
}

const entitiesPerTransaction = 500_000;

/** Writes the numbers of relationships by the entity at their start and by the one at their end. */
function writeLists(table: BytesTable, asStart: Groups, asEnd: Groups, lastEntity: number): void {
  table.clearSync();
  const storeEntity = (entity: number) => {
    if (asStart.count(entity) === 0 && asEnd.count(entity) === 0) return;
    append(table, entity, packRelationshipLists({ asStart: asStart.of(entity), asEnd: asEnd.of(entity) }));
  };
  for (let from = 1; from <= lastEntity; from += entitiesPerTransaction) {
    const end = Math.min(lastEntity + 1, from + entitiesPerTransaction);
    table.transactionSync(() => {
      for (let entity = from; entity < end; entity++) storeEntity(entity);
    });
    collectGarbage(end - from);
  }
}
