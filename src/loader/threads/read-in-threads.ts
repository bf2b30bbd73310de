/**
 * Reads a CSV file whose rows are parsed in threads, with the same outcome as in one.
 *
 * The beginning of a row is known only after reading everything before it, because a field may contain a line feed. So
 * the file is split at line feeds and each piece is parsed as if it began with a row. This is confirmed once the piece
 * before it has ended with a row. If it has not, this thread parses by itself until a piece does. It also parses again
 * what a thread would have to refuse, because it alone knows the place in the file.
 */
import { type CsvReader, readCsv } from '../parse/csv/read-csv.ts';
import type { RecordReport } from '../parse/record/report.ts';
import { reportPiece } from './parsed-piece.ts';
import type { Piece } from './pieces.ts';
import type { ReadingThreads, ReadPiece } from './reading-threads.ts';
import type { Pieces } from './unpack.ts';

/**
 * @param ready awaited from time to time, so that the receiver of the rows can catch up
 * @throws Refusal, as the reader of a whole file does, once all rows before the fault are reported
 */
export async function readInThreads(
  pieces: Pieces,
  report: RecordReport,
  threads: ReadingThreads,
  ready: () => Promise<void> | undefined,
): Promise<void> {
  const reader = readCsv(report);
  /** Pieces that are being parsed, in the order of the file. */
  const asked: Promise<ReadPiece>[] = [];
  const takeUntil = async (left: number) => {
    for (let next = asked[0]; next !== undefined && asked.length > left; next = asked[0]) {
      const read = await next;
      asked.shift();
      take(read, reader, report);
      pieces.giveBack(read.piece);
      await ready();
    }
  };
  /** If the file itself breaks off, everything before that point is reported first. */
  const nextPiece = async () => {
    try {
      return await pieces.next();
    } catch (error) {
      await takeUntil(0);
      throw error;
    }
  };
  for (let piece = await nextPiece(); piece !== null; piece = await nextPiece()) {
    if (reader.header === null) {
      readHeader(piece, reader, threads);
      pieces.giveBack(piece);
    } else asked.push(handled(threads.parse(piece)));
    await takeUntil(threads.piecesMax - 1);
  }
  await takeUntil(0);
  reader.end();
}

/** The first piece: its columns are needed to parse the others. */
function readHeader(piece: Piece, reader: CsvReader, threads: ReadingThreads): void {
  reader.push(piece);
  if (reader.header !== null) threads.begin(reader.header);
}

function take({ piece, parsed }: ReadPiece, reader: CsvReader, report: RecordReport): void {
  if (parsed === null || !reader.isWhole) {
    reader.push(piece);
    return;
  }
  reportPiece(parsed, reader.lines, report);
  reader.skip(parsed.lines);
}

/** A failure is thrown when the piece is taken; until then nobody waits for it. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
