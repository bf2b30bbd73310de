/** Level 1 records on their way into the `entities` table. */
import type { LegalEntityRecord } from '../../lei/company.ts';
import { appendText, rowCount } from '../../lmdb.ts';
import {
  isRecord,
  lastUpdateOf,
  packCompany,
  splitProvenance,
  withProvenance,
} from '../../store/company-record.ts';
import { readDirectoryValue } from '../../store/raw-publication.ts';
import type { Tables } from '../../store/tables.ts';
import type { Base } from '../base.ts';
import type { Entities } from './entities.ts';
import { isOutdated } from './moments.ts';
import { createNumberList } from './number-list.ts';

/** What this load did to a company, against the publication compared with. */
export const touch = { none: 0, unchanged: 1, changed: 2, created: 3 } as const;

export interface Companies {
  /** Stores a record unless a later one of the same company came before it. */
  put(record: LegalEntityRecord, file: number): 'stored' | 'replaced' | 'superseded';
  /** One of {@link touch}. */
  touched(entity: number): number;
  /** The stored text; undefined where there is none. */
  stored(entity: number): string | undefined;
  /** Companies of which this load brought a record. */
  rewritten(): Iterable<number>;
  /** Whether this load brought the company that the base knows under this number. */
  seenInBase(baseEntity: number): boolean;
  flush(): void;
}

/** Is told what becomes of the table. */
export interface CompanyListener {
  /** Texts of numbers that the table did not hold. */
  stored(entities: readonly number[], texts: readonly string[]): void;
  /** A number that the table held has another text now. */
  rewritten(): void;
}

/** Rows to a transaction: large enough that its cost does not show, small enough to stay in a few megabytes. */
const rowsPerFlush = 20_000;

/** @param version index of this publication's version */
export function createCompanies(
  tables: Tables,
  entities: Entities,
  base: Base | null,
  version: number,
  listener: CompanyListener,
): Companies {
  const pending = new Map<number, string>();
  const touches = createNumberList();
  const baseSeen = createNumberList();
  let appended = rowCount(tables.entities);

  const stored = (entity: number) => pending.get(entity) ?? tables.entities.get(entity);
  const flush = () => {
    // Before the table is written: a delta writes all over it, and what is mapped of both would add up.
    base?.release();
    const [newEntities, newTexts]: [number[], string[]] = [[], []];
    tables.entities.transactionSync(() => {
      for (const [entity, text] of pending) {
        if (entity > appended) {
          appendText(tables.entities, entity, text);
          appended = entity;
          newEntities.push(entity);
          newTexts.push(text);
        } else {
          tables.entities.putSync(entity, text);
        }
      }
    });
    listener.stored(newEntities, newTexts);
    if (newEntities.length < pending.size) listener.rewritten();
    pending.clear();
  };
  /** Carries over since when a company is known, and marks what this load did to it. */
  const provenanceOf = (entity: number, record: string, file: number) => {
    const before = readDirectoryValue(entities.baseValue(entity));
    const known =
      before === null
        ? undefined
        : base?.tables.entities.get(before.entity, { transaction: base.transaction });
    const split = known === undefined || !isRecord(known) ? null : splitProvenance(known);
    if (before !== null) baseSeen.set(before.entity, 1);
    if (split === null) {
      touches.set(entity, touch.created);
      return { file, firstSeen: version, lastChanged: version };
    }
    const unchanged = split.record === record;
    touches.set(entity, unchanged ? touch.unchanged : touch.changed);
    const { firstSeen, lastChanged } = split.provenance;
    return { file, firstSeen, lastChanged: unchanged ? lastChanged : version };
  };

  function* touchedNumbers() {
    for (let entity = 1; entity < touches.length; entity++)
      if (touches.get(entity) !== touch.none) yield entity;
  }
  return {
    put(record, file) {
      const entity = entities.number(record.lei);
      const isFirst = touches.get(entity) === touch.none;
      if (!isFirst) {
        const known = lastUpdateOf(stored(entity) ?? '');
        if (isOutdated(record.registration.lastUpdateDate ?? '', known)) return 'superseded';
      }
      entities.setRecord(entity);
      const packed = packCompany(record);
      pending.set(entity, withProvenance(packed, provenanceOf(entity, packed, file)));
      if (pending.size >= rowsPerFlush) flush();
      return isFirst ? 'stored' : 'replaced';
    },
    touched: touches.get,
    rewritten: touchedNumbers,
    stored,
    seenInBase: (baseEntity) => baseSeen.get(baseEntity) === 1,
    flush,
  };
}
