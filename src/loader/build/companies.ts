/** Writes level 1 records into the `entities` table. */
import { withRoom } from '../../bytes/room.ts';
import type { LegalEntityRecord } from '../../lei/company.ts';
import { glimpse } from '../../lmdb.ts';
import { lastUpdateOf, type Provenance, packCompany, splitStored } from '../../store/company-record.ts';
import { readDirectoryValue } from '../../store/raw-publication.ts';
import type { Tables } from '../../store/tables.ts';
import type { Base } from '../base.ts';
import { type PackedText, type Prepared, textOf } from '../rows.ts';
import type { Entities } from './entities.ts';
import { createMarks } from './marks.ts';
import { isOutdated } from './moments.ts';
import { type CompanyListener, createPendingCompanies } from './pending-companies.ts';

/** The effect of this load on a company, compared with the base. */
export const touch = { none: 0, unchanged: 1, changed: 2, created: 3 } as const;

export interface Companies {
  /** Stores a record unless a later one of the same company came before it. */
  put(company: CompanyText, file: number): 'stored' | 'replaced' | 'superseded';
  /** One of {@link touch}. */
  touched(entity: number): number;
  /** The stored text; undefined if there is none. */
  stored(entity: number): string | undefined;
  /** Companies for which this load brought a record, in order of their numbers. */
  brought(): Iterable<number>;
  /** Whether this load brought the company that has this number in the base. */
  seenInBase(baseEntity: number): boolean;
  flush(): void;
}

/** A record as it is stored, and its text for the search index; null if that is not prepared. */
interface CompanyText {
  readonly lei: string;
  readonly packed: PackedText;
  readonly prepared: Prepared | null;
}

let encoded = Buffer.allocUnsafeSlow(64 * 1024);

/** Valid until the next call. */
export function companyText(record: LegalEntityRecord): CompanyText {
  const text = packCompany(record);
  // UTF-8 needs at most three bytes for each UTF-16 unit.
  encoded = withRoom(encoded, 0, text.length * 3, Buffer.allocUnsafeSlow);
  return { lei: record.lei, packed: { bytes: encoded, from: 0, to: encoded.write(text) }, prepared: null };
}

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
  const texts = createPendingCompanies(tables.entities, before.base, listener);
  return {
    put({ lei, packed, prepared }, file) {
      const entity = entities.number(lei);
      const isFirst = origins.touched(entity) === touch.none;
      if (!isFirst && isOutdated(lastUpdateOf(textOf(packed)), lastUpdateOf(texts.get(entity) ?? ''))) {
        return 'superseded';
      }
      entities.setRecord(entity);
      texts.put(entity, { packed, prepared, provenance: origins.provenanceOf(entity, packed, file) });
      return isFirst ? 'stored' : 'replaced';
    },
    touched: origins.touched,
    brought: origins.brought,
    stored: texts.get,
    seenInBase: origins.seenInBase,
    flush: texts.flush,
  };
}

/** Compares companies with the base: carries over since when each is known, and records the effect of this load. */
function createOrigins(entities: Entities, { base, few }: Before, version: number) {
  const touches = createMarks(few);
  const baseSeen = createMarks(few);
  const knownText = (entity: number) => {
    const before = readDirectoryValue(entities.baseValue(entity));
    if (before === null) return null;
    baseSeen.set(before.entity, 1);
    return base === null
      ? null
      : glimpse(base.tables.entities, before.entity, { transaction: base.transaction });
  };
  return {
    touched: touches.get,
    brought: touches.marked,
    seenInBase: (baseEntity: number) => baseSeen.get(baseEntity) === 1,
    provenanceOf(entity: number, { bytes, from, to }: PackedText, file: number): Provenance {
      const text = knownText(entity);
      const known = text === null ? null : splitStored(text);
      if (text === null || known === null) {
        touches.set(entity, touch.created);
        return { file, firstSeen: version, lastChanged: version };
      }
      const unchanged = text.bytes.compare(bytes, from, to, 0, known.end) === 0;
      touches.set(entity, unchanged ? touch.unchanged : touch.changed);
      const { firstSeen, lastChanged } = known.provenance;
      return { file, firstSeen, lastChanged: unchanged ? lastChanged : version };
    },
  };
}
