/** Writes level 1 records into the `entities` table. */
import type { LegalEntityRecord } from '../../lei/company.ts';
import { appendText, rowCount, type TextTable } from '../../lmdb.ts';
import {
  isRecord,
  lastUpdateOf,
  type Provenance,
  packCompany,
  splitProvenance,
  withProvenance,
} from '../../store/company-record.ts';
import { readDirectoryValue } from '../../store/raw-publication.ts';
import { preparedJson } from '../../store/search/build/prepared-company.ts';
import type { Tables } from '../../store/tables.ts';
import type { Base } from '../base.ts';
import type { Entities } from './entities.ts';
import { createMarks } from './marks.ts';
import { isOutdated } from './moments.ts';

/** What this load did to a company, against the publication compared with. */
export const touch = { none: 0, unchanged: 1, changed: 2, created: 3 } as const;

export interface Companies {
  /** Stores a record unless a later one of the same company came before it. */
  put(company: CompanyText, file: number): 'stored' | 'replaced' | 'superseded';
  /** One of {@link touch}. */
  touched(entity: number): number;
  /** The stored text; undefined where there is none. */
  stored(entity: number): string | undefined;
  /** Companies of which this load brought a record, in order of their numbers. */
  brought(): Iterable<number>;
  /** Whether this load brought the company that the base knows under this number. */
  seenInBase(baseEntity: number): boolean;
  flush(): void;
}

/** A record as it is stored, and what the search index is told of it, as JSON; null where nobody has prepared that. */
interface CompanyText {
  readonly lei: string;
  readonly packed: string;
  readonly indexed: string | null;
}

export function companyText(record: LegalEntityRecord): CompanyText {
  return { lei: record.lei, packed: packCompany(record), indexed: null };
}

/** Learns of every change of the table. */
export interface CompanyListener {
  /**
   * Gets the texts of new numbers.
   * @param prepared what the search index is told of each, as JSON; null where nobody has prepared that
   */
  stored(entities: readonly number[], texts: readonly string[], prepared: readonly string[] | null): void;
  /** The text of a number has changed. */
  rewritten(): void;
}

/** Rows of a transaction: enough to make its cost negligible, few enough for a few megabytes. */
const rowsPerFlush = 20_000;

/** The publication that companies are compared with. */
interface Before {
  readonly base: Base | null;
  /** True for a delta, which brings few of its companies. */
  readonly few: boolean;
}

/** @param version index of this publication's version */
export function createCompanies(
  tables: Tables,
  entities: Entities,
  before: Before,
  version: number,
  listener: CompanyListener,
): Companies {
  const origins = createOrigins(entities, before, version);
  const texts = createPendingTexts(tables.entities, before.base, listener);
  return {
    put({ lei, packed, indexed }, file) {
      const entity = entities.number(lei);
      const isFirst = origins.touched(entity) === touch.none;
      if (!isFirst && isOutdated(lastUpdateOf(packed), lastUpdateOf(texts.get(entity) ?? ''))) {
        return 'superseded';
      }
      entities.setRecord(entity);
      texts.put(entity, withProvenance(packed, origins.provenanceOf(entity, packed, file)), indexed);
      return isFirst ? 'stored' : 'replaced';
    },
    touched: origins.touched,
    brought: origins.brought,
    stored: texts.get,
    seenInBase: origins.seenInBase,
    flush: texts.flush,
  };
}

/** Compares companies with the base: it carries over since when each is known, and notes what this load did to it. */
function createOrigins(entities: Entities, { base, few }: Before, version: number) {
  const touches = createMarks(few);
  const baseSeen = createMarks(few);
  const knownProvenance = (entity: number) => {
    const before = readDirectoryValue(entities.baseValue(entity));
    if (before === null) return null;
    baseSeen.set(before.entity, 1);
    const known = base?.tables.entities.get(before.entity, { transaction: base.transaction });
    return known === undefined || !isRecord(known) ? null : splitProvenance(known);
  };
  return {
    touched: touches.get,
    brought: touches.marked,
    seenInBase: (baseEntity: number) => baseSeen.get(baseEntity) === 1,
    provenanceOf(entity: number, record: string, file: number): Provenance {
      const known = knownProvenance(entity);
      if (known === null) {
        touches.set(entity, touch.created);
        return { file, firstSeen: version, lastChanged: version };
      }
      const unchanged = known.record === record;
      touches.set(entity, unchanged ? touch.unchanged : touch.changed);
      const { firstSeen, lastChanged } = known.provenance;
      return { file, firstSeen, lastChanged: unchanged ? lastChanged : version };
    },
  };
}

/** The table of companies, written many rows at a time. */
function createPendingTexts(table: TextTable, base: Base | null, listener: CompanyListener) {
  const pending = new Map<number, string>();
  /** The prepared companies among them, for the search index. */
  const indexed = new Map<number, string>();
  let appended = rowCount(table);
  /** Prepares the few that reading threads left out, so that the companies keep their order. */
  const prepared = (numbers: readonly number[], texts: readonly string[]) =>
    indexed.size === 0
      ? null
      : numbers.map((entity, at) => indexed.get(entity) ?? preparedJson(texts[at] ?? ''));
  const flush = () => {
    // Unmap before the table is written: a delta writes all over it, and the mapped pages of both would add up.
    base?.unmap();
    const [newEntities, newTexts]: [number[], string[]] = [[], []];
    table.transactionSync(() => {
      for (const [entity, text] of pending) {
        if (entity > appended) {
          appendText(table, entity, text);
          appended = entity;
          newEntities.push(entity);
          newTexts.push(text);
        } else {
          table.putSync(entity, text);
        }
      }
    });
    listener.stored(newEntities, newTexts, prepared(newEntities, newTexts));
    if (newEntities.length < pending.size) listener.rewritten();
    pending.clear();
    indexed.clear();
  };
  return {
    get: (entity: number) => pending.get(entity) ?? table.get(entity),
    put(entity: number, text: string, preparedText: string | null) {
      pending.set(entity, text);
      if (preparedText === null) indexed.delete(entity);
      else indexed.set(entity, preparedText);
      if (pending.size >= rowsPerFlush) flush();
    },
    flush,
  };
}
