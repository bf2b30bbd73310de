/** Reads a whole CSV file into the report, record by record. */
import { FileRefusal, limits, type PieceReader, type PieceStart, type ReadPiece } from '../file-reader.ts';
import type { RecordReport } from '../record/report.ts';
import { planColumns } from './columns.ts';
import { type CsvKind, recogniseHeader } from './kinds.ts';
import { RowValues } from './row-values.ts';
import { CsvRows, loneReturns } from './rows.ts';
import { type CsvScanner, fieldTexts } from './scanner.ts';

/**
 * More columns than any known file has, so that a message about a wrong header quotes its beginning and not a cut-off.
 */
const columnsMax = 1024;

/**
 * Reads the header of a file from its beginning.
 * @param beginning at least the first line, or the whole file
 * @throws FileRefusal for a header of no known kind
 */
export function readCsvKind(beginning: Uint8Array): CsvKind {
  let kind: CsvKind | undefined;
  const rows = new CsvRows(columnsMax, (bytes, scanner) => {
    if (kind !== undefined) return;
    refuseLoneReturns(bytes, scanner);
    kind = recogniseHeader(fieldTexts(bytes, scanner));
  });
  rows.push(beginning);
  if (kind === undefined) rows.end();
  if (kind === undefined) throw new FileRefusal('is empty');
  return kind;
}

function refuseLoneReturns(bytes: Buffer, scanner: CsvScanner): void {
  // Without the two bytes that may end the line.
  const line = bytes.subarray(scanner.starts[0] ?? 0, scanner.next - 2);
  if (line.includes(carriageReturn)) throw new FileRefusal(loneReturns);
}
const carriageReturn = 13;

export function readCsv(report: RecordReport): PieceReader {
  let header: readonly string[] | null = null;
  let readRow: RowReader | undefined;
  const rows = new CsvRows(columnsMax, (bytes, scanner, line, malformed) => {
    report.moveTo(line);
    if (readRow !== undefined) return readRow(bytes, scanner, malformed);
    header = fieldTexts(bytes, scanner);
    readRow = rowReader(header, report, true);
  });
  return Object.assign(rows, {
    startAfter: (): PieceStart | null => (header === null ? null : { format: 'csv', header }),
  });
}

/** Lines count from 1 in each piece. */
export function readCsvPieces(header: readonly string[], report: RecordReport): ReadPiece {
  const readRow = rowReader(header, report, false);
  const rows = new CsvRows(columnsMax, (bytes, scanner, line, malformed) => {
    report.moveTo(line);
    readRow(bytes, scanner, malformed);
  });
  return (piece) => {
    rows.restart();
    rows.push(piece);
    return rows.isWhole ? rows.places : null;
  };
}

type RowReader = (bytes: Buffer, scanner: CsvScanner, malformed: boolean) => void;

/** @param remarking whether what is odd about the header is reported */
function rowReader(header: readonly string[], report: RecordReport, remarking: boolean): RowReader {
  const kind = recogniseHeader(header);
  const plan = planColumns(kind.header, kind.columnList, kind.keys);
  if (remarking) for (const remark of plan.remarks) report.remarkAt(remark);
  const values = new RowValues(kind.columnList, plan);
  return (bytes, scanner, malformed) => {
    if (malformed) {
      report.reject(null, 'has text between a closing quote and the next comma');
    } else if (scanner.fieldCount !== header.length) {
      report.reject(null, `has ${scanner.fieldCount} fields where the header has ${header.length}`);
    } else {
      refuseLongFields(scanner, header, report);
      values.fill(bytes, scanner);
      kind.read(values, report);
    }
  };
}

function refuseLongFields(scanner: CsvScanner, header: readonly string[], report: RecordReport): void {
  // A short row has no long field.
  if (scanner.next - (scanner.starts[0] ?? 0) <= limits.sourceFieldBytesMax) return;
  for (let index = 0; index < scanner.filledCount; index++) {
    const length = (scanner.ends[index] ?? 0) - (scanner.starts[index] ?? 0);
    if (length > limits.sourceFieldBytesMax) {
      throw new FileRefusal(
        `line ${report.place.number}, column ${header[scanner.columns[index] ?? 0]}: the value has ${length} bytes, ` +
          `but at most ${limits.sourceFieldBytesMax} are allowed (limit sourceFieldBytesMax)`,
      );
    }
  }
}
