/** Splits a stream of bytes into pieces that end with a line, for threads to parse. */

const lineFeed = 10;

export type Piece = Uint8Array<ArrayBuffer>;

/** Splits one stream. A piece may end within a row if a field contains a line feed or a line is longer than a piece. */
interface Cutter {
  /** Adds bytes. @returns the pieces that are now full */
  push(chunk: Uint8Array): Piece[];
  /** The rest. */
  rest(): Piece;
}

/** @param memory returns the bytes for a piece, of the same length each time */
export function createCutter(memory: () => Piece): Cutter {
  let buffer = memory();
  let used = 0;
  const cut = (): Piece => {
    const end = buffer.lastIndexOf(lineFeed) + 1 || used;
    const next = memory();
    next.set(buffer.subarray(end, used));
    const piece = buffer.subarray(0, end);
    buffer = next;
    used -= end;
    return piece;
  };
  return {
    push(chunk) {
      const full: Piece[] = [];
      for (let at = 0; at < chunk.length; ) {
        const part = chunk.subarray(at, at + buffer.length - used);
        buffer.set(part, used);
        used += part.length;
        at += part.length;
        if (used === buffer.length) full.push(cut());
      }
      return full;
    },
    rest: () => buffer.subarray(0, used),
  };
}
