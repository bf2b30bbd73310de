/** What a reading thread makes of a piece of a CSV file, as plain data that crosses threads cheaply. */
import type { LegalEntityRecord } from '../../lei/company.ts';
import { leiLength, packCompany } from '../../store/company-record.ts';
import { preparedJson } from '../../store/search/build/prepared-company.ts';
import { loaderLimits } from '../limits.ts';
import type { RecordReport } from '../parse/record/report.ts';
import type { Row, RowFault, RowSink } from '../rows.ts';

/** The rows of a piece and what was found about them. Lines count from 1 in the piece. */
export interface ParsedPiece {
  readonly lines: number;
  /** The line of each row. */
  readonly places: Uint32Array<ArrayBuffer>;
  readonly rows: PieceRows;
  readonly faults: readonly PieceFault[];
}

/** Companies as two texts that hold all of them, since a thousand short strings take much longer to cross. */
type PieceRows =
  | {
      readonly kind: 'companies';
      readonly packed: string;
      readonly indexed: string;
      /** Some of them, by their numbers in the piece. */
      readonly records: ReadonlyMap<number, LegalEntityRecord>;
    }
  /** Rows of the other kinds, as the JSON of a list. */
  | { readonly kind: 'others'; readonly json: string };

interface PieceFault {
  /** Rows of the piece that come before it. */
  readonly after: number;
  readonly told: 'reject' | 'remark';
  readonly fault: RowFault;
}

/** No packed record and no JSON holds it. */
const textSeparator = '\u001d';

/** Gathers the rows of one piece after the other. */
interface PieceSink extends RowSink {
  /** What came since the last call. @param lines of the piece */
  taken(lines: number): ParsedPiece;
}

export function createPieceSink(): PieceSink {
  let gathered = createGathered();
  return {
    row(row, { number }) {
      gathered.places.push(number);
      if (row.kind === 'level-1') gatherCompany(gathered, row.record);
      else gathered.others.push(row);
    },
    reject: (fault) => gatherFault(gathered, 'reject', fault),
    remark: (fault) => gatherFault(gathered, 'remark', fault),
    taken(lines) {
      const { places, packed, indexed, records, others, faults } = gathered;
      gathered = createGathered();
      const rows: PieceRows =
        packed.length === 0
          ? { kind: 'others', json: JSON.stringify(others) }
          : {
              kind: 'companies',
              packed: packed.join(textSeparator),
              indexed: indexed.join(textSeparator),
              records,
            };
      return { lines, places: Uint32Array.from(places), rows, faults };
    },
  };
}

function createGathered() {
  return {
    places: [] as number[],
    packed: [] as string[],
    indexed: [] as string[],
    records: new Map<number, LegalEntityRecord>(),
    others: [] as Row[],
    faults: [] as PieceFault[],
  };
}
type Gathered = ReturnType<typeof createGathered>;

function gatherCompany({ packed, indexed, records }: Gathered, record: LegalEntityRecord): void {
  if (packed.length % loaderLimits.companiesPerRecord === 0) records.set(packed.length, record);
  const text = packCompany(record);
  packed.push(text);
  indexed.push(preparedJson(text));
}

function gatherFault({ places, faults }: Gathered, told: PieceFault['told'], fault: RowFault): void {
  faults.push({ after: places.length, told, fault });
}

/** Reports what a piece holds, in its order. @param linesBefore lines of the file before the piece */
export function reportPiece(
  { places, rows, faults }: ParsedPiece,
  linesBefore: number,
  report: RecordReport,
): void {
  let told = 0;
  const tellFaults = (after: number) => {
    for (let next = faults[told]; next !== undefined && next.after <= after; next = faults[++told]) {
      report.moveTo(linesBefore + next.fault.place.number);
      report[next.told](next.fault.column, next.fault.reason);
    }
  };
  for (const [index, row] of rowsOf(rows).entries()) {
    tellFaults(index);
    report.moveTo(linesBefore + (places[index] ?? 0));
    report.row(row);
  }
  tellFaults(places.length);
}

function rowsOf(rows: PieceRows): readonly Row[] {
  if (rows.kind === 'others') return JSON.parse(rows.json);
  const indexed = rows.indexed.split(textSeparator);
  return rows.packed.split(textSeparator).map((packed, index) => ({
    kind: 'packed-level-1',
    lei: packed.slice(0, leiLength),
    packed,
    indexed: indexed[index] ?? '',
    record: rows.records.get(index) ?? null,
  }));
}
