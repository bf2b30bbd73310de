/**
 * Reads a file whose records are parsed in threads, with the same outcome as in one.
 *
 * Nobody can tell where a row of CSV begins without reading all that comes before: a line feed may stand within a field.
 * The same holds for records of XML, since a comment may hold the end of one. So the file is cut where a row or record
 * seems to end, and each piece is parsed as if it began with one. Whether it does is known once the piece before it is
 * read: it must have ended with a row or record. Where it did not, this thread reads on by itself until a piece does. It
 * also reads again what a thread would have to refuse, since it alone knows the place in the file.
 */
import type { PieceReader, PieceStart } from '../parse/chunk-reader.ts';
import type { RecordReport } from '../parse/record/report.ts';
import { reportPiece } from './parsed-piece.ts';
import type { PieceAnswer, ReadingThreads } from './reading-threads.ts';
import type { Pieces } from './unpack.ts';

export interface PieceReading {
  readonly report: RecordReport;
  readonly threads: ReadingThreads;
  /** Awaited from time to time, so that the receiver of the rows can catch up. */
  ready(): Promise<void> | undefined;
}

/**
 * @param reader of the whole file, into the report
 * @throws Refusal, as the reader of a whole file does, once all rows before the fault are reported
 */
export async function readInThreads(
  pieces: Pieces,
  reader: PieceReader,
  { report, threads, ready }: PieceReading,
): Promise<void> {
  let start: PieceStart | null = null;
  /** Pieces under way, in the order of the file. */
  const asked: Promise<PieceAnswer>[] = [];
  const takeUntil = async (left: number) => {
    for (let next = asked[0]; next !== undefined && asked.length > left; next = asked[0]) {
      const read = await next;
      asked.shift();
      take(read, reader, report);
      pieces.giveBack(read.piece);
      await ready();
    }
  };
  /** Where the file itself breaks off, all before it is reported first. */
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
    } else asked.push(handled(threads.parse(piece)));
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

/** A failure is thrown where the piece is taken; until then nobody waits for it. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
