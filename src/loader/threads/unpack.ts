/**
 * Unpacks a large file in a separate thread; both ends of it. The thread reads, digests and inflates the file, and splits
 * it into pieces that end with a row or record. It makes one piece for each that is asked for: a number of them at the
 * start, then another in the memory of each that comes back.
 */
import { type CallHandlers, ResultWithMemory } from '../../threads/calls.ts';
import { TaskThread } from '../../threads/tasks.ts';
import { FileRefusal } from '../parse/file-reader.ts';
import { GivenBytes, openContent } from '../parse/input/content.ts';
import type { FileIdentity } from '../parse/input/file.ts';
import { type CutRule, createCutter, endsOf, type FilePiece } from './pieces.ts';

/** A file in pieces, most of which end with a row or record. */
export interface FilePieces {
  /**
   * The next piece; null after the last.
   * @throws FileRefusal if the file is broken, after the pieces of everything before
   */
  next(): Promise<FilePiece | null>;
  /** Reuses the memory of a piece that is no longer needed: the number of pieces is limited. */
  giveBack(piece: FilePiece): void;
}

export interface UnpackedFile extends FilePieces {
  /** Digest of the file as given, in hexadecimal; available once `next` has returned the end. */
  sha256(): string;
  /** Terminates the thread. */
  end(): void;
}

interface FileToUnpack {
  readonly path: string;
  readonly identity: FileIdentity;
  readonly cut: CutRule;
}

/** The tasks of the thread. */
export interface UnpackingTasks {
  begin(file: FileToUnpack, pieceBytes: number): void;
  /** Makes the next piece; undefined after the end. `free` is a piece that is no longer needed. */
  next(free: FilePiece | null): UnpackedPart | undefined;
}

type UnpackedPart =
  /** `bytesRead` counts the file as given. */
  | { readonly piece: FilePiece; readonly bytesRead: number }
  /** After the last piece. `refusal` says why the file is broken; null if it is whole. */
  | { readonly sha256: string; readonly refusal: string | null };

const threadUrl = new URL('../../../workers/unpack.ts', import.meta.url).href;

/** @param progress receives how many bytes of the file as given were read up to the next piece */
export function unpack(
  file: FileToUnpack,
  { pieceBytes, piecesMax }: { readonly pieceBytes: number; readonly piecesMax: number },
  progress: (bytesRead: number) => void,
): UnpackedFile {
  const thread = new TaskThread<UnpackingTasks>(new Worker(threadUrl), 'The thread that unpacks a file', {});
  const ask = (free: FilePiece | null) => thread.do('next', [free], free === null ? [] : [free.buffer]);
  let sha256 = '';
  thread.tell('begin', [file, pieceBytes]);
  // One more, so that the next piece is ready when one of them comes back.
  const asked = Array.from({ length: piecesMax + 1 }, () => ask(null));
  return {
    async next() {
      const unpacked = await (asked.shift() ?? ask(null));
      if (unpacked === undefined) return null;
      if ('piece' in unpacked) {
        progress(unpacked.bytesRead);
        return unpacked.piece;
      }
      if (unpacked.refusal !== null) throw new FileRefusal(unpacked.refusal);
      sha256 = unpacked.sha256;
      return null;
    },
    giveBack: (piece) => void asked.push(ask(piece)),
    sha256: () => sha256,
    end: thread.terminate,
  };
}

/** Runs in the thread. */
export function unpackingTasks(): CallHandlers<UnpackingTasks> {
  const free: FilePiece[] = [];
  let pieces: AsyncGenerator<UnpackedPart> | null = null;
  return {
    begin(file, pieceBytes) {
      pieces = unpackedPieces(file, () => free.pop() ?? new Uint8Array(pieceBytes));
    },
    async next(returned) {
      if (returned !== null) free.push(new Uint8Array(returned.buffer));
      const unpacked = (await pieces?.next())?.value;
      return unpacked !== undefined && 'piece' in unpacked
        ? new ResultWithMemory(unpacked, [unpacked.piece.buffer])
        : unpacked;
    },
  };
}

async function* unpackedPieces(
  { path, identity, cut }: FileToUnpack,
  memory: () => FilePiece,
): AsyncGenerator<UnpackedPart> {
  const given = new GivenBytes();
  const cutter = createCutter(memory, endsOf(cut));
  let refusal: string | null = null;
  try {
    const content = await openContent(path, identity);
    for await (const chunk of content.chunks(given.take)) {
      for (const piece of cutter.push(chunk)) yield { piece, bytesRead: given.count };
    }
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    refusal = error.message;
  }
  yield { piece: cutter.rest(), bytesRead: given.count };
  yield { sha256: given.sha256(), refusal };
}
