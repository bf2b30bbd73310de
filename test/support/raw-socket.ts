/** Sends raw bytes, for requests that no HTTP client would make. */
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Lower-case name → value; the last one if a name occurs several times. */
  readonly headers: ReadonlyMap<string, string>;
  /** Names in the order and case sent. */
  readonly headerNames: readonly string[];
  readonly body: string;
}

/**
 * Resolves with everything received until the server closed the connection; '' if it sent nothing.
 * @param encoding in which the bytes are read: `latin1` has a character for each byte, for bodies that may be coded
 */
export function sendRaw(
  port: number,
  bytes: string | Uint8Array,
  encoding: 'utf8' | 'latin1' = 'utf8',
): Promise<string> {
  return new Promise((resolve, reject) => {
    const pieces: string[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding(encoding);
    socket.on('data', (piece) => pieces.push(String(piece)));
    socket.on('close', () => resolve(pieces.join('')));
    socket.on('error', (error) => {
      // A server may reset a connection after it has stopped reading the request.
      if ('code' in error && error.code === 'ECONNRESET') resolve(pieces.join(''));
      else reject(error);
    });
  });
}

/** Sends one request on a connection of its own. */
export async function rawRequest(
  port: number,
  method: string,
  target: string,
  headers: readonly string[] = [],
): Promise<RawAnswer> {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: service.test',
    ...headers,
    'Connection: close',
    '',
    '',
  ];
  return parseAnswer(await sendRaw(port, lines.join('\r\n')));
}

/**
 * Sends a request on a connection that stays open. Unlike `fetch`, it does not silently repeat a request whose
 * connection breaks.
 * @returns the answer, which must have a Content-Length; if the connection ended first, the part received
 */
export function askOn(socket: Socket, request: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const done = () => {
      socket.removeAllListeners();
      // The server may close a connection that waits for the next request.
      socket.on('error', () => undefined);
      resolve(text);
    };
    socket.on('error', done);
    socket.on('close', done);
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
      if (isWhole(text)) done();
    });
    socket.write(request);
  });
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end + 2))?.[1];
  return length !== undefined && text.length >= end + 4 + Number(length);
}

export function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: new Map(pairs.map(([name, value]) => [name.toLowerCase(), value])),
    headerNames: pairs.map(([name]) => name),
    body: text.slice(end + 4),
  };
}
