/** An HTTP/1.1 answer as the load generator reads it: as little as has to be looked at, thousands of times a second. */

const headEnd = '\r\n\r\n';

export class Answer {
  readonly status: number;
  readonly body: Buffer;
  /** A strong entity tag, or null. */
  readonly tag: string | null;
  /** The server closes the connection after this answer, as proxies do after so many. */
  readonly closes: boolean;

  private constructor(head: Head, body: Buffer) {
    this.status = head.status;
    this.body = body;
    const tag = head.field('etag');
    this.tag = tag?.startsWith('"') ? tag : null;
    this.closes = head.field('connection')?.toLowerCase() === 'close';
  }

  /** @returns null while some of it has not come yet */
  static whole(received: Buffer): Answer | null {
    const end = received.indexOf(headEnd);
    if (end < 0) return null;
    const head = new Head(received.toString('latin1', 0, end + 2));
    const rest = received.subarray(end + headEnd.length);
    const chunked = head.field('transfer-encoding') !== null;
    const body = chunked ? joinedChunks(rest) : bodyOf(rest, Number(head.field('content-length') ?? 0));
    return body === null ? null : new Answer(head, body);
  }
}

class Head {
  private readonly text: string;
  private readonly lower: string;

  constructor(text: string) {
    this.text = text;
    this.lower = text.toLowerCase();
  }

  get status(): number {
    return Number(this.text.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
  }

  /** @param name in small letters */
  field(name: string): string | null {
    const at = this.lower.indexOf(`\r\n${name}:`);
    if (at < 0) return null;
    const start = at + name.length + 3;
    return this.text.slice(start, this.text.indexOf('\r\n', start)).trim();
  }
}

function bodyOf(rest: Buffer, length: number): Buffer | null {
  return rest.length < length ? null : rest.subarray(0, length);
}

/** Null before the last chunk, which is empty, and the empty line after it. What is no chunk ends them too. */
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
