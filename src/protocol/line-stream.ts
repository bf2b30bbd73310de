/** JSON lines over a Bun socket: whole lines out of arriving pieces, and writes that survive a full buffer. */

export interface LineReader {
  /** Takes what arrived; false once a line is longer than allowed. */
  take(piece: Uint8Array): boolean;
}

/** Calls `onLine` for every whole line; a line of more than `bytesMax` bytes ends the reading. */
export function lineReader(bytesMax: number, onLine: (line: string) => void): LineReader {
  const decoder = new TextDecoder();
  let rest = '';
  return {
    take(piece) {
      rest += decoder.decode(piece, { stream: true });
      let end = rest.indexOf('\n');
      while (end >= 0) {
        onLine(rest.slice(0, end));
        rest = rest.slice(end + 1);
        end = rest.indexOf('\n');
      }
      // Characters are at most as many as bytes, so this never refuses a line that is short enough.
      return rest.length <= bytesMax;
    },
  };
}

/** What of a Bun socket a writer needs. */
interface Writable {
  write(data: Uint8Array): number;
}

export interface LineWriter {
  write(socket: Writable, value: unknown): void;
  /** Goes on where a full socket buffer stopped the writing. */
  drain(socket: Writable): void;
}

/** Writes values as JSON lines; what the socket does not take at once waits for its `drain`. */
export function lineWriter(): LineWriter {
  let waiting: Uint8Array = new Uint8Array(0);
  const push = (socket: Writable) => {
    const written = socket.write(waiting);
    waiting = waiting.subarray(Math.max(0, written));
  };
  return {
    write(socket, value) {
      waiting = Buffer.concat([waiting, Buffer.from(`${JSON.stringify(value)}\n`)]);
      push(socket);
    },
    drain(socket) {
      if (waiting.length > 0) push(socket);
    },
  };
}
