/** Collects companies for the `entities` table, which is written many rows at a time. */
import { ByteWriter } from '../../bytes/byte-writer.ts';
import { append, rowCount, type TextTable } from '../../lmdb.ts';
import { type Provenance, provenanceText } from '../../store/company-record.ts';
import type { Base } from '../base.ts';
import { type CompanyTexts, createCompanyTexts } from '../company-texts.ts';
import type { PackedText, Prepared, PreparedBlock } from '../rows.ts';

/** Receives every change of the table. */
export interface CompanyListener {
  /** Receives new numbers: those that nobody has prepared for the index by their texts, the others in their blocks. */
  stored(texts: CompanyTexts, prepared: readonly PreparedBlock[]): void;
  /** The text of a number has changed. */
  rewritten(): void;
}

/** Rows of a transaction: enough to make its cost negligible, few enough for a few megabytes. */
const rowsPerFlush = 20_000;

interface PendingCompany {
  readonly packed: PackedText;
  readonly provenance: Provenance;
  readonly prepared: Prepared | null;
}

interface PendingRow extends Pick<PackedText, 'from' | 'to'> {
  readonly prepared: Prepared | null;
}

export function createPendingCompanies(table: TextTable, base: Base | null, listener: CompanyListener) {
  /** Where the texts of the companies to be written stand in `texts`; replaced ones stay there unused. */
  const pending = new Map<number, PendingRow>();
  const texts = new ByteWriter();
  const told = createProvenanceText();
  let lastBlock: PreparedBlock | null = null;
  let appended = rowCount(table);
  const unprepared = createCompanyTexts();
  const blocks = new Set<PreparedBlock>();

  const tell = (entity: number, text: Buffer, prepared: Prepared | null) => {
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
