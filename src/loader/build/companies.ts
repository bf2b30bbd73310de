/** Writes level 1 records into the `entities` table. */
import { ByteWriter } from '../../bytes/byte-writer.ts';
import { withRoom } from '../../bytes/room.ts';
import type { LegalEntityRecord } from '../../lei/company.ts';
import { append, glimpse, rowCount, type TextTable } from '../../lmdb.ts';
import {
  isSameRecord,
  lastUpdateOf,
  type Provenance,
  packCompany,
  provenanceText,
  splitStored,
} from '../../store/company-record.ts';
import { readDirectoryValue } from '../../store/raw-publication.ts';
import type { Tables } from '../../store/tables.ts';
import type { Base } from '../base.ts';
import { type CompanyTexts, createCompanyTexts } from '../company-texts.ts';
import { type PackedText, type PreparedBlock, type PreparedEntry, textOf } from '../rows.ts';
import type { Entities } from './entities.ts';
import { isOutdated } from './moments.ts';
import { createMarks } from './number-list.ts';

/** The effect of this load on a company, compared with the base. */
export const touch = { none: 0, unchanged: 1, changed: 2, created: 3 } as const;

/** Receives every change of the table. */
export interface CompanyListener {
  /** Receives new numbers: those that nobody has prepared for the index by their texts, the others in their blocks. */
  stored(texts: CompanyTexts, prepared: readonly PreparedBlock[]): void;
  /** The text of a number has changed. */
  rewritten(): void;
}

/** A record as it is stored, and its text for the search index; null if that is not prepared. */
interface CompanyText {
  readonly lei: string;
  readonly packed: PackedText;
  readonly prepared: PreparedEntry | null;
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

export type Companies = ReturnType<typeof createCompanies>;

/** @param version index of this publication's version */
export function createCompanies(
  tables: Tables,
  entities: Entities,
  before: Before,
  version: number,
  listener: CompanyListener,
) {
  const origins = createOrigins(entities, before, version);
  const texts = createPendingCompanies(tables.entities, before.base, listener);
  return {
    /** Stores a record unless a later one of the same company came before it. */
    put({ lei, packed, prepared }: CompanyText, file: number): 'stored' | 'replaced' | 'superseded' {
      const entity = entities.number(lei);
      const isFirst = origins.touched(entity) === touch.none;
      if (!isFirst && isOutdated(lastUpdateOf(textOf(packed)), lastUpdateOf(texts.get(entity) ?? ''))) {
        return 'superseded';
      }
      entities.setRecord(entity);
      texts.put(entity, { packed, prepared, provenance: origins.provenanceOf(entity, packed, file) });
      return isFirst ? 'stored' : 'replaced';
    },
    /** One of {@link touch}. */
    touched: origins.touched,
    /** Companies for which this load brought a record, in order of their numbers. */
    brought: origins.brought,
    /** The stored text; undefined if there is none. */
    stored: texts.get,
    /** Whether this load brought the company that has this number in the base. */
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
      const unchanged =
        text.bytes.compare(bytes, from, to, 0, known.end) === 0 ||
        isSameRecord(text.bytes.toString('utf8', 0, known.end), textOf({ bytes, from, to }));
      touches.set(entity, unchanged ? touch.unchanged : touch.changed);
      const { firstSeen, lastChanged } = known.provenance;
      return { file, firstSeen, lastChanged: unchanged ? lastChanged : version };
    },
  };
}

/** Rows of a transaction: enough to make its cost negligible, few enough for a few megabytes. */
const rowsPerFlush = 20_000;

interface PendingCompany {
  readonly packed: PackedText;
  readonly provenance: Provenance;
  readonly prepared: PreparedEntry | null;
}

interface PendingRow extends Pick<PackedText, 'from' | 'to'> {
  readonly prepared: PreparedEntry | null;
}

/** Collects companies for the table, which is written many rows at a time. */
function createPendingCompanies(table: TextTable, base: Base | null, listener: CompanyListener) {
  /** Where the texts of the companies to be written stand in `texts`; replaced ones stay there unused. */
  const pending = new Map<number, PendingRow>();
  const texts = new ByteWriter();
  const told = createProvenanceText();
  let lastBlock: PreparedBlock | null = null;
  let appended = rowCount(table);
  const unprepared = createCompanyTexts();
  const blocks = new Set<PreparedBlock>();

  const tell = (entity: number, text: Buffer, prepared: PreparedEntry | null) => {
    if (prepared === null) return unprepared.add(entity, text);
    blocks.add(prepared.block);
    prepared.block.entities[prepared.place] = entity;
  };
  /** @returns whether a number of the table got another text */
  const write = () => {
    let rewritten = false;
    const bytes = texts.view();
    for (const [entity, { from, to, prepared }] of pending) {
      const text = bytes.subarray(from, to);
      if (entity > appended) {
        append(table, entity, text);
        appended = entity;
        tell(entity, text, prepared);
      } else {
        table.putSync(entity, text, {});
        rewritten = true;
      }
    }
    return rewritten;
  };
  const flush = () => {
    // First unmap the base: a delta writes to many pages of its copy, and the mapped pages of both would add up.
    base?.unmap();
    const rewritten = table.transactionSync(write);
    listener.stored(unprepared.taken(), [...blocks]);
    if (rewritten) listener.rewritten();
    pending.clear();
    blocks.clear();
    texts.clear();
  };
  /** A block is passed to the index as a whole, so all its companies are written at once. */
  const flushMany = (block: PreparedBlock | null) => {
    if (pending.size >= rowsPerFlush && (block === null || block !== lastBlock)) flush();
    lastBlock = block;
  };
  return {
    get(entity: number): string | undefined {
      const row = pending.get(entity);
      return row === undefined ? table.get(entity) : texts.view().toString('utf8', row.from, row.to);
    },
    put(entity: number, { packed, provenance, prepared }: PendingCompany) {
      flushMany(prepared?.block ?? null);
      const from = texts.length;
      texts.append(packed.bytes.subarray(packed.from, packed.to));
      texts.append(told(provenance));
      pending.set(entity, { from, to: texts.length, prepared });
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
