/**
 * Reads a file whose records are parsed in threads, with the same outcome as in one.
 *
 * The beginning of a row is known only after reading everything before it, because a field may contain a line feed; a
 * comment in XML may contain the end of a record. So the file is split where a row or record seems to end, and each piece
 * is parsed as if it began with one. This is confirmed once the piece before it has ended with one. If it has not, this
 * thread parses by itself until a piece does. It also parses again what a thread would have to refuse, because it alone
 * knows the place in the file.
 */
import { ResultQueue } from '../../threads/tasks.ts';
import type { PieceReader, PieceStart } from '../parse/file-reader.ts';
import type { RecordReport } from '../parse/record/report.ts';
import { reportPiece } from './parsed-piece.ts';
import type { PieceAnswer, ReadingThreads } from './reading-threads.ts';
import type { FilePieces } from './unpack.ts';

export interface PieceReading {
  readonly report: RecordReport;
  readonly threads: ReadingThreads;
  /** Awaited from time to time, so that the receiver of the rows can catch up. */
  ready(): Promise<void> | undefined;
}

/**
 * @param reader of the whole file, into the report
 * @throws FileRefusal, as the reader of a whole file does, once all rows before the fault are reported
 */
export async function readInThreads(
  pieces: FilePieces,
  reader: PieceReader,
  { report, threads, ready }: PieceReading,
): Promise<void> {
  let start: PieceStart | null = null;
  /** Pieces that are being parsed, in the order of the file. */
  const asked = new ResultQueue<PieceAnswer>();
  const takeUntil = async (left: number) => {
    for await (const read of asked.downTo(left)) {
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
    if (start === null) {
      reader.push(piece);
      start = reader.startAfter(piece);
      if (start !== null) threads.begin(start);
      pieces.giveBack(piece);
    } else asked.add(threads.parse(piece));
    await takeUntil(threads.piecesMax - 1);
  }
  await takeUntil(0);
  reader.end();
}

function take({ piece, parsed }: PieceAnswer, reader: PieceReader, report: RecordReport): void {
  if (parsed === null || !reader.isWhole) {
    reader.push(piece);
    return;
  }
  reportPiece(parsed, reader.places, report);
  reader.skip(parsed.count);
}
