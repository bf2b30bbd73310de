/** The result of parsing a piece of a file, as plain data that crosses threads cheaply. */
import type { LegalEntityRecord } from '../../lei/company.ts';
import { leiLength } from '../../store/company-fields.ts';
import { packCompany } from '../../store/company-record.ts';
import { preparedJson } from '../../store/search/build/prepared-company.ts';
import { loaderLimits } from '../limits.ts';
import type { RecordReport } from '../parse/record/report.ts';
import type { PreparedBlock, RowFault, RowPlace, SourceRow } from '../rows.ts';
import { columnsOf, type RowColumns, rowsOfColumns } from './columns.ts';

/** The rows of a piece and their faults. Places, lines or records, count from 1 in the piece. */
export interface ParsedPiece {
  /** How many places. */
  readonly count: number;
  /** The place of each row. */
  readonly places: Uint32Array<ArrayBuffer>;
  readonly rows: PieceRows;
  readonly faults: readonly PieceFault[];
}

type PieceRows =
  | {
      readonly kind: 'companies';
      /** Packed records, one after the other, as UTF-8: they are stored as they are. */
      readonly packed: Uint8Array<ArrayBuffer>;
      /** The end of each of them. */
      readonly ends: Uint32Array<ArrayBuffer>;
      readonly prepared: PreparedBlock;
      /** Some of them unpacked, by their numbers in the piece. */
      readonly records: ReadonlyMap<number, LegalEntityRecord>;
    }
  | RowColumns;

interface PieceFault {
  /** Rows of the piece that come before it. */
  readonly after: number;
  readonly kind: 'reject' | 'remark';
  readonly fault: RowFault;
}

/** The parts of a piece other than plain values: their memory is passed from thread to thread. */
export function memoryOf({ places, rows }: ParsedPiece): ArrayBuffer[] {
  if (rows.kind !== 'companies') return [places.buffer];
  const { packed, ends, prepared } = rows;
  return [places.buffer, packed.buffer, ends.buffer, prepared.entities.buffer, prepared.json.buffer];
}

/** Collects the rows of one piece after the other. */
export function createPieceSink() {
  let gathered = createGathered();
  return {
    row(row: SourceRow, { number }: RowPlace): void {
      gathered.places.push(number);
      if (row.kind === 'level-1') gatherCompany(gathered, row.record);
      else gathered.others.push(row);
    },
    reject: (fault: RowFault) => gatherFault(gathered, 'reject', fault),
    remark: (fault: RowFault) => gatherFault(gathered, 'remark', fault),
    /** The rows since the last call. @param count places of the piece */
    taken(count: number): ParsedPiece {
      const { places, companies, others, faults } = gathered;
      gathered = createGathered();
      const rows = companies.texts.length > 0 ? companiesOf(companies) : columnsOf(others);
      return { count, places: Uint32Array.from(places), rows, faults };
    },
  };
}

function createGathered() {
  return {
    places: [] as number[],
    companies: {
      texts: [] as string[],
      prepared: [] as string[],
      records: new Map<number, LegalEntityRecord>(),
    },
    others: [] as SourceRow[],
    faults: [] as PieceFault[],
  };
}
type GatheredColumns = ReturnType<typeof createGathered>;

function gatherCompany({ companies }: GatheredColumns, record: LegalEntityRecord): void {
  const { texts, prepared, records } = companies;
  if (texts.length % loaderLimits.companiesPerRecord === 0) records.set(texts.length, record);
  // As in UTF-8: JSON may contain half of a surrogate pair.
  const text = packCompany(record).toWellFormed();
  texts.push(text);
  prepared.push(preparedJson(text));
}

const encoder = new TextEncoder();

function companiesOf({ texts, prepared, records }: GatheredColumns['companies']): PieceRows {
  let end = 0;
  const ends = Uint32Array.from(texts, (text) => (end += Buffer.byteLength(text)));
  return {
    kind: 'companies',
    packed: encoder.encode(texts.join('')),
    ends,
    prepared: {
      entities: new Uint32Array(texts.length),
      json: encoder.encode(`[${prepared.join(',')}]`),
    },
    records,
  };
}

function gatherFault({ places, faults }: GatheredColumns, kind: PieceFault['kind'], fault: RowFault): void {
  faults.push({ after: places.length, kind, fault });
}

/** Reports the content of a piece, in order. @param before places of the file before the piece */
export function reportPiece(
  { places, rows, faults }: ParsedPiece,
  before: number,
  report: RecordReport,
): void {
  let told = 0;
  const tellFaults = (after: number) => {
    for (let next = faults[told]; next !== undefined && next.after <= after; next = faults[++told]) {
      report.moveTo(before + next.fault.place.number);
      report[next.kind](next.fault.column, next.fault.reason);
    }
  };
  rowsOf(rows).forEach((row, index) => {
    tellFaults(index);
    report.moveTo(before + (places[index] ?? 0));
    report.row(row);
  });
  tellFaults(places.length);
}

function rowsOf(rows: PieceRows): readonly SourceRow[] {
  if (rows.kind !== 'companies') return rowsOfColumns(rows);
  const { packed, ends, prepared, records } = rows;
  const leis = Buffer.from(packed.buffer, packed.byteOffset, packed.length);
  const made: SourceRow[] = [];
  // No Array.from or for…of: their iterators over a typed array cost as much as the rows.
  for (let place = 0; place < ends.length; place++) {
    const from = ends[place - 1] ?? 0;
    made.push({
      kind: 'packed-level-1',
      lei: leis.toString('latin1', from, from + leiLength),
      packed: { bytes: packed, from, to: ends[place] ?? from },
      prepared: { block: prepared, place },
      record: records.get(place) ?? null,
    });
  }
  return made;
}
