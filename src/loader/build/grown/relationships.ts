/**
 * Manages the relationships of a copy that a delta changes: those of the base keep their numbers and are looked up
 * there.
 */
import type { RelationshipRecord } from '../../../lei/relationship.ts';
import type { BytesTable } from '../../../lmdb.ts';
import { packRelationshipLists, unpackRelationshipLists } from '../../../store/relationship-lists.ts';
import { packRelationship, splitEnds, withEnds } from '../../../store/relationship-record.ts';
import type { Tables } from '../../../store/tables.ts';
import { type Base, relationshipBetween } from '../../base.ts';
import { isOutdated } from '../moments.ts';
import { createWrittenTexts, type Relationships } from '../relationships.ts';
import type { GrownEntities } from './entities.ts';

/** A relationship that this load brought or deleted. */
interface Touched {
  readonly number: number;
  readonly start: number;
  readonly end: number;
  readonly type: string;
  readonly before: boolean;
  exists: boolean;
}

/** The relationships that this load brought or deleted, by key and by number. */
class TouchedRelationships {
  readonly byNumber = new Map<number, Touched>();
  readonly #base: Base;
  readonly #byKey = new Map<string, Touched>();
  #last: number;

  constructor(base: Base) {
    this.#base = base;
    this.#last = base.meta.lastRelationship;
  }

  /** The highest number of any relationship. */
  get last(): number {
    return this.#last;
  }

  touch(start: number, end: number, type: string): { readonly one: Touched; readonly isFirst: boolean } {
    const key = `${start} ${end} ${type}`;
    const known = this.#byKey.get(key);
    if (known !== undefined) return { one: known, isFirst: false };
    const stored = findInBase(this.#base, start, end, type);
    const before = stored !== null;
    const one = { number: stored ?? ++this.#last, start, end, type, before, exists: before };
    this.#byKey.set(key, one);
    this.byNumber.set(one.number, one);
    return { one, isFirst: true };
  }

  get(number: number): Touched {
    const one = this.byNumber.get(number);
    if (one === undefined) throw new Error(`Relationship ${number} was not touched by this load.`);
    return one;
  }

  /** The new and the deleted ones. */
  changed(): readonly Touched[] {
    return [...this.byNumber.values()].filter(({ before, exists }) => before !== exists);
  }
}

export function createGrownRelationships(tables: Tables, entities: GrownEntities, base: Base): Relationships {
  const touched = new TouchedRelationships(base);
  const texts = createWrittenTexts(tables.relationships);
  return {
    put({ start, end, relationship: values }: RelationshipRecord, deletedAt) {
      const [from, to] = [entities.number(start), entities.number(end)];
      const { one, isFirst } = touched.touch(from, to, values.type);
      const moment = deletedAt ?? values.registration.lastUpdateDate ?? '';
      if (!isFirst && isOutdated(moment, texts.momentOf(one.number))) return 'superseded';
      one.exists = deletedAt === null;
      if (deletedAt !== null) {
        texts.remove(one.number, deletedAt);
        return 'deleted';
      }
      texts.set(one.number, withEnds(packRelationship(values), from, to));
      return isFirst ? 'stored' : 'replaced';
    },
    get last() {
      return touched.last;
    },
    touched: () => [...touched.byNumber.keys()].sort((a, b) => a - b),
    exists: (number) => touched.get(number).exists,
    start: (number) => touched.get(number).start,
    end: (number) => touched.get(number).end,
    type: (number) => touched.get(number).type,
    stored: texts.get,
    directChildren: () => {
      throw new Error('A delta counts the children of those that changed.');
    },
    write() {
      texts.flush();
      const changed = touched.changed();
      writeLists(tables.relationshipsOf, changed);
      const more = changed.reduce((sum, { exists }) => sum + (exists ? 1 : -1), 0);
      return {
        count: base.meta.counts.relationships + more,
        resolvable:
          base.meta.resolvableRelationships + moreResolvable(tables, entities, base, touched.byNumber),
      };
    },
  };
}

/** The number of a relationship of the base; null if it has none with this start, end and type. */
function findInBase(base: Base, start: number, end: number, type: string): number | null {
  if (start > base.meta.lastEntity || end > base.meta.lastEntity) return null;
  return relationshipBetween(base, start, end, type)?.number ?? null;
}

/** Adds new ones to the lists of both ends and removes deleted ones. Numbers in lists ascend. */
function writeLists(table: BytesTable, changed: readonly Touched[]): void {
  const ends = new Set(changed.flatMap(({ start, end }) => [start, end]));
  const lists = new Map(
    Array.from(ends, (entity) => {
      const { asStart, asEnd } = unpackRelationshipLists(table.get(entity));
      return [entity, { asStart: new Set(asStart), asEnd: new Set(asEnd) }] as const;
    }),
  );
  for (const { number, start, end, exists } of changed) {
    const [ofStart, ofEnd] = [lists.get(start)?.asStart, lists.get(end)?.asEnd];
    if (exists) ofStart?.add(number);
    else ofStart?.delete(number);
    if (exists) ofEnd?.add(number);
    else ofEnd?.delete(number);
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
  base: Base,
  touched: ReadonlyMap<number, Touched>,
): number {
  const had = (entity: number) => entity <= base.meta.lastEntity && entities.baseValue(entity) % 2 === 1;
  const has = entities.hasRecord;
  let more = 0;
  for (const { start, end, before, exists } of touched.values()) {
    more += Number(exists && has(start) && has(end)) - Number(before && had(start) && had(end));
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
