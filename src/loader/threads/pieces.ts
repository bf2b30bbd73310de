/** Cuts a stream of bytes into pieces that end with a line, for threads to read. */

const lineFeed = 10;

type Piece = Uint8Array<ArrayBuffer>;

export interface Pieces {
  /** Adds bytes. @returns the pieces that are full now */
  push(chunk: Uint8Array): Piece[];
  /** What is left. */
  rest(): Piece;
  /** Takes the memory of a piece that nobody needs any more. */
  giveBack(piece: Piece): void;
}

/**
 * @param pieceBytes bytes of a piece, at most. A piece may end within a row, where a field holds a line feed or a line is
 * longer than a piece
 */
export function createPieces(pieceBytes: number): Pieces {
  const free: Piece[] = [];
  const empty = () => free.pop() ?? new Uint8Array(pieceBytes);
  let buffer = empty();
  let used = 0;
  const cut = (): Piece => {
    const end = buffer.lastIndexOf(lineFeed) + 1 || used;
    const piece = buffer.subarray(0, end);
    const next = empty();
    next.set(buffer.subarray(end, used));
    buffer = next;
    used -= end;
    return piece;
  };
  return {
    push(chunk) {
      const full: Piece[] = [];
      for (let at = 0; at < chunk.length; ) {
        const part = chunk.subarray(at, at + pieceBytes - used);
        buffer.set(part, used);
        used += part.length;
        at += part.length;
        if (used === pieceBytes) full.push(cut());
      }
      return full;
    },
    rest: () => buffer.subarray(0, used),
    giveBack: ({ buffer: memory }) => void free.push(new Uint8Array(memory)),
  };
}
