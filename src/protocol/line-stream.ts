/**
 * Reads and writes JSON lines over a Bun socket: joins arriving pieces to lines, and finishes writes after a full
 * buffer.
 */

export interface LineReader {
  /** Takes arriving bytes. @returns false once a line is longer than allowed */
  take(piece: Uint8Array): boolean;
}

/** Calls `onLine` for every complete line. A line of more than `bytesMax` bytes ends the reading. */
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
      // A line has at most as many characters as bytes, so a line that is short enough is never refused.
      return rest.length <= bytesMax;
    },
  };
}

/** The part of a Bun socket that a writer needs. */
interface Writable {
  write(data: Uint8Array): number;
}

export interface LineWriter {
  write(socket: Writable, value: unknown): void;
  /** Continues after a full socket buffer stopped a write. */
  drain(socket: Writable): void;
}

/** Writes values as JSON lines. Bytes that the socket does not take wait for its `drain`. */
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
