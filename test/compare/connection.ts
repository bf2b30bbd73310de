/** Sends requests over bare connections and returns the answers byte for byte. */
import { connect } from 'node:net';

export interface Asked {
  readonly method: string;
  /** Path and query, as they stand in the request line. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Answered {
  /** The status line and the headers in the order sent. */
  readonly head: readonly string[];
  readonly body: Buffer;
}

/** Sends one request on a connection of its own. An answer that never began has an empty head. */
export async function ask(port: number, { method, target, headers, body }: Asked): Promise<Answered> {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: compare.test',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  const bytes = await exchange(port, `${lines.join('\r\n')}\r\n\r\n${body}`);
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return { head: [], body: bytes };
  return { head: bytes.subarray(0, end).toString('latin1').split('\r\n'), body: bytes.subarray(end + 4) };
}

function exchange(port: number, text: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (piece) => void pieces.push(Buffer.from(piece)));
    socket.on('close', () => resolve(Buffer.concat(pieces)));
    socket.on('error', reject);
  });
}

/** The value of a header, '' if there is none. */
export function headerOf({ head }: Answered, name: string): string {
  const start = `${name.toLowerCase()}: `;
  return head.find((line) => line.toLowerCase().startsWith(start))?.slice(start.length) ?? '';
}

export function statusOf({ head }: Answered): number {
  return Number(head[0]?.split(' ')[1]);
}
