/** Unpacks a large file in a separate thread, as the loader's own thread sees it. */
import type { FileIdentity } from '../parse/input/file.ts';
import { Refusal } from '../parse/refusal.ts';
import type { Cut, Piece } from './pieces.ts';
import type { UnpackNews, UnpackTask } from './unpack-thread.ts';

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
  const post = (task: UnpackTask, transfer: ArrayBuffer[] = []) => worker.postMessage(task, transfer);
  const arrived: UnpackNews[] = [];
  let arrival = Promise.withResolvers<void>();
  let sha256 = '';
  const hear = (news: UnpackNews) => {
    arrived.push(news);
    arrival.resolve();
  };
  const heard = async (): Promise<UnpackNews> => {
    for (;;) {
      const news = arrived.shift();
      if (news !== undefined) return news;
      arrival = Promise.withResolvers();
      await arrival.promise;
    }
  };
  worker.onmessage = ({ data }: MessageEvent<UnpackNews>) => hear(data);
  const fail = (message: string) => hear({ news: 'ended', ending: { outcome: 'failed', message } });
  worker.onerror = ({ message }) => fail(message);
  worker.addEventListener('close', () => fail('The thread that unpacks a file has ended.'));
  post({ task: 'unpack', path, identity, cut, pieceBytes, piecesMax });
  return {
    async next() {
      const news = await heard();
      if (news.news === 'piece') {
        progress(news.bytesRead);
        return news.piece;
      }
      const { ending } = news;
      if (ending.outcome === 'refused') throw new Refusal(ending.message);
      if (ending.outcome === 'failed') throw new Error(ending.message);
      sha256 = ending.sha256;
      return null;
    },
    giveBack: (piece) => post({ task: 'give-back', piece }, [piece.buffer]),
    sha256: () => sha256,
    end() {
      worker.onmessage = null;
      worker.terminate();
    },
  };
}
