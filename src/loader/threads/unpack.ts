/**
 * Unpacks a large file in a separate thread; both ends of it. The thread reads, digests and inflates the file, and splits
 * it into pieces that end with a row or record. It makes one piece for each that is asked for: a number of them at the
 * start, then another in the memory of each that comes back.
 */
import { answeringThread } from '../../threads/answering-thread.ts';
import { GivenBytes, openContent } from '../parse/input/content.ts';
import type { FileIdentity } from '../parse/input/file.ts';
import { Refusal } from '../parse/refusal.ts';
import { type Cut, createCutter, endsOf, type Piece } from './pieces.ts';

/** A file in pieces, most of which end with a row or record. */
export interface Pieces {
  /**
   * The next piece; null after the last.
   * @throws Refusal if the file is broken, after the pieces of everything before
   */
  next(): Promise<Piece | null>;
  /** Reuses the memory of a piece that is no longer needed: the number of pieces is limited. */
  giveBack(piece: Piece): void;
}

export interface UnpackedFile extends Pieces {
  /** Digest of the file as given, in hexadecimal; available once `next` has returned the end. */
  sha256(): string;
  /** Terminates the thread. */
  end(): void;
}

interface FileToUnpack {
  readonly path: string;
  readonly identity: FileIdentity;
  readonly cut: Cut;
  readonly pieceBytes: number;
}

type UnpackTask =
  | { readonly task: 'begin'; readonly file: FileToUnpack }
  /** Asks for the next piece; `free` is one that is no longer needed. */
  | { readonly task: 'next'; readonly free: Piece | null };

type Unpacked =
  /** `bytesRead` counts the file as given. */
  | { readonly piece: Piece; readonly bytesRead: number }
  /** After the last piece. `refusal` says why the file is broken; null if it is whole. */
  | { readonly sha256: string; readonly refusal: string | null };

const threadUrl = new URL('../../../workers/unpack.ts', import.meta.url).href;

/** @param progress receives how many bytes of the file as given were read up to the next piece */
export function unpack(
  path: string,
  identity: FileIdentity,
  cut: Cut,
  { pieceBytes, piecesMax }: { readonly pieceBytes: number; readonly piecesMax: number },
  progress: (bytesRead: number) => void,
): UnpackedFile {
  const worker = new Worker(threadUrl);
  const thread = answeringThread<UnpackTask, Unpacked>(worker, 'The thread that unpacks a file');
  const ask = (free: Piece | null) => {
    const answer = thread.ask({ task: 'next', free }, free === null ? [] : [free.buffer]);
    // A failure is thrown when its answer is taken.
    answer.catch(() => {});
    return answer;
  };
  let sha256 = '';
  thread.tell({ task: 'begin', file: { path, identity, cut, pieceBytes } });
  // One more, so that the next piece is ready when one of them comes back.
  const asked = Array.from({ length: piecesMax + 1 }, () => ask(null));
  return {
    async next() {
      const unpacked = await (asked.shift() ?? ask(null));
      if ('piece' in unpacked) {
        progress(unpacked.bytesRead);
        return unpacked.piece;
      }
      if (unpacked.refusal !== null) throw new Refusal(unpacked.refusal);
      sha256 = unpacked.sha256;
      return null;
    },
    giveBack: (piece) => void asked.push(ask(piece)),
    sha256: () => sha256,
    end: thread.terminate,
  };
}

/** @returns the function to call in the thread with each task */
export function unpackThread(): (task: UnpackTask) => Promise<Unpacked | undefined> {
  const free: Piece[] = [];
  let pieces: AsyncGenerator<Unpacked> | null = null;
  return async (task) => {
    if (task.task === 'begin') {
      const { pieceBytes } = task.file;
      pieces = unpackedPieces(task.file, () => free.pop() ?? new Uint8Array(pieceBytes));
      return undefined;
    }
    if (task.free !== null) free.push(new Uint8Array(task.free.buffer));
    return (await pieces?.next())?.value;
  };
}

export function memoryOfUnpacked(unpacked: Unpacked): ArrayBuffer[] {
  return 'piece' in unpacked ? [unpacked.piece.buffer] : [];
}

async function* unpackedPieces(
  { path, identity, cut }: FileToUnpack,
  memory: () => Piece,
): AsyncGenerator<Unpacked> {
  const given = new GivenBytes();
  const cutter = createCutter(memory, endsOf(cut));
  let refusal: string | null = null;
  try {
    const content = await openContent(path, identity);
    for await (const chunk of content.chunks(given.take)) {
      for (const piece of cutter.push(chunk)) yield { piece, bytesRead: given.count };
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refusal = error.message;
  }
  yield { piece: cutter.rest(), bytesRead: given.count };
  yield { sha256: given.sha256(), refusal };
}
