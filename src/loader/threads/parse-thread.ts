/** Runs in a parsing thread: parses pieces of files and packs their companies. It opens no file and no environment. */
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

/** A returned piece and its content. */
export interface PieceAnswer {
  readonly piece: Uint8Array<ArrayBuffer>;
  /**
   * Null if the loader's own thread must parse it: it does not end with a record, or the file must be refused because
   * of it.
   */
  readonly parsed: ParsedPiece | null;
}

/** @returns the function to call with each task */
export function parseThread(): (task: ParseTask) => PieceAnswer | undefined {
  let parse: ((piece: Uint8Array) => ParsedPiece | null) | null = null;
  return (task) => {
    if (task.task === 'begin') {
      parse = pieceParser(task.start);
      return undefined;
    }
    if (parse === null) throw new Error('A piece came before the beginning of its file.');
    return { piece: task.piece, parsed: parse(task.piece) };
  };
}

export function memoryOfPiece({ piece, parsed }: PieceAnswer): ArrayBuffer[] {
  return [piece.buffer, ...(parsed === null ? [] : memoryOf(parsed))];
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
