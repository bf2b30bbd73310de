/**
 * Runs in the thread that unpacks a large file: reads, digests and inflates it, and splits it into pieces that end with
 * a row or record.
 */
import { placeOf } from '../../errors.ts';
import { GivenBytes, openContent } from '../parse/input/content.ts';
import type { FileIdentity } from '../parse/input/file.ts';
import { Refusal } from '../parse/refusal.ts';
import { type Cut, createCutter, endsOf, type Piece } from './pieces.ts';

/** To the thread. */
export type UnpackTask =
  | {
      readonly task: 'unpack';
      readonly path: string;
      readonly identity: FileIdentity;
      readonly cut: Cut;
      readonly pieceBytes: number;
      /** Pieces that it may send before the first of them is returned. */
      readonly piecesMax: number;
    }
  /** A piece that is no longer needed: its memory can be reused. */
  | { readonly task: 'give-back'; readonly piece: Piece };

/** From the thread. */
export type UnpackNews =
  /** @see createCutter; `bytesRead` counts the file as given */
  | { readonly news: 'piece'; readonly piece: Piece; readonly bytesRead: number }
  /** The last message: how the file ended, after the pieces of everything before. */
  | { readonly news: 'ended'; readonly ending: Ending };

type Ending =
  | { readonly outcome: 'whole'; readonly sha256: string }
  | { readonly outcome: 'refused'; readonly message: string }
  | { readonly outcome: 'failed'; readonly message: string };

type Tell = (news: UnpackNews, transfer: ArrayBuffer[]) => void;
type Unpack = Extract<UnpackTask, { task: 'unpack' }>;

/** @returns the function to call with each task */
export function unpackThread(tell: Tell): (task: UnpackTask) => void {
  const free: Piece[] = [];
  let given = Promise.withResolvers<void>();
  let room = 0;
  const send = async (piece: Piece, bytesRead: number) => {
    while (room === 0) await given.promise;
    room--;
    tell({ news: 'piece', piece, bytesRead }, [piece.buffer]);
  };
  const unpack = async (task: Unpack) => {
    room = task.piecesMax;
    const ending = await unpackFile(task, () => free.pop() ?? new Uint8Array(task.pieceBytes), send);
    tell({ news: 'ended', ending }, []);
  };
  return (task) => {
    if (task.task === 'unpack') void unpack(task);
    else {
      free.push(new Uint8Array(task.piece.buffer));
      room++;
      given.resolve();
      given = Promise.withResolvers();
    }
  };
}

async function unpackFile(
  { path, identity, cut }: Unpack,
  memory: () => Piece,
  send: (piece: Piece, bytesRead: number) => Promise<void>,
): Promise<Ending> {
  const given = new GivenBytes();
  const cutter = createCutter(memory, endsOf(cut));
  let ending: Ending;
  try {
    const content = await openContent(path, identity);
    for await (const chunk of content.chunks(given.take)) {
      for (const piece of cutter.push(chunk)) await send(piece, given.count);
    }
    ending = { outcome: 'whole', sha256: given.sha256() };
  } catch (error) {
    ending = endingOf(error);
  }
  await send(cutter.rest(), given.count);
  return ending;
}

function endingOf(error: unknown): Ending {
  if (error instanceof Refusal) return { outcome: 'refused', message: error.message };
  return { outcome: 'failed', message: placeOf(error) };
}
