/** Takes level 1 records: compares them with the base, and keeps them until their rows are written. */
import { withRoom } from '../../bytes/memory.ts';
import type { LegalEntityRecord } from '../../lei/company.ts';
import { isOutdated } from '../../lei/dates.ts';
import type { Glimpse } from '../../lmdb.ts';
import {
  isSameCompany,
  lastUpdateOf,
  type Provenance,
  packCompany,
  provenanceText,
  splitStored,
} from '../../store/company-record.ts';
import { textOfRow } from '../../store/stored-companies.ts';
import type { Base } from '../base.ts';
import { type CompanyTexts, createCompanyTexts } from '../company-texts.ts';
import { type PackedText, type PreparedBlock, type PreparedEntry, textOf } from '../rows.ts';
import type { CompanyRecords } from './company-records.ts';
import type { Entities } from './entities.ts';
import { createMarks } from './number-list.ts';

/** The effect of this load on a company, compared with the base. */
export const touch = { none: 0, unchanged: 1, changed: 2, created: 3 } as const;

/** Receives every record once {@link CompanyRecords} has it. */
export interface CompanyListener {
  /** Receives companies stored for the first time: texts of those that are not prepared for the index, blocks of the others. */
  stored(texts: CompanyTexts, prepared: readonly PreparedBlock[]): void;
  /** A company that was received before has got another record. */
  rewritten(): void;
}

/** A record as it is stored. */
interface PackedCompany {
  readonly lei: string;
  readonly packed: PackedText;
  /** Its text for the search index; null if that is not prepared. */
  readonly prepared: PreparedEntry | null;
}

let encoded = Buffer.allocUnsafeSlow(64 * 1024);

/** Packs a record. Its bytes are valid until the next call. */
export function packedCompany(record: LegalEntityRecord): PackedCompany {
  const text = packCompany(record);
  // UTF-8 needs at most three bytes for each UTF-16 unit.
  encoded = withRoom(encoded, 0, text.length * 3, Buffer.allocUnsafeSlow);
  return { lei: record.lei, packed: { bytes: encoded, from: 0, to: encoded.write(text) }, prepared: null };
}

interface LoadOfCompanies {
  readonly listener: CompanyListener;
  /** Index of this publication's version. */
  readonly version: number;
  /** The publication that companies are compared with; null for none. */
  readonly base: Base | null;
  /** True for a delta, which brings few of the companies of its base. */
  readonly few: boolean;
}

export type Companies = ReturnType<typeof createCompanies>;

export function createCompanies(records: CompanyRecords, entities: Entities, load: LoadOfCompanies) {
  const origins = createOrigins(entities, load);
  const pending = createPending(records, load);
  return {
    /** Stores a record unless a later one of the same company came before it. */
    put({ lei, packed, prepared }: PackedCompany, file: number): 'stored' | 'replaced' | 'superseded' {
      const entity = entities.number(lei);
      const isFirst = origins.touched(entity) === touch.none;
      if (!isFirst && isOutdated(lastUpdateOf(textOf(packed)), lastUpdateOf(storedText(records, entity)))) {
        return 'superseded';
      }
      pending.put(entity, { packed, prepared, provenance: origins.provenanceOf(entity, packed, file) });
      return isFirst ? 'stored' : 'replaced';
    },
    /** One of {@link touch}. */
    touched: origins.touched,
    /** The text that this load brought; '' if it brought none. */
    stored: (entity: number) => storedText(records, entity),
    /** Whether this load brought the company that has this number in the base. */
    seenInBase: origins.seenInBase,
    flush: pending.flush,
  };
}

function storedText(records: CompanyRecords, entity: number): string {
  return textOfRow(records.read(entity)) ?? '';
}

/** Compares companies with the base: carries over since when each is known, and records the effect of this load. */
function createOrigins(entities: Entities, { base, few, version }: LoadOfCompanies) {
  const touches = createMarks(few);
  const baseSeen = createMarks(few);
  const knownText = (entity: number): Glimpse | null => {
    const before = entities.inBase(entity);
    if (before === null || base === null) return null;
    baseSeen.set(before.entity, 1);
    return base.companies.record(before.entity);
  };
  return {
    touched: touches.get,
    seenInBase: (baseEntity: number) => baseSeen.get(baseEntity) === 1,
    provenanceOf(entity: number, { bytes, from, to }: PackedText, file: number): Provenance {
      const text = knownText(entity);
      const known = text === null ? null : splitStored(text);
      if (text === null || known === null) {
        touches.set(entity, touch.created);
        return { file, firstSeen: version, lastChanged: version };
      }
      const unchanged =
        text.bytes.compare(bytes, from, to, 0, known.end) === 0 ||
        isSameCompany(text.bytes.toString('utf8', 0, known.end), textOf({ bytes, from, to }));
      touches.set(entity, unchanged ? touch.unchanged : touch.changed);
      const { firstSeen, lastChanged } = known.provenance;
      return { file, firstSeen, lastChanged: unchanged ? lastChanged : version };
    },
  };
}

/** Companies that are passed on together. */
const recordsPerFlush = 20_000;

interface PendingCompany {
  readonly packed: PackedText;
  readonly provenance: Provenance;
  readonly prepared: PreparedEntry | null;
}

/** Passes companies on to the listener, many at a time. */
function createPending(records: CompanyRecords, { base, listener }: LoadOfCompanies) {
  const pending = new Map<number, PreparedEntry | null>();
  const textOfProvenance = createProvenanceText();
  let lastBlock: PreparedBlock | null = null;
  let rewritten = false;
  const unprepared = createCompanyTexts();

  const flush = () => {
    base?.unmap();
    const blocks = new Set<PreparedBlock>();
    for (const [entity, prepared] of pending) {
      if (prepared === null) {
        const text = records.read(entity);
        if (text !== null) unprepared.add(entity, text.bytes.subarray(0, text.length));
      } else {
        blocks.add(prepared.block);
        prepared.block.entities[prepared.place] = entity;
      }
    }
    listener.stored(unprepared.taken(), [...blocks]);
    if (rewritten) listener.rewritten();
    pending.clear();
    rewritten = false;
  };
  /** A block is passed to the index as a whole, so all its companies are passed on at once. */
  const flushMany = (block: PreparedBlock | null) => {
    if (pending.size >= recordsPerFlush && (block === null || block !== lastBlock)) flush();
    lastBlock = block;
  };
  return {
    put(entity: number, { packed, provenance, prepared }: PendingCompany) {
      flushMany(prepared?.block ?? null);
      if (records.has(entity) && !pending.has(entity)) rewritten = true;
      else pending.set(entity, prepared);
      records.add(entity, packed.bytes.subarray(packed.from, packed.to), textOfProvenance(provenance));
    },
    flush,
  };
}

/** Nearly all companies of a file have the same provenance as the one before. */
function createProvenanceText(): (provenance: Provenance) => Uint8Array {
  let before: Provenance = { file: -1, firstSeen: -1, lastChanged: -1 };
  let text = Buffer.alloc(0);
  return (provenance) => {
    const { file, firstSeen, lastChanged } = provenance;
    const isSame =
      file === before.file && firstSeen === before.firstSeen && lastChanged === before.lastChanged;
    if (!isSame) text = Buffer.from(provenanceText(provenance));
    before = provenance;
    return text;
  };
}
