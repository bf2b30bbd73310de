/** Runs in a parsing thread: parses pieces of files and packs their companies. It opens no file and no environment. */
import { placeOf } from '../../errors.ts';
import type { PieceStart, ReadPiece } from '../parse/chunk-reader.ts';
import { readPieces } from '../parse/recognise.ts';
import { RecordReport } from '../parse/record/report.ts';
import { Refusal } from '../parse/refusal.ts';
import { createPieceSink, memoryOf, type ParsedPiece } from './parsed-piece.ts';

/** To the thread. */
export type ParseTask =
  /** Pieces from here on are of a file that begins so. */
  | { readonly task: 'begin'; readonly start: PieceStart }
  | { readonly task: 'parse'; readonly piece: Uint8Array<ArrayBuffer> };

/** From the thread, one for each piece, in order. */
export type ParseNews =
  | {
      readonly news: 'parsed';
      /** The piece itself, returned. */
      readonly piece: Uint8Array<ArrayBuffer>;
      /**
       * Null if it can't be parsed separately: it does not end with a record, or the file must be refused because of
       * it.
       */
      readonly parsed: ParsedPiece | null;
    }
  | { readonly news: 'failed'; readonly message: string };

type Tell = (news: ParseNews, transfer: ArrayBuffer[]) => void;

/** @returns the function to call with each task */
export function parseThread(tell: Tell): (task: ParseTask) => void {
  let parse: ((piece: Uint8Array) => ParsedPiece | null) | null = null;
  const run = (task: ParseTask) => {
    if (task.task === 'begin') {
      parse = pieceParser(task.start);
      return;
    }
    if (parse === null) throw new Error('A piece came before the beginning of its file.');
    const { piece } = task;
    const parsed = parse(piece);
    const transfer = parsed === null ? [] : memoryOf(parsed);
    tell({ news: 'parsed', piece, parsed }, [piece.buffer, ...transfer]);
  };
  return (task) => {
    try {
      run(task);
    } catch (error) {
      tell({ news: 'failed', message: placeOf(error) }, []);
    }
  };
}

function pieceParser(start: PieceStart): (piece: Uint8Array) => ParsedPiece | null {
  const sink = createPieceSink();
  const read = readPieces(start, new RecordReport(sink, start.format === 'csv' ? 'line' : 'record'));
  return (piece) => {
    const places = placesRead(read, piece);
    const parsed = sink.taken(places ?? 0);
    return places === null ? null : parsed;
  };
}

/** The loader's own thread parses again what must be refused: it knows the place in the file. */
function placesRead(read: ReadPiece, piece: Uint8Array): number | null {
  try {
    return read(piece);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
