/** Parses HTTP/1.1 answers for the load generator, thousands of times a second and therefore as little as possible. */

const headEnd = Buffer.from('\r\n\r\n');

export class Answer {
  readonly status: number;
  readonly body: Buffer;
  /** A strong entity tag, or null. */
  readonly tag: string | null;
  /** Whether the server closes the connection after this answer, as proxies do after a number of them. */
  readonly closes: boolean;

  private constructor(head: string, body: Buffer) {
    this.status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
    this.body = body;
    this.tag = strongTag.exec(head)?.[1] ?? null;
    this.closes = closing.test(head);
  }

  /** @returns null for an incomplete answer */
  static whole(received: Buffer): Answer | null {
    const end = received.indexOf(headEnd);
    if (end < 0) return null;
    const head = received.toString('latin1', 0, end + 2);
    const rest = received.subarray(end + headEnd.length);
    const body = chunked.test(head)
      ? joinedChunks(rest)
      : bodyOf(rest, Number(contentLength.exec(head)?.[1] ?? 0));
    return body === null ? null : new Answer(head, body);
  }
}

const strongTag = /\r\netag: *("[^"]*")/i;
const closing = /\r\nconnection: *close *\r/i;
const chunked = /\r\ntransfer-encoding:/i;
const contentLength = /\r\ncontent-length: *(\d+)/i;

function bodyOf(rest: Buffer, length: number): Buffer | null {
  return rest.length < length ? null : rest.subarray(0, length);
}

/** Null before the last, empty chunk and its empty line. A malformed chunk ends the body, too. */
function joinedChunks(rest: Buffer): Buffer | null {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', at);
    if (lineEnd < 0) return null;
    const length = Number.parseInt(rest.toString('latin1', at, lineEnd), 16);
    const start = lineEnd + 2;
    if (rest.length < start + length + 2) return null;
    if (!(length > 0)) return Buffer.concat(chunks);
    chunks.push(rest.subarray(start, start + length));
    at = start + length + 2;
  }
}
